// When npm is killed with SIGKILL, or only the shell of `sh -c "npm start"` ends, the processes that they started get
// no signal and would run for ever. So the chain of parents up to them is watched.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const INTERVAL = 200;
const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh', 'ksh']);

/** Calls back once, as soon as npm or a waiting shell above this process is gone. If there is neither, never. */
export function whenParentDies(/** @type {() => void} */ callback) {
  const links = watchedLinks();
  if (links.length === 0) return;
  const timer = setInterval(() => {
    if (links.every(([pid, parent]) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, INTERVAL);
  timer.unref();
}

/** Pairs of child and parent, from this process up: over waiting shells to npm, then over shells that wait for npm. */
function watchedLinks() {
  /** @type {[number, number][]} */
  const links = [];
  let npmIsAbove = process.env.npm_lifecycle_event !== undefined;
  for (let pid = process.pid; pid > 1; ) {
    const parent = parentOf(pid);
    const isShell = waitsForCommand(parent);
    if (!isShell && !npmIsAbove) break;
    if (!isShell) npmIsAbove = false;
    links.push([pid, parent]);
    pid = parent;
  }
  return links;
}

/** Whether a process is `sh -c COMMAND` and waits for the command: `npm start &` is meant to outlive its shell. */
function waitsForCommand(/** @type {number} */ pid) {
  const [shell = '', ...args] = readProc(pid, 'cmdline').split('\0');
  if (!SHELLS.has(path.basename(shell))) return false;
  const command = /^-[a-z]*c$/.test(args[0] ?? '') ? args[1] : undefined;
  return command !== undefined && !/(^|[^&>])&([^&>]|$)/.test(command);
}

function parentOf(/** @type {number} */ pid) {
  if (pid === process.pid) return process.ppid;
  // The file has "pid (name) state ppid …", and a name may hold blanks and brackets.
  const stat = readProc(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Reads a file of a process: empty if the process has ended or there is no /proc, where only the parent is watched. */
function readProc(/** @type {number} */ pid, /** @type {'cmdline' | 'stat'} */ file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
