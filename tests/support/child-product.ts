import { openDatabase } from '../../src/server/database/open.ts';
import { type Child, startChild, waitForAddress } from './child.ts';
import { createFolder, ERROR_LEVEL, type LogLine } from './product.ts';
import type { RunningProduct } from './rows.ts';

/** The product on PostgreSQL as a child process, and a connection of this process to its database to make rows. */
export interface ChildProduct extends RunningProduct {
  readonly child: Child;
  readonly databaseUrl: string;
  /** Log lines at error so far: something failed that nobody foresaw. */
  errors(): LogLine[];
  /** Ends it with SIGTERM. @returns its exit code, or the signal that ended it */
  stop(): Promise<number | string>;
}

/** @param dataDir where another process of the same product has its secret */
export async function startChildProduct(
  databaseUrl: string,
  { dataDir, env = {} }: { dataDir?: string; env?: Record<string, string> } = {},
): Promise<ChildProduct> {
  const folder = createFolder();
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir ?? folder.dataDir, RATE_LIMIT: 'off', ...env };
  const child = startChild(settings);
  const url = await waitForAddress(child);
  const database = await openDatabase({ postgres: databaseUrl });
  return {
    url,
    // Only what the factories need: the product itself is the child.
    app: { database } as RunningProduct['app'],
    dataDir: settings.DATA_DIR,
    clock: { ahead: 0 },
    child,
    databaseUrl,
    errors: () =>
      child.output.stdout
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line): LogLine => JSON.parse(line))
        .filter(({ level }) => level >= ERROR_LEVEL),
    async stop() {
      child.process.kill('SIGTERM');
      const code = await child.exit;
      await database.close();
      folder.remove();
      return code;
    },
  };
}
