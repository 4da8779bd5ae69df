import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { whenParentDies } from './parent.mjs';

export const ROOT = path.dirname(import.meta.dirname);

// Signals within this many ms count as one: a terminal sends Ctrl-C to the whole group, and npm passes it on again.
const ECHO = 300;
// How many ms a child gets to end by itself. The server drains in 10 s at most. A tool has nothing to lose, and npm
// would go on for 20 s.
const PATIENCE = { server: 12_000, tool: 2000 };

/** @typedef {import('node:child_process').ChildProcess} Child */
/** The running children, with the time that each gets to end by itself. @type {Map<Child, number>} */
const children = new Map();
let endingSince = 0;
let isListening = false;

/**
 * Runs a command to its end and answers its exit code (128 + the signal's number when a signal ended it). A signal to
 * this process, or the death of the npm above it, asks the command to end; a second signal kills it. After
 * the first, no further command starts.
 * @param {string} command @param {string[]} args @returns {Promise<number>}
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean, channel?: boolean, stop?: AbortSignal,
 *   output?: (chunk: Buffer) => void }} options channel: an IPC channel, whose closing tells the child that this
 *   process died, however it did; stop: asks the child to end; output: takes what the child prints
 */
export function run(command, args, { env = process.env, shell = false, channel = false, stop, output } = {}) {
  listen();
  if (endingSince) process.exit(exitCodeOf('SIGTERM'));
  const print = output ? 'pipe' : 'inherit';
  const child = spawn(command, args, {
    cwd: ROOT,
    env,
    shell,
    stdio: channel ? ['inherit', print, print, 'ipc'] : ['inherit', print, print],
    // The child has a process group of its own: Ctrl-C reaches the whole group once, from here.
    detached: process.platform !== 'win32',
  });
  children.set(child, channel ? PATIENCE.server : PATIENCE.tool);
  stop?.addEventListener('abort', () => end(child));
  if (output) for (const stream of [child.stdout, child.stderr]) stream?.on('data', output);
  return new Promise((resolve) => {
    child.once('error', (error) => {
      children.delete(child);
      console.error(`${command} could not be started: ${error.message}`);
      resolve(127);
    });
    child.once('close', (code, signal) => {
      children.delete(child);
      if (endingSince && !channel) process.exit(exitCodeOf('SIGTERM'));
      resolve(code ?? exitCodeOf(signal ?? 'SIGKILL'));
    });
  });
}

/** Goes on when the reader of the output has ended, as with `npm run torture | head -1`. */
export function ignoreClosedPipes() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

function listen() {
  if (isListening) return;
  isListening = true;
  ignoreClosedPipes();
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => endAll(signal));
  whenParentDies(() => endAll('SIGTERM'));
}

function endAll(/** @type {NodeJS.Signals} */ signal) {
  if (children.size === 0) process.exit(exitCodeOf(signal));
  if (endingSince === 0) {
    endingSince = Date.now();
    for (const child of children.keys()) end(child);
  } else if (Date.now() - endingSince > ECHO) {
    for (const child of children.keys()) kill(child, 'SIGKILL');
    process.exit(exitCodeOf('SIGKILL'));
  }
}

function end(/** @type {Child} */ child) {
  // Windows has no SIGTERM: kill ends the child at once, so the closed channel asks it to end.
  if (process.platform === 'win32' && child.connected) child.disconnect();
  else kill(child, 'SIGTERM');
  setTimeout(() => kill(child, 'SIGKILL'), children.get(child)).unref();
}

function kill(/** @type {Child} */ child, /** @type {NodeJS.Signals} */ signal) {
  if (!child.pid || !children.has(child)) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the child has already ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function exitCodeOf(/** @type {NodeJS.Signals} */ signal) {
  return 128 + os.constants.signals[signal];
}
