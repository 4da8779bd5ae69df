import { defineConfig } from 'playwright/test';
import { findBrowser } from './bin/browser.mjs';

export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.test.ts',
  workers: 3,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  // Playwright's 5 s are short on a busy machine.
  expect: { timeout: 15_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    timezoneId: 'UTC',
    trace: 'off',
    launchOptions: {
      executablePath: findBrowser(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
