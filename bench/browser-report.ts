import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeMachine } from './machine.ts';

const FILE = path.join(import.meta.dirname, 'browser.md');
const INTRODUCTION = [
  '# Measured in the browser',
  '',
  'Written by `npm run bench -- --browser` and `npm run bench -- --lighthouse`, a section each.',
  '',
].join('\n');

/** A part of the report that one command writes. */
export interface Section {
  readonly heading: string;
  /** With its heading. */
  readonly text: string;
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A table whose first column holds names, the others figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)];
}

/** @param lines what stands below the line about machine, data and versions */
export function writeSection(heading: string, measuredOn: readonly string[], lines: readonly string[]): Section {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const when = `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.version}`;
  const circumstances = `${[when, ...measuredOn, describeMachine()].join('. ')}.`;
  return { heading, text: [`## ${heading}`, '', circumstances, '', ...lines, ''].join('\n') };
}

/** Puts sections in the place of those with the same headings. */
export function keepInBrowserReport(sections: readonly Section[]): void {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : INTRODUCTION;
  const [introduction = '', ...texts] = before.split(/^(?=## )/m);
  const byHeading = new Map(texts.map((text) => [/^## (.*)/.exec(text)?.[1] ?? '', `${text.trimEnd()}\n`]));
  for (const { heading, text } of sections) byHeading.set(heading, text);
  const sorted = [...byHeading].sort(([one], [other]) => one.localeCompare(other)).map(([, text]) => text);
  writeFileSync(FILE, [introduction.trimEnd(), ...sorted.map((text) => text.trimEnd())].join('\n\n').concat('\n'));
}
