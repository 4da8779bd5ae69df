// npm run bench [-- OPTIONS]: the product against a bare node:http with the same bytes, in one run, or what a visitor's
// browser makes of it. See options.ts.
import { readCommandLine, runTool, say } from '../bin/command-line.ts';
import { measureScores } from './lighthouse.ts';
import { requireWrk } from './machine.ts';
import { measureModeration } from './moderation.ts';
import { isKeptRun, OPTION_TEXTS, type Options, readOptions } from './options.ts';
import { writeReport } from './report.ts';
import { runLoad } from './run.ts';
import { measureSearch } from './search.ts';
import { keepSections, type Section } from './sections.ts';
import { VISITED_PATHS } from './visited-pages.ts';
import { measureVisits } from './visits.ts';
import { workloadNames } from './workloads.ts';

const SPEED = [
  '# Measured speed',
  '',
  'Written by `npm run bench`, a section for each engine and comparison. The limit is a bare `node:http` server that sends',
  'the same bytes from memory, or the product that another is compared with, measured before and after each burst: only',
  'shares of it can be compared between runs and machines.',
];
const BROWSER = [
  '# Measured in the browser',
  '',
  'Written by `npm run bench -- --browser` and `npm run bench -- --lighthouse`, a section each.',
];

async function measureLoad(options: Options): Promise<Section> {
  const { results, figures } = await runLoad(options, say);
  return writeReport(options, results, figures);
}

async function measureSpeed(options: Options, measureOne: typeof measureSearch): Promise<string> {
  requireWrk();
  const section = await measureOne(options, say);
  if (isKeptRun(options)) keepSections('results.md', SPEED, [section]);
  return section.text;
}

async function measureBrowser(options: Options): Promise<string> {
  const sections = [
    ...(options.browser ? [await measureVisits(options, say)] : []),
    ...(options.lighthouse ? [await measureScores(options, say)] : []),
  ];
  // Figures of some pages only are not kept.
  if (options.only.length === 0) keepSections('browser.md', BROWSER, sections);
  return sections.map(({ text }) => text).join('\n');
}

function measure(options: Options): Promise<string> {
  if (options.moderation) return measureSpeed(options, measureModeration);
  if (options.search) return measureSpeed(options, measureSearch);
  return options.browser || options.lighthouse ? measureBrowser(options) : measureSpeed(options, measureLoad);
}

const options = readCommandLine('npm run bench', OPTION_TEXTS, (args) =>
  readOptions(args, { workloads: workloadNames(), pages: VISITED_PATHS }),
);
await runTool(async () => void process.stdout.write(`${await measure(options)}\n`));
