import { parseArgs } from 'node:util';
import { readDump } from '../data/dump/queries.ts';
import { inSnapshot } from '../database/site-copy.ts';
import { writeLines } from '../database/site-file.ts';
import { type CommandHelp, count, createCommand, print, requireOperand, runAsProcess } from './command.ts';
import { writeNewFile } from './new-file.ts';

const HELP: CommandHelp = {
  usage: 'npm run dump -- FILE [--with-usernames]',
  about: 'Writes what everybody can read as open data: gzip, one JSON document a line. docs/data.md describes it.',
  parts: { FILE: 'the file to write', '--with-usernames': 'with the names under signed reviews' },
};

export const run = createCommand(HELP, async (settings, args) => {
  const options = { 'with-usernames': { type: 'boolean' } } as const;
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const file = requireOperand(HELP, positionals);
  const withUsernames = values['with-usernames'] === true;
  const counts = { school: 0, entry: 0, review: 0 };
  const { written } = await writeNewFile(settings, file, (database, path, progress) =>
    inSnapshot(database, async (db) => {
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
      await writeLines(path, lines());
    }),
  );
  const what = [
    count(counts.school, 'school'),
    count(counts.entry, 'entry', 'entries'),
    count(counts.review, 'review'),
  ];
  print(`Dumped ${written}, ${what.join(', ')}.`);
  if (settings.dumpLicence === undefined) print('It states no licence: set DUMP_LICENCE if others may use it.');
});

if (import.meta.main) await runAsProcess(run);
