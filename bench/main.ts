// npm run bench [-- OPTIONS]: the product against a bare node:http with the same bytes, in one run, or what a visitor's
// browser makes of it. See options.ts.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { keepInBrowserReport } from './browser-report.ts';
import { measureScores } from './lighthouse.ts';
import { requireWrk } from './machine.ts';
import { isStandardRun, type Options, readOptions } from './options.ts';
import { writeReport } from './report.ts';
import { runLoad } from './run.ts';
import { measureVisits } from './visits.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

// Through "exit", where everything that was started is ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

async function measureLoad(options: Options): Promise<string> {
  requireWrk();
  const { results, figures } = await runLoad(options, say);
  const report = writeReport(options, results, figures);
  writeFileSync(path.join(import.meta.dirname, isStandardRun(options) ? 'results.md' : 'results.local.md'), report);
  return report;
}

async function measureBrowser(options: Options): Promise<string> {
  const sections = [
    ...(options.browser ? [await measureVisits(options, say)] : []),
    ...(options.lighthouse ? [await measureScores(options, say)] : []),
  ];
  // Of some pages only, it is nothing to keep.
  if (options.only.length === 0) keepInBrowserReport(sections);
  return sections.map(({ text }) => text).join('\n');
}

try {
  const options = readOptions(process.argv.slice(2));
  const report = options.browser || options.lighthouse ? await measureBrowser(options) : await measureLoad(options);
  process.stdout.write(`${report}\n`);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
