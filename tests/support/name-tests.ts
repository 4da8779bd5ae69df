import { expect } from 'vitest';
import { nameTestsBy } from './coverage.ts';

// Loaded before each file of API tests.
nameTestsBy(() => {
  const { testPath = '', currentTestName = '' } = expect.getState();
  return { file: testPath, title: currentTestName };
});
