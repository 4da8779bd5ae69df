// npm run confusables -- confusables.txt: makes the table of look-alike letters. Unicode publishes that file with
// UTS 39: https://www.unicode.org/Public/security/
import { readFileSync, writeFileSync } from 'node:fs';
import { USERNAME_MIN } from '../src/contract/accounts.ts';
import { isUsername } from '../src/contract/usernames.ts';
import { foldLetters, LOOK_ALIKES_FILE } from '../src/server/database/skeletons.ts';

/** What the licence of the data asks for. */
const NOTICE = '# From confusables.txt of UTS 39, © Unicode, Inc., https://www.unicode.org/license.txt, Unicode';

const [file] = process.argv.slice(2);
if (!file || file.startsWith('--')) {
  process.stderr.write('Usage: npm run confusables -- confusables.txt\n');
  process.exit(file === '--help' ? 0 : 1);
}

/** What each character looks like, as UTS 39 says it. */
const prototypes = new Map<string, string>();
const published = readFileSync(file, 'utf8');
const version = /^# Version: (\S+)$/m.exec(published)?.[1];
for (const [, source = '', target = ''] of published.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;/gm)) {
  const text = (codes: string) => String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));
  prototypes.set(text(source), text(target));
}

const isPlain = (text: string) => /^[a-z0-9]+$/.test(text);

/** What UTS 39 says that a letter looks like. Latin letters lose their accents. */
const prototypeOf = (letter: string) =>
  (prototypes.get(letter) ?? letter)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?<=[a-z])[\u0300-\u036f]+/g, '');

/**
 * What a small letter looks like. Where its small form looks like no Latin letter, its capital may: Т looks like T, and
 * the names тот and TOT are one in capitals.
 */
function lookOf(letter: string): string {
  const small = prototypeOf(letter);
  const capital = prototypeOf(letter.toUpperCase());
  const look = !isPlain(small) && isPlain(capital) ? capital : small;
  // What a letter looks like may look like something else: Cyrillic М looks like m, which looks like rn.
  return isPlain(look) ? Array.from(look, prototypeOf).join('') : look;
}

const letters = new Set([...prototypes.keys()].flatMap((letter) => [letter, letter.toLowerCase()]));
const alikes = new Map<string, string>();
for (const letter of [...letters].sort()) {
  const canBeInName = /^\p{M}$/u.test(letter) || isUsername(letter.repeat(USERNAME_MIN));
  if (!canBeInName || foldLetters(letter) !== letter) continue;
  const look = lookOf(letter);
  if (look !== letter) alikes.set(look, (alikes.get(look) ?? '') + letter);
}
const lines = [...alikes].sort().map(([look, alike]) => `${look} ${alike}\n`);
writeFileSync(LOOK_ALIKES_FILE, [`${NOTICE} ${version}\n`, ...lines].join(''));
console.log(`${lines.length} looks of ${[...alikes.values()].join('').length} characters, Unicode ${version}`);
