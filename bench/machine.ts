import { spawnSync } from 'node:child_process';
import os from 'node:os';

function outputOf(command: string, ...args: string[]): string | undefined {
  const { error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return error ? undefined : `${stdout}${stderr}`;
}

const hasTwoCores = os.availableParallelism() > 1 && outputOf('taskset', '--version') !== undefined;

/** Runs servers on the first core and clients on the second, where the system has a choice. */
export function pinned(side: 'server' | 'client', command: string, args: readonly string[]): [string, string[]] {
  if (!hasTwoCores) return [command, [...args]];
  return ['taskset', ['-c', side === 'server' ? '0' : '1', command, ...args]];
}

/** @throws when wrk, which makes the load, is not installed */
export function requireWrk(): void {
  if (outputOf('wrk', '-v') === undefined) {
    throw new Error('The load is made by wrk, which is not installed: "apt-get install wrk" or "brew install wrk".');
  }
}

/** One line about the machine, for the report. */
export function describeMachine(): string {
  const cores = `${os.availableParallelism()} cores`;
  const memory = `${Math.round(os.totalmem() / 1024 ** 3)} GB`;
  const split = hasTwoCores ? 'one serves, one asks' : 'not divided between server and load';
  return `${os.cpus()[0]?.model.trim()}, ${cores} (${split}), ${memory}, ${os.type()} ${os.release()}`;
}
