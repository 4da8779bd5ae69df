import { foldCase } from '../../contract/folding.ts';
import type { Candidate } from './recommender.ts';

const ANSWER_MAX = 1_500;

/** White space may make an answer longer than the limit before it is tidied; longer texts are not normalised at all. */
const RAW_MAX = 4 * ANSWER_MAX;

/** A scheme, a mailbox, or a name with a dot in it. One letter before the dot is a degree: B.Sc. */
const ADDRESS =
  /\bhttps?:|:\s*\/\/|@|\bwww\.|\b[a-z\d-]+\.(?:com|org|net|edu|io|gov)\b|(?<![\p{L}\d-])[\p{L}\d-]{2,}[.。]\p{L}{2,}/iu;
const MARKUP = /[<>]|!\[|\]\(/;

/** Capitalised words that begin or end like the name of an institution, anywhere in a sentence. */
const INSTITUTION =
  /(?:\p{Lu}[\p{L}'’&.-]*\s+)+(?:University|College|Institute|Academy|Polytechnic|School)\b|\b(?:University|College|Institute|Academy) of (?:the )?\p{Lu}/u;

/** Removes a name from a text, ignoring case. */
function without(text: string, name: string): string {
  const folded = foldCase(text);
  const at = folded.indexOf(foldCase(name));
  return at < 0 ? text : without(`${text.slice(0, at)} … ${text.slice(at + name.length)}`, name);
}

/**
 * Checks the answer of a model: plain text of a reasonable length that names exactly one candidate and nothing else
 * that sounds like a school.
 * @returns the text, tidied; undefined when it cannot be shown
 */
export function checkModelAnswer(answer: string, candidates: readonly Candidate[]): string | undefined {
  if (answer.length > RAW_MAX) return undefined;
  const text = answer
    .normalize('NFC')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  if (text === '' || text.length > ANSWER_MAX || MARKUP.test(text)) return undefined;
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
  const isPlain = !ADDRESS.test(rest.normalize('NFKC')) && !INSTITUTION.test(rest);
  return named.length === 1 && isPlain ? text : undefined;
}
