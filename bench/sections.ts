import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeMachine } from './machine.ts';

/** A part of the report that one command writes. */
export interface Section {
  readonly heading: string;
  /** With its heading. */
  readonly text: string;
}

/** A number as the report says it. */
export const whole = (value: number) => Math.round(value).toLocaleString('en');

/** Whether a goal is met, as the report says it. */
export const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**');

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A table whose columns hold figures, but for those with text, whose heads are `texts`. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  texts: readonly string[] = head.slice(0, 1),
): string[] {
  return [line(head), line(head.map((name) => (texts.includes(name) ? '---' : '---:'))), ...rows.map(line)];
}

/** @param lines what stands below the line about machine, data and versions */
export function writeSection(heading: string, measuredOn: readonly string[], lines: readonly string[]): Section {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const when = `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.version}`;
  const circumstances = `${[when, ...measuredOn, describeMachine()].join('. ')}.`;
  return { heading, text: [`## ${heading}`, '', circumstances, '', ...lines, ''].join('\n') };
}

/** Puts sections into a report, in the place of those with the same headings. */
export function keepSections(name: string, introduction: readonly string[], sections: readonly Section[]): void {
  const file = path.join(import.meta.dirname, name);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const texts = before.split(/^(?=## )/m).slice(1);
  const byHeading = new Map(texts.map((text) => [/^## (.*)/.exec(text)?.[1] ?? '', text]));
  for (const { heading, text } of sections) byHeading.set(heading, text);
  const sorted = [...byHeading].sort(([one], [other]) => one.localeCompare(other)).map(([, text]) => text.trimEnd());
  writeFileSync(file, [introduction.join('\n'), ...sorted].join('\n\n').concat('\n'));
}
