import { appendFileSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendCommand, takeCommands } from '../../src/server/numbers/run-files.ts';

test('loses only the command whose line was cut off on a full disk', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'commands-'));
  const dataDir = folder.path;
  const run = { command: 'backup', code: 0, seconds: 1, endedAt: '2026-01-01T00:00:00.000Z' };
  appendCommand(dataDir, { ...run, code: 1 });
  appendFileSync(join(dataDir, 'commands.log'), '\n{"command":"ba');
  appendCommand(dataDir, run);
  expect(takeCommands(dataDir)).toEqual([{ ...run, code: 1 }, run]);
  expect(takeCommands(dataDir)).toEqual([]);
});
