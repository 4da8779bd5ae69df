import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readOptions } from '../../bench/options.ts';
import { VISITED_PATHS } from '../../bench/visited-pages.ts';
import { workloadNames } from '../../bench/workloads.ts';
import { childEnv } from '../support/child.ts';

const run = (file: string, ...args: string[]) =>
  spawnSync(process.execPath, [file, ...args], {
    ...{ encoding: 'utf8', env: childEnv() },
    cwd: new URL('../..', import.meta.url),
  });

test.each(['bench/main.ts', 'torture/main.ts', 'bin/fuzz.ts'])(
  '%s ends with one line for an option that it does not know, and lists its options for --help',
  (file) => {
    for (const unknown of ['--anything', 'anything']) {
      const { status, stdout, stderr } = run(file, unknown);
      expect(stderr).toMatch(/^Un(known option|expected argument) .*anything.* -- --help\)\n$/);
      expect(stdout).toBe('');
      expect(status).toBe(1);
    }
    const { status, stdout, stderr } = run(file, '--help');
    expect(stdout).toMatch(/^Usage: npm run \w+ -- \[OPTIONS\]\n {2}--/);
    expect(stderr).toBe('');
    expect(status).toBe(0);
  },
);

test.each(['no-such-file', 'large-site-copy'])('npm test -- %s, which it does not run, is refused at once', (text) => {
  const { status, stderr } = run('bin/test.mjs', 'helpful', text);
  expect(stderr).toBe(`No test file of the API, units or browser has "${text}" in its path.\n`);
  expect(status).toBe(1);
});

test.each([
  [['--engine', 'mysql'], '--engine is "mysql". Allowed: sqlite or postgres.'],
  [['--only', 'W1,W99'], '--only names "W99". Allowed: W1, W2, '],
  [['--browser', '--only', 'W1'], '--only names "W1". Allowed: /, '],
])('bench names the values that the options %j allow, in one line', (args, text) => {
  const read = () => readOptions(args, { workloads: workloadNames(), pages: VISITED_PATHS });
  expect(read).toThrow(text);
  expect(read).toThrow(/^[^\n]+$/);
});

test.each([[['--help']], [['--coverage', '--help']]])('the tests print their usage for %j', (args) => {
  const { status, stdout, stderr } = run('bin/test.mjs', ...args);
  expect(stdout).toMatch(/^Usage: npm test .*npm run coverage/);
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test.each([
  ['tools', "(await import('./bin/command-line.ts')).readCommandLine('npm run tool', [], () => {});"],
  ['scripts', "await (await import('./bin/process.mjs')).run(process.execPath, ['--version']);"],
])('%s whose output nobody reads, as with | head -1, end in order', async (_kind, begin) => {
  const write =
    'for (const n of [1, 2, 3]) await new Promise((done) => process.stdout.write(String(n), () => setImmediate(done)));';
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${begin} ${write} process.exitCode = 3`], {
    ...{ env: childEnv(), cwd: new URL('../..', import.meta.url) },
  });
  child.stdout.destroy();
  const ended = once(child, 'close');
  expect(await text(child.stderr)).toBe('');
  expect((await ended)[0]).toBe(3);
});
