import { expect } from 'vitest';
import { setTestFinder } from './coverage.ts';

// Loaded before each file of API tests.
setTestFinder(() => {
  const { testPath = '', currentTestName = '' } = expect.getState();
  return { file: testPath, title: currentTestName };
});
