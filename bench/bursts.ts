import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Burst {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Answers that were neither 2xx nor 3xx. */
  failures: number;
}

const MILLISECONDS: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

function toMilliseconds(text: string | undefined): number {
  const [, value = '0', unit = 'ms'] = /([\d.]+)(us|ms|s)/.exec(text ?? '') ?? [];
  return Number(value) * (MILLISECONDS[unit] ?? 1);
}

/** What wrk sends: paths in turn, or POST bodies with their tokens, each once. */
export interface Load {
  paths: readonly string[];
  headers?: Record<string, string>;
  posts?: readonly { token: string; body: string }[];
}

const quote = (text: string) => `[==[${text}]==]`;

function writeScript(folder: string, { paths, headers = {}, posts }: Load): string {
  const file = join(folder, 'load.lua');
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[ ${quote(name)} ] = ${quote(value)}`);
  if (posts) {
    lines.push(
      `local posts = {${posts.map(({ token, body }) => `{${quote(`Bearer ${token}`)},${quote(body)}}`).join(',\n')}}`,
      'local at = 0',
      'request = function() at = at % #posts + 1; local p = posts[at]',
      `return wrk.format("POST", ${quote(paths[0] ?? '/')}, {["Content-Type"]="application/json",["Authorization"]=p[1]}, p[2]) end`,
    );
  } else {
    lines.push(
      `local paths = {${paths.map(quote).join(',')}}`,
      'local at = 0',
      'request = function() at = at % #paths + 1; return wrk.format("GET", paths[at]) end',
    );
  }
  writeFileSync(file, lines.join('\n'));
  return file;
}

/**
 * One burst of load from the second core: 32 connections that stay open.
 * @throws when wrk (Debian's package of that name) is not there
 */
export function burst(origin: string, load: Load, folder: string, seconds: number): Burst {
  const script = writeScript(folder, load);
  const args = ['-c', '1', 'wrk', '-t1', '-c32', `-d${seconds}s`, '--latency', '-s', script, origin];
  const { stdout: output, stderr, error } = spawnSync('taskset', args, { encoding: 'utf8' });
  if (error || stderr) throw error ?? new Error(stderr);
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1] ?? 0),
    p50: toMilliseconds(/50%\s+(\S+)/.exec(output)?.[1]),
    p99: toMilliseconds(/99%\s+(\S+)/.exec(output)?.[1]),
    failures: Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0),
  };
}

export function median<T>(values: readonly T[], by: (value: T) => number): T {
  const sorted = [...values].sort((one, other) => by(one) - by(other));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There is no median of nothing.');
  return middle;
}
