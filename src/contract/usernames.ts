import { USERNAME_MAX, USERNAME_MIN, USERNAME_MIN_OF_SYLLABLES } from './accounts.ts';

/** The scripts in use today (in UAX 31: recommended scripts and those of limited use), except those in `EAST_ASIAN`. */
const SCRIPTS =
  'Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Knda Khmr Laoo Latn Mlym Mong Mymr Orya Sinh Taml Telu Thaa Thai Tibt Adlm Bali Bamu Batk Cakm Cans Cham Cher Hmnp Java Kali Lana Lepc Limb Lisu Mand Mtei Newa Nkoo Olck Osge Plrd Rohg Saur Sund Sylo Syrc Tale Talu Tavt Tfng Vaii Wcho Yiii';

/** The writing systems that UTS 39 puts together from several scripts: Japanese, Korean, and Han with Bopomofo. */
const EAST_ASIAN = ['Hani Hira Kana', 'Hani Hang', 'Hani Bopo'];

const WRITING_SYSTEMS = [...SCRIPTS.split(' '), ...EAST_ASIAN].map((scripts) => scripts.split(' '));

/** The scripts in which a letter is a syllable or a word. */
const SYLLABIC_SCRIPTS = ['Hani', 'Hira', 'Kana', 'Hang'];

/** Letters with at most two marks each, digits and `_-.`. Invisible letters, such as Hangul fillers, are refused. */
const USERNAME_PATTERN = /^(?=[\p{L}0-9])(?!.*\p{DI})(?:\p{L}\p{M}{0,2}|[0-9_.-])+$/u;

const scriptPatterns = new Map<string, RegExp>();

/** Whether a letter or mark belongs to a script. A single expression for all scripts would be slow to compile. */
function belongsToScript(script: string, character: string): boolean {
  const pattern = scriptPatterns.get(script) ?? new RegExp(`\\p{scx=${script}}`, 'u');
  scriptPatterns.set(script, pattern);
  return pattern.test(character);
}

/**
 * Whether all letters have a writing system in common, by UTS 39's single-script rule. Letters of no script, such as
 * those of mathematics, belong to none; marks of no script, such as accents, belong to all.
 */
function isSingleScript(characters: readonly string[]): boolean {
  return WRITING_SYSTEMS.some((scripts) =>
    characters.every((one) => scripts.some((script) => belongsToScript(script, one))),
  );
}

/** Whether a username, in Unicode's composed form (NFC), has a form that the server accepts. */
export function isUsername(name: string): boolean {
  const { length } = [...name];
  if (length > USERNAME_MAX || !USERNAME_PATTERN.test(name)) return false;
  const characters = (name.match(/[\p{L}\p{M}]/gu) ?? []).filter((one) => !/\p{scx=Zinh}/u.test(one));
  const isSyllabic = characters.some((one) => SYLLABIC_SCRIPTS.some((script) => belongsToScript(script, one)));
  return length >= (isSyllabic ? USERNAME_MIN_OF_SYLLABLES : USERNAME_MIN) && isSingleScript(characters);
}
