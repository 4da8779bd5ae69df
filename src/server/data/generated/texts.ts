import type { Random } from './random.ts';
import * as words from './words.ts';

/** Sentences are added until a review is this long; with the last one it has about 300 characters. */
const REVIEW_LENGTH = 265;

/** The name of a town. When all names have been used, they are repeated with a number. */
function townOf(index: number): string {
  const { TOWN_STARTS, TOWN_ENDS } = words;
  // 31 and the number of names have no common factor, so that neighbours in the list differ in both halves.
  const name = (index * 31) % (TOWN_STARTS.length * TOWN_ENDS.length);
  const round = Math.floor(index / (TOWN_STARTS.length * TOWN_ENDS.length));
  const town = `${TOWN_STARTS[name % TOWN_STARTS.length]}${TOWN_ENDS[Math.floor(name / TOWN_STARTS.length)]}`;
  return round === 0 ? town : `${town} ${round + 1}`;
}

export function inventSchool(index: number, random: Random) {
  const town = townOf(index);
  const [first, second] = [random.pick(words.SCHOOL_SENTENCES), random.pick(words.SCHOOL_SENTENCES)];
  const description = first === second ? first : `${first} ${second}`;
  return {
    schoolName: random.pick(words.SCHOOL_FORMS).replace('{town}', town),
    description: description.replaceAll('{town}', town),
    location: `${town}, ${random.pick(words.COUNTRIES)}`,
  };
}

/** @param label the category's word for one entry */
export function inventEntry(index: number, label: string, random: Random): { name: string; description: string } {
  const word = words.ENTRY_WORDS[index % words.ENTRY_WORDS.length];
  const round = Math.floor(index / words.ENTRY_WORDS.length);
  return {
    name: `${word} ${label}${round === 0 ? '' : ` ${round + 1}`}`,
    description: random.pick(words.ENTRY_SENTENCES),
  };
}

/** Derived from the index, so that a million names need no memory. */
export function inventUsername(index: number): string {
  const { FIRST_WORDS, SECOND_WORDS } = words;
  const second = Math.floor(index / FIRST_WORDS.length);
  return `${FIRST_WORDS[index % FIRST_WORDS.length]}-${SECOND_WORDS[second % SECOND_WORDS.length]}-${index + 1}`;
}

/** @param rating in half-stars, 1 to 10 */
export function inventReview(rating: number, random: Random): string {
  const mood = rating <= 4 ? 0 : rating <= 7 ? 1 : 2;
  let text = '';
  // A text may change to average sentences (below): people also praise what they dislike, and the reverse.
  let sentences = words.REVIEW_SENTENCES[mood] as readonly string[];
  let at = random.below(sentences.length);
  for (;;) {
    const sentence = sentences[at % sentences.length] as string;
    text += sentence.includes('{') ? sentence.replace('{time}', random.pick(words.TIMES)) : sentence;
    if (text.length > REVIEW_LENGTH) return text;
    text += ' ';
    at += 1 + random.below(2);
    if (random.below(5) === 0) sentences = words.REVIEW_SENTENCES[1] as readonly string[];
  }
}
