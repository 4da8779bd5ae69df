import { PROFILE_LABELS, type ProfileField } from '../../contract/profiles.ts';
import type { Evidence } from './evidence.ts';
import { type Preference, stemsOf } from './preferences.ts';
import type { Candidate } from './ranking.ts';
import { stemOf } from './words.ts';

/** The words for a preference in the text. */
const PREFERENCE_TEXTS: Record<ProfileField, string> = {
  location: 'where you want to live',
  major: 'what you want to study',
  academicLevel: 'your academic level',
  campusSetting: 'the campus you have in mind',
  finance: 'your budget',
  goals: 'your goals',
  living: 'how you want to live',
  personal: 'your personal notes',
};

type EvidenceItem = Evidence[number];

/** Schools that do not lie in the wanted place, or whose reviews mention something unwanted. */
export type LeftOut = 'elsewhere' | 'unwanted';

/** The facts that the text is made from. */
interface Facts {
  readonly preferences: readonly Preference[];
  readonly choice: Candidate;
  readonly evidence: Evidence;
  /** The better rated schools that were left out, if the choice is the best rated one; undefined if it may not be. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** Whether a text mentions another school. */
  readonly mentionsOther: (text: string) => boolean;
}

const NAMED_WHERE: Record<EvidenceItem['named'][number]['in'], string> = {
  name: 'its name',
  location: 'its location',
  description: 'its description',
  entry: 'what it offers',
};

const LEFT_OUT_SENTENCES: Record<LeftOut, string> = {
  elsewhere: 'Schools elsewhere are left out.',
  unwanted: 'Schools whose reviews speak of what you do not want are left out.',
};

const joinList = (items: readonly string[]) => new Intl.ListFormat('en').format(items);
const joinQuoted = (words: readonly string[]) => joinList(words.map((word) => `“${word}”`));
const hasEvidence = ({ named, quotes }: EvidenceItem) => named.length > 0 || quotes.length > 0;

/** The evidence that names no other school. */
function withoutOtherSchools({ named, quotes, ...item }: EvidenceItem, { choice, mentionsOther }: Facts): EvidenceItem {
  const names = stemsOf([choice.schoolName, ...choice.aliases.filter((alias) => !mentionsOther(alias))].join('\n'));
  const isInShownText = (one: EvidenceItem['named'][number]) => one.in !== 'name' || names.has(stemOf(one.word));
  return {
    ...item,
    named: named.filter((one) => !mentionsOther(one.word) && isInShownText(one)),
    quotes: quotes.filter(({ quote, entryName }) => !mentionsOther(quote) && !mentionsOther(entryName)),
  };
}

/** The aliases without which a reader could not check that a word stands in the school's name. */
function aliasesToShow(items: readonly EvidenceItem[], { choice, mentionsOther }: Facts): string[] {
  const inName = stemsOf(choice.schoolName);
  const words = items.flatMap(({ named }) => named.flatMap((one) => (one.in === 'name' ? one.word : [])));
  const aliases = choice.aliases.filter((alias) => !mentionsOther(alias));
  const found = words
    .map(stemOf)
    .filter((stem) => !inName.has(stem))
    .map((stem) => aliases.find((alias) => stemsOf(alias).has(stem)));
  return [...new Set(found.flatMap((alias) => alias ?? []))];
}

/** The location in brackets, without the parts that are names of other schools. */
function describeLocation({ choice, mentionsOther }: Facts): string {
  const parts = choice.location.split(',').filter((part) => !mentionsOther(part));
  const location = parts.join(',').trim();
  return location === '' || mentionsOther(location) ? '' : ` (${location})`;
}

/** Each word is listed where it is most specific: among what a school offers rather than in its description. */
const MOST_SPECIFIC_FIRST = ['location', 'name', 'entry', 'description'] as const;

/** Says where words of a preference stand, such as: "“Marine” and “Biology” stand in what it offers". */
function describePlaces({ named }: EvidenceItem): string {
  const listed = new Set<string>();
  const clauses = MOST_SPECIFIC_FIRST.flatMap((where) => {
    const byKey = new Map(named.filter((one) => one.in === where).map(({ word }) => [word.toLowerCase(), word]));
    const words = [...byKey].flatMap(([key, word]) => (listed.has(key) ? [] : word));
    for (const key of byKey.keys()) listed.add(key);
    return words.length === 0
      ? []
      : `${joinQuoted(words)} ${words.length === 1 ? 'stands' : 'stand'} in ${NAMED_WHERE[where]}`;
  });
  return joinList(clauses);
}

/** The words of a quotation that share a stem with the preference: they are why it is quoted. */
function sharedWords(quote: string, preferences: readonly Preference[], field: ProfileField): string[] {
  const words = stemsOf(quote);
  const wanted = preferences.flatMap((preference) => (preference.field === field ? preference.wanted : []));
  return wanted.flatMap(({ stem }) => words.get(stem) ?? []);
}

/** The choice, and which other schools were left out. */
function describeChoice(items: readonly EvidenceItem[], facts: Facts): string[] {
  const { evidence, leftOut } = facts;
  const { schoolName } = facts.choice;
  if (evidence.some(hasEvidence)) {
    const aliases = aliasesToShow(items, facts);
    return [
      `${schoolName}${describeLocation(facts)} is your best match.`,
      ...(aliases.length > 0 ? [`It is also known as ${joinList(aliases)}.`] : []),
    ];
  }
  const nothing = 'Nothing here speaks to your wishes.';
  return leftOut
    ? [`${nothing} ${schoolName} is the best rated.`, ...leftOut.map((reason) => LEFT_OUT_SENTENCES[reason])]
    : [`${nothing} Take ${schoolName} as a place to start.`];
}

/** The sentence that quotes a review for a preference; none if the school's own texts already have words of it. */
function describeQuote({ field, named, quotes: [first] }: EvidenceItem, preferences: readonly Preference[]): string[] {
  if (named.length > 0 || !first) return [];
  const { entryName, quote } = first;
  const shared = joinQuoted(sharedWords(quote, preferences, field));
  const end = /[.!?…]$/.test(quote) ? '' : '.';
  return [`On ${PREFERENCE_TEXTS[field]} (${shared}), a review of ${entryName} says: “${quote}”${end}`];
}

function describeRating({ average, reviewCount, best }: Candidate): string {
  if (reviewCount === 0) return 'Nobody has reviewed it here yet.';
  const reviews = reviewCount === 1 ? '1 review' : `${reviewCount.toLocaleString('en')} reviews`;
  const strength = best ? `, and best of all in ${best.category.label} (${best.average.toFixed(1)})` : '';
  return `It is rated ${average.toFixed(1)} of 5 stars in ${reviews}${strength}.`;
}

/** The built-in recommender's answer in paragraphs. Each claim comes with its evidence. */
export function explain(facts: Facts): string[] {
  const items = facts.evidence.map((item) => withoutOtherSchools(item, facts));
  const named = items.filter((item) => item.named.length > 0);
  const answer = [
    ...describeChoice(items, facts),
    ...named.map((item) => `It fits ${PREFERENCE_TEXTS[item.field]}: ${describePlaces(item)}.`),
    ...items.flatMap((item) => describeQuote(item, facts.preferences)),
    describeRating(facts.choice),
  ].join(' ');
  const unmatched = facts.evidence.filter((item) => !hasEvidence(item));
  // Without any evidence, the answer says so already.
  if (unmatched.length === 0 || unmatched.length === facts.evidence.length) return [answer];
  return [answer, `No reviews speak to: ${unmatched.map(({ field }) => PROFILE_LABELS[field]).join(', ')}.`];
}

/**
 * Whether a text uses a word of a preference, wanted or not, that the evidence for this preference does not contain.
 */
export function hasUnprovenClaims(text: string, preferences: readonly Preference[], evidence: Evidence): boolean {
  const used = stemsOf(text);
  return preferences.some(({ field, stems }) => {
    const ofField = evidence.filter((item) => item.field === field);
    const proofs = ofField.flatMap(({ named, quotes }) => [
      ...named.map(({ word }) => word),
      ...quotes.map(({ quote }) => quote),
    ]);
    const proven = stemsOf(proofs.join('\n'));
    return [...stems].some((stem) => used.has(stem) && !proven.has(stem));
  });
}
