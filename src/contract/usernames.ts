import { USERNAME_MAX, USERNAME_MIN, USERNAME_MIN_OF_SYLLABLES } from './accounts.ts';

/** The scripts that are written today (UAX 31, recommended and of limited use), but for those of `EAST_ASIAN`. */
const SCRIPTS =
  'Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Knda Khmr Laoo Latn Mlym Mong Mymr Orya Sinh Taml Telu Thaa Thai Tibt Adlm Bali Bamu Batk Cakm Cans Cham Cher Hmnp Java Kali Lana Lepc Limb Lisu Mand Mtei Newa Nkoo Olck Osge Plrd Rohg Saur Sund Sylo Syrc Tale Talu Tavt Tfng Vaii Wcho Yiii';

/** The writing systems that UTS 39 puts together from several scripts: Japanese, Korean, and Han with Bopomofo. */
const EAST_ASIAN = ['Hani Hira Kana', 'Hani Hang', 'Hani Bopo'];

/** A class of characters of these scripts. */
const charactersOf = (scripts: string) => scripts.replaceAll(/\w+ ?/g, (name) => `\\p{scx=${name.trim()}}`);

/**
 * A name in one writing system, by UTS 39's single-script rule: its letters have one in common. Letters of no script,
 * such as those of mathematics, belong to none; marks of no script, such as accents, belong to all.
 */
function patternOf(scripts: string): string {
  const own = charactersOf(scripts);
  return `(?:(?=\\p{L})[${own}](?:(?=\\p{M})[${own}\\p{scx=Zinh}]){0,2}|[0-9_.-])+`;
}

let patterns: { name: RegExp; syllable: RegExp } | undefined;

/** Made when first needed: it is long, and few pages check a username. */
function makePatterns() {
  const systems = [...SCRIPTS.split(' '), ...EAST_ASIAN].map(patternOf);
  return {
    // Letters that nobody sees, such as the fillers of Hangul, would make names that look empty.
    name: new RegExp(`^(?=[\\p{L}0-9])(?!.*\\p{DI})(?:${systems.join('|')})$`, 'u'),
    syllable: new RegExp(`[${charactersOf('Hani Hira Kana Hang')}]`, 'u'),
  };
}

/** Whether a username, in Unicode's composed form (NFC), has a form that the server accepts. */
export function isUsername(name: string): boolean {
  patterns ??= makePatterns();
  const { length } = [...name];
  const min = patterns.syllable.test(name) ? USERNAME_MIN_OF_SYLLABLES : USERNAME_MIN;
  return length >= min && length <= USERNAME_MAX && patterns.name.test(name);
}
