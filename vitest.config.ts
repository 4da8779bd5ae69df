import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** `npm test -- --quick`: SQLite alone. */
const isQuick = process.env.QUICK !== undefined;
const NEEDS_POSTGRES =
  /createPostgresDatabase|startPostgres|startChildProduct|startReplica|support\/move|(createTarget|oldDatabase)\('postgres'/;
const needPostgres = globSync('tests/api/*.test.ts').filter((file) => NEEDS_POSTGRES.test(readFileSync(file, 'utf8')));

const shared = {
  environment: 'node',
  pool: 'forks',
  // One more than the cores of the smallest machine: some of the tests wait for processes, mail servers and models.
  maxWorkers: 3,
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          exclude: isQuick ? needPostgres : [],
          globalSetup: 'tests/support/postgres-setup.ts',
          setupFiles: ['tests/support/name-tests.ts', 'tests/support/cheap-hashes.ts'],
        },
      },
    ],
  },
});
