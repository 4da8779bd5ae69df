import { defineConfig } from 'vitest/config';

const shared = {
  environment: 'node',
  pool: 'forks',
  maxWorkers: 2,
  testTimeout: 30_000,
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
          globalSetup: 'tests/support/postgres-setup.ts',
          setupFiles: 'tests/support/name-tests.ts',
        },
      },
    ],
  },
});
