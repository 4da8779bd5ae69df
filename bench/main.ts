// npm run bench [-- OPTIONS]: the product against a bare node:http with the same bytes, in one run. See options.ts.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { requireWrk } from './machine.ts';
import { isStandardRun, readOptions } from './options.ts';
import { writeReport } from './report.ts';
import { runLoad } from './run.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

// Through "exit", where everything that was started is ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  const options = readOptions(process.argv.slice(2));
  requireWrk();
  const { results, figures } = await runLoad(options, say);
  const report = writeReport(options, results, figures);
  writeFileSync(path.join(import.meta.dirname, isStandardRun(options) ? 'results.md' : 'results.local.md'), report);
  process.stdout.write(`${report}\n`);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
