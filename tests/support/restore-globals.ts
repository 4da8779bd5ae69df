import { afterAll, vi } from 'vitest';

// Loaded before each file of unit and API tests: restores clocks and globals for the next file of the worker, even if a
// test failed before it did so.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
