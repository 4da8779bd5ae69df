import { afterAll, vi } from 'vitest';

// Loaded before each file of unit and API tests: the next file of the worker finds clocks and globals as they are, also
// when a test has failed before it put them back.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
