import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Finding, Promised } from './promise.ts';
import { ROOT } from './server.ts';

const PAGE = path.join(ROOT, 'docs/reliability.md');
const BEGIN = '<!-- Written by npm run torture: -->';
const END = '<!-- until here. -->';

const HEAD = ['promise', 'promised', 'measured', 'control', 'when, where', 'command'];

const toLine = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`;

function describeMachine(): string {
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  return `${os.cpus().length} cores, ${memory} GB, ${os.type()} ${os.release()}, Node ${process.version}`;
}

function rowOf({ id, promise }: Promised, finding: Finding, command: string): string {
  const { on, promised, measured, isKept, control, isControlSeen } = finding;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  return toLine([
    `${id}${on ? ` ${on}` : ''}: ${promise}`,
    promised,
    `${isKept ? 'kept' : '**broken**'}: ${measured}`,
    `${isControlSeen ? 'seen' : '**not seen**'}: ${control}`,
    `${new Date().toISOString().slice(0, 10)}, ${commit}, ${describeMachine()}`,
    `\`${command}\``,
  ]);
}

const nameOf = (row: string) => /^\| ([RS]\d+[^:]*):/.exec(row)?.[1] ?? '';

/** R2 before R10, and SQLite after what names no engine. */
const byName = new Intl.Collator('en', { numeric: true });

/** Writes rows of a trial into the page, in the place of the same promise's earlier ones. @returns the rows */
export function keepFindings(promised: Promised, findings: readonly Finding[], command: string): string[] {
  const rows = findings.map((finding) => rowOf(promised, finding, command));
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const [table, after] = rest?.split(END) ?? [];
  if (before === undefined || table === undefined || after === undefined) {
    throw new Error(`${PAGE} has no section between "${BEGIN}" and "${END}".`);
  }
  const fresh = new Set(rows.map(nameOf));
  const kept = table.split('\n').filter((line) => nameOf(line) !== '' && !fresh.has(nameOf(line)));
  const all = [...kept, ...rows].sort((one, other) => byName.compare(nameOf(one), nameOf(other)));
  const lines = [toLine(HEAD), toLine(HEAD.map(() => '---')), ...all];
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${after}`);
  return rows;
}
