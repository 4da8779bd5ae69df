import type { Candidate } from './recommender.ts';

const ANSWER_MAX = 1_500;

const ADDRESS = /\b(?:https?:|www\.|[a-z\d-]+\.(?:com|org|net|edu|io|gov)\b)/i;
const MARKUP = /[<>]|!\[|\]\(/;

/** Capitalised words that end or begin like the name of an institution, in whatever sentence they stand. */
const INSTITUTION =
  /(?:\p{Lu}[\p{L}'’&.-]*\s+)+(?:University|College|Institute|Academy|Polytechnic|School)\b|\b(?:University|College|Institute|Academy) of (?:the )?\p{Lu}/u;

const fold = (text: string) => text.normalize('NFC').toLowerCase();

/** Takes a name out of a text, in any case. */
function without(text: string, name: string): string {
  const folded = fold(text);
  const at = folded.indexOf(fold(name));
  return at < 0 ? text : without(`${text.slice(0, at)} … ${text.slice(at + name.length)}`, name);
}

/**
 * Checks what a model said: plain text of a reasonable length that names exactly one candidate and nothing else that
 * sounds like a school.
 * @returns the text, tidied; undefined when it cannot be shown
 */
export function checkModelAnswer(answer: string, candidates: readonly Candidate[]): string | undefined {
  const text = answer
    .normalize('NFC')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  if (text === '' || text.length > ANSWER_MAX || ADDRESS.test(text) || MARKUP.test(text)) return undefined;
  // Longest first: "City University" inside "New City University" is not another school.
  const names = [...new Set(candidates.map(({ schoolName }) => schoolName.normalize('NFC')))].sort(
    (one, other) => other.length - one.length,
  );
  let rest = text;
  const named = names.filter((name) => {
    const remaining = without(rest, name);
    if (remaining === rest) return false;
    rest = remaining;
    return true;
  });
  return named.length === 1 && !INSTITUTION.test(rest) ? text : undefined;
}
