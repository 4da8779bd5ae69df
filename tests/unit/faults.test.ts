import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { childEnv } from '../support/child.ts';

/** Each load is a process of its own: many together on a busy machine take more than the usual time. */
const PATIENCE_MS = 180_000;

const APP = new URL('../../src/server/app.ts', import.meta.url).href;
const FAULTS = new URL('../../torture/faults/', import.meta.url);

/** Loads every module of the server with one of the faults in it. @throws when the fault does not find its place */
const load = (fault: URL) =>
  promisify(execFile)(process.execPath, ['--import', fault.href, '--eval', `await import(${JSON.stringify(APP)})`], {
    env: childEnv(),
  });

test('each fault that the torture trials put into the server finds its place in it', {
  timeout: PATIENCE_MS,
}, async () => {
  const faults = readdirSync(FAULTS).filter((file) => file !== 'wrap-function.ts');
  expect(faults.length).toBeGreaterThan(15);
  for (const file of faults) await load(new URL(file, FAULTS));
});

test('a fault of a function that is not there, or of no function, stops the start', {
  timeout: PATIENCE_MS,
}, async () => {
  const wrap = (file: string, name: string) => {
    const call = `wrapFunction(${JSON.stringify(file)}, ${JSON.stringify(name)}, (original) => original)`;
    const source = `import { wrapFunction } from '${new URL('wrap-function.ts', FAULTS).href}'; ${call}`;
    return load(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  };
  await wrap('mail/plan.ts', 'planNextTry');
  await expect(wrap('mail/no-such.ts', 'planNextTry')).rejects.toThrow('There is no src/server/mail/no-such.ts');
  await expect(wrap('mail/plan.ts', 'planNothing')).rejects.toThrow('planNothing is not defined');
  await expect(wrap('mail/plan.ts', 'POLL_MS')).rejects.toThrow('Assignment to constant variable');
});
