import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CATALOGUE } from '../src/server/data/imports/import-file.ts';
import type { DatabaseAddress } from '../src/server/database/open.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { readRealUniversities } from '../tests/support/real-names.ts';
import type { Options } from './options.ts';
import { whole } from './sections.ts';

const ROOT = path.dirname(import.meta.dirname);
const CACHE_FOLDER = path.join(import.meta.dirname, '.data');
const FILE = 'school-reviews.sqlite';
/** The secret of products that live for one run. */
const TOKEN_SECRET = 'a secret of the bench, which guards nothing at all';

/** The data for visits of review pages, in addition to the schools of the catalogue. */
const VISITED = { schools: 40, entries: 12, reviews: 40_000 };

/** A filled database of one run, and the settings that put a product on it. */
export interface Store {
  readonly env: Record<string, string>;
  readonly tokenSecret: string;
  readonly address: DatabaseAddress;
  remove(): Promise<void>;
}

async function runCommand(name: string, args: readonly string[], env: Record<string, string>): Promise<void> {
  const command = path.join(ROOT, 'src/server/commands', `${name}.ts`);
  const child = spawn(process.execPath, [command, ...args], { stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The data could not be made: ${name} ended with ${code}.`);
}

type Amounts = Pick<Options, 'schools' | 'entries' | 'reviews'>;

async function generate({ schools, entries, reviews }: Amounts, env: Record<string, string>): Promise<void> {
  const amounts = Object.entries({ schools, entries, reviews });
  const args = amounts.flatMap(([name, value]) => [`--${name}`, String(value)]);
  await runCommand('generate', args, env);
}

/** The same numbers give the same data, so it is made once and cached. */
async function findOrGenerate(options: Options, reviews: number): Promise<string> {
  const file = path.join(CACHE_FOLDER, `${options.schools}-${options.entries}-${reviews}.sqlite`);
  if (existsSync(file)) return file;
  const folder = path.join(CACHE_FOLDER, 'pending');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await generate({ ...options, reviews }, { DATA_DIR: folder });
  renameSync(path.join(folder, FILE), file);
  return file;
}

function storeOf(env: Record<string, string>, address: DatabaseAddress, remove: () => Promise<void>): Store {
  return { env: { ...env, TOKEN_SECRET }, tokenSecret: TOKEN_SECRET, address, remove };
}

/** An empty folder, and the store of the database that will be in it. */
function createSqliteStore(): { dataDir: string; store: Store } {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-bench-'));
  const removeNow = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', removeNow);
  const address = { sqlite: path.join(dataDir, FILE) };
  return { dataDir, store: storeOf({ DATA_DIR: dataDir }, address, async () => removeNow()) };
}

async function openSqliteStore(options: Options, reviews: number): Promise<Store> {
  const generated = await findOrGenerate(options, reviews);
  const { dataDir, store } = createSqliteStore();
  copyFileSync(generated, path.join(dataDir, FILE), constants.COPYFILE_FICLONE);
  return store;
}

async function openPostgresStore(options: Options, reviews: number): Promise<Store> {
  const server = await startPostgres({ isDurable: true });
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-bench-'));
  const url = server.url('postgres');
  await generate({ ...options, reviews }, { DATA_DIR: dataDir, DATABASE_URL: url });
  return storeOf({ DATA_DIR: dataDir, DATABASE_URL: url }, { postgres: url }, async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
}

/** Fills a database of its own for this run. */
export function openStore(options: Options, reviews = options.reviews): Promise<Store> {
  return options.engine === 'sqlite' ? openSqliteStore(options, reviews) : openPostgresStore(options, reviews);
}

/** Fills a database with the schools of the catalogue alone. */
export async function openCatalogueStore(): Promise<Store> {
  const { dataDir, store } = createSqliteStore();
  await runCommand('import', [CATALOGUE], { DATA_DIR: dataDir });
  return store;
}

/** Fills a database with copies of each school of the catalogue, which differ by a word in their names. */
export async function openCopiesStore(copies: number): Promise<Store> {
  const { dataDir, store } = createSqliteStore();
  const names = (await readRealUniversities()).map(({ name }) => name.replaceAll(/["\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''));
  const rows = Array.from({ length: copies }, (_, copy) =>
    names.map((name, index) => `"${name} ${copy}x${index}",School.,Nowhere`),
  ).flat();
  const file = path.join(dataDir, 'copies.csv');
  writeFileSync(file, ['schoolName,description,location', ...rows].join('\n'));
  await runCommand('import', [file], { DATA_DIR: dataDir });
  return store;
}

/** Fills a database for measurements in a visitor's browser. */
export async function openVisitedStore(): Promise<Store & { readonly describe: string }> {
  const { dataDir, store } = createSqliteStore();
  const env = { DATA_DIR: dataDir };
  const { schools, entries, reviews } = VISITED;
  await generate({ schools, entries, reviews }, env);
  await runCommand('import', [CATALOGUE], env);
  const reviewed = `${schools} more with ${entries} entries in each category and ${whole(reviews)} reviews`;
  return { ...store, describe: `The schools of the catalogue, ${reviewed}` };
}
