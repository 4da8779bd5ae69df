import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** `npm test -- --quick`: SQLite alone, and no tests that start processes, which takes a third of the time. */
const isQuick = process.env.QUICK !== undefined;
const STARTS_PROCESSES = /startChild|startCommand|runCommandProcess/;
const NEEDS_POSTGRES = /createPostgresDatabase|startPostgres|startReplica|\w\('postgres'/;
/** A file with this skips by itself what needs PostgreSQL. */
const ASKS_FOR_POSTGRES = "ENGINES.includes('postgres')";
const slow = globSync('tests/api/*.test.ts').filter((file) => {
  const text = readFileSync(file, 'utf8');
  return STARTS_PROCESSES.test(text) || (NEEDS_POSTGRES.test(text) && !text.includes(ASKS_FOR_POSTGRES));
});

const shared = {
  environment: 'node',
  pool: 'forks',
  // The files that a worker runs share the modules: loading the server anew for each took half of the time.
  isolate: false,
  // One more than the cores of the smallest machine: some of the tests wait for processes, mail servers and models.
  maxWorkers: 3,
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const;

const onProducts = {
  ...shared,
  globalSetup: 'tests/support/postgres-setup.ts',
  setupFiles: ['name-tests', 'cheap-hashes', 'restore-globals'].map((name) => `tests/support/${name}.ts`),
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          setupFiles: 'tests/support/restore-globals.ts',
        },
      },
      {
        test: { ...onProducts, name: 'api', include: ['tests/api/**/*.test.ts'], exclude: isQuick ? slow : [] },
      },
      // Tests that take many seconds each. `npm run trials` runs them.
      { test: { ...onProducts, name: 'trials', include: ['tests/trials/**/*.test.ts'] } },
    ],
  },
});
