import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDump } from '../data/dump/queries.ts';
import { putInPlace } from '../database/database-file.ts';
import { inSnapshot } from '../database/site-copy.ts';
import { writeLines } from '../database/site-file.ts';
import { readStartFolder } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  count,
  openForReading,
  print,
  runCommand,
  secondsSince,
  sizeOf,
  wrongUsage,
} from './command.ts';
import { createProgress } from './progress.ts';

const HELP: CommandHelp = {
  usage: 'npm run dump -- FILE [--with-usernames]',
  about: 'Writes what everybody can read as open data: gzip, one JSON document a line. docs/data.md describes it.',
  parts: { FILE: 'the file to write', '--with-usernames': 'with the names under signed reviews' },
};

await runCommand(HELP, async (settings, args) => {
  const options = { 'with-usernames': { type: 'boolean' } } as const;
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw wrongUsage(HELP);
  const target = resolve(readStartFolder(), file);
  if (existsSync(target)) throw new CommandError(`${target} is there already. Name another file.`);
  if ('sqlite' in settings.database && !existsSync(settings.database.sqlite)) {
    throw new CommandError(`There is no database at ${settings.database.sqlite} yet.`);
  }
  const withUsernames = values['with-usernames'] === true;
  const start = performance.now();
  const progress = createProgress();
  const partial = `${target}.partial`;
  const database = await openForReading(settings);
  const counts = { school: 0, entry: 0, review: 0 };
  try {
    await rm(partial, { force: true });
    await inSnapshot(database, async (db) => {
      async function* lines() {
        const contents = 'schools, entries and visible reviews, in this order';
        const head = { format: 'school-reviews dump', version: 1, site: settings.siteName, contents, withUsernames };
        const made = { licence: settings.dumpLicence ?? null, date: new Date().toISOString() };
        yield `${JSON.stringify({ ...head, ...made })}\n`;
        for await (const document of readDump(db, { withUsernames })) {
          counts[document.type as keyof typeof counts] += 1;
          progress.show(`Dumping: ${count(counts.review, 'review')}`);
          yield `${JSON.stringify(document)}\n`;
        }
      }
      await writeLines(partial, lines());
    });
    putInPlace(partial, target);
    progress.clear();
    const what = [
      count(counts.school, 'school'),
      count(counts.entry, 'entry', 'entries'),
      count(counts.review, 'review'),
    ];
    print(`Dumped in ${secondsSince(start)}: ${target}, ${sizeOf(target)}, ${what.join(', ')}.`);
    if (settings.dumpLicence === undefined) print('It states no licence: set DUMP_LICENCE if others may use it.');
  } finally {
    progress.clear();
    await rm(partial, { force: true });
    await database.close();
  }
});
