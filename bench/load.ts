import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { SignedIn } from '../tests/support/sign-in.ts';
import { pinned } from './machine.ts';
import type { RunningServer } from './servers.ts';

const CONNECTIONS = 32;
const SCRIPT = path.join(import.meta.dirname, 'load.lua');

const run = promisify(execFile);

/** Requests for paths in random order, with posted reviews between them. */
export interface Load {
  paths: readonly string[];
  headers?: Record<string, string>;
  /** Every how many requests one posts a review; 0: never. */
  postEvery?: number;
}

export interface Burst {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
  /** Processor time of the server for one request, in microseconds. */
  readonly processorTime: number;
}

/** An entry to post to: the path of the call, the key of the item reference, the id. */
export type PostTarget = readonly [path: string, itemKey: string, id: number];

export interface LoadMaker {
  /** @throws when an answer is a failure or a connection breaks */
  burst(server: RunningServer, load: Load, seconds: number): Promise<Burst>;
}

/**
 * Makes load with wrk: connections that stay open, each with one request in flight. Each review is posted once. A server
 * of several processes gets a thread for each.
 */
export function createLoadMaker(writers: readonly SignedIn[], targets: readonly PostTarget[], clients = 0): LoadMaker {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-load-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const writeRows = (name: string, rows: readonly (readonly (string | number)[])[]) =>
    writeFileSync(path.join(folder, name), rows.map((row) => `${row.join('\t')}\n`).join(''));
  writeRows(
    'writers',
    writers.map(({ token, userId, username }) => [token, userId, username]),
  );
  writeRows('entries', targets);
  let posted = 0;

  return {
    async burst(server, { paths, headers = {}, postEvery = 0 }, seconds) {
      writeRows(
        'paths',
        paths.map((one) => [one]),
      );
      const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
      const { origin, origins } = server;
      const wrk = [
        `-t${origins.length}`,
        `-c${CONNECTIONS}`,
        `-d${seconds}s`,
        ...headerArgs,
        '-s',
        SCRIPT,
        origin,
        '--',
      ];
      const script = [path.join(folder, 'paths'), String(postEvery), folder, String(posted)];
      const [command, args] = pinned('client', 'wrk', [...wrk, ...script]);
      const began = server.processorTime();
      const { stdout } = await run(command, args, {
        env: { ...process.env, ORIGINS: origins.join(' '), CLIENTS: String(clients) },
      });
      const spent = server.processorTime() - began;
      const result = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '{}');
      // Requests in flight at the end may have been stored without being counted, and wrk sends one before it starts.
      if (postEvery > 0) posted += Math.ceil(result.requests / postEvery) + 2 * CONNECTIONS;
      if (posted > writers.length * targets.length) throw new Error('There are no more reviews to post.');
      if (result.refused !== 0 || result.broken !== 0 || result.requests === 0) {
        throw new Error(`Of the requests to ${paths[0] ?? targets[0]?.[0]} some failed: ${stdout}`);
      }
      return {
        requestsPerSecond: result.requests / (result.microseconds / 1e6),
        p50: result.p50 / 1000,
        p99: result.p99 / 1000,
        requests: result.requests,
        processorTime: (spent / result.requests) * 1e6,
      };
    },
  };
}
