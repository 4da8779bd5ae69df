import { PROFILE_LABELS, type ProfileField } from '../../contract/profiles.ts';
import type { Evidence } from './evidence.ts';
import { type Preference, stemsOf } from './preferences.ts';
import type { Candidate } from './recommender.ts';
import { stemOf } from './words.ts';

/** The words for a preference in the text. */
const PREFERENCE_WORDS: Record<ProfileField, string> = {
  location: 'where you want to live',
  major: 'what you want to study',
  academicLevel: 'your academic level',
  campusSetting: 'the campus you have in mind',
  finance: 'your budget',
  goals: 'your goals',
  living: 'how you want to live',
  personal: 'your personal notes',
};

type Item = Evidence[number];

/** Schools that do not lie in the wanted place, or whose reviews mention something unwanted. */
export type LeftOut = 'elsewhere' | 'blamed';

/** What the text is made from. */
interface Facts {
  readonly preferences: readonly Preference[];
  readonly choice: Candidate;
  readonly evidence: Evidence;
  /** The better rated schools that were left out, if the choice is the best rated one; undefined if it may not be. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** Whether a text mentions another school. */
  readonly namesOther: (text: string) => boolean;
}

/** A sentence that the text may contain, written from the facts that it needs. */
type Sentence<Needed> = {
  readonly needs: (facts: Facts) => Needed[];
  readonly says: (needed: Needed, facts: Facts) => string;
};

/** Makes a sentence that is left out where the facts that it needs are missing. */
const sentence =
  <Needed>({ needs, says }: Sentence<Needed>) =>
  (facts: Facts): string[] =>
    needs(facts).map((needed) => says(needed, facts));

const when = (condition: boolean): [true] | [] => (condition ? [true] : []);
const joinList = (parts: readonly string[]) => new Intl.ListFormat('en').format(parts);
const hasEvidence = ({ named, quotes }: Item) => named.length > 0 || quotes.length > 0;
/** The evidence that names no other school. */
const withoutOtherSchools = ({ named, quotes, ...item }: Item, { choice, namesOther }: Facts): Item => {
  const names = stemsOf([choice.schoolName, ...choice.aliases.filter((alias) => !namesOther(alias))].join('\n'));
  const isSaid = (one: Item['named'][number]) => one.in !== 'name' || names.has(stemOf(one.word));
  return {
    ...item,
    named: named.filter((one) => !namesOther(one.word) && isSaid(one)),
    quotes: quotes.filter(({ quote, entryName }) => !namesOther(quote) && !namesOther(entryName)),
  };
};
/** The other names without which a reader could not check that a word stands in the school's name. */
function aliasesToSay(facts: Facts): string[] {
  const { schoolName, aliases } = facts.choice;
  const shown = stemsOf(schoolName);
  const named = facts.evidence.flatMap((item) => withoutOtherSchools(item, facts).named);
  const stems = named.filter((one) => one.in === 'name').map(({ word }) => stemOf(word));
  const sayable = aliases.filter((alias) => !facts.namesOther(alias));
  const found = stems
    .filter((stem) => !shown.has(stem))
    .map((stem) => sayable.find((alias) => stemsOf(alias).has(stem)));
  return [...new Set(found.flatMap((alias) => alias ?? []))];
}
/** The location in brackets, without the parts that are names of other schools. */
function sayLocation({ choice, namesOther }: Facts): string {
  const parts = choice.location.split(',').filter((part) => !namesOther(part));
  const said = parts.join(',').trim();
  return said === '' || namesOther(said) ? '' : ` (${said})`;
}
const hasAnyEvidence = ({ evidence }: Facts) => evidence.some(hasEvidence);
const joinQuoted = (words: readonly string[]) => joinList(words.map((word) => `“${word}”`));
const NAMED_WHERE: Record<Item['named'][number]['in'], string> = {
  name: 'its name',
  location: 'its location',
  description: 'its description',
  entry: 'what it offers',
};

const SAY_LEFT_OUT: Record<LeftOut, string> = {
  elsewhere: 'Schools elsewhere are left out.',
  blamed: 'Schools whose reviews speak of what you do not want are left out.',
};

/** Each word is listed where it is most specific: among what a school offers rather than in its description. */
const MOST_SPECIFIC_FIRST = ['location', 'name', 'entry', 'description'] as const;

/** Says where words of a preference stand, such as: "“Marine” and “Biology” stand in what it offers". */
function sayWhere({ named }: Item): string {
  const said = new Set<string>();
  const parts = MOST_SPECIFIC_FIRST.flatMap((where) => {
    const own = new Map(named.filter((one) => one.in === where).map(({ word }) => [word.toLowerCase(), word]));
    const words = [...own].flatMap(([key, word]) => (said.has(key) ? [] : word));
    for (const key of own.keys()) said.add(key);
    return words.length === 0
      ? []
      : `${joinQuoted(words)} ${words.length === 1 ? 'stands' : 'stand'} in ${NAMED_WHERE[where]}`;
  });
  return joinList(parts);
}

/** The words of a quotation that share a stem with the preference: they are why it is quoted. */
function wordsShared(quote: string, preferences: readonly Preference[], field: ProfileField): string[] {
  const said = stemsOf(quote);
  const wanted = preferences.flatMap((preference) => (preference.field === field ? preference.wanted : []));
  return wanted.flatMap(({ stem }) => said.get(stem) ?? []);
}

/** Everything that the built-in recommender can say, in the order in which it says it. */
const CLAIMS = [
  sentence({
    needs: (facts) => when(hasAnyEvidence(facts)),
    says: (_, facts) => `${facts.choice.schoolName}${sayLocation(facts)} is your best match.`,
  }),
  sentence({
    needs: (facts) => {
      const aliases = aliasesToSay(facts);
      return aliases.length > 0 ? [aliases] : [];
    },
    says: (aliases) => `It is also known as ${joinList(aliases)}.`,
  }),
  sentence({
    needs: (facts) => when(!hasAnyEvidence(facts) && facts.leftOut !== undefined),
    says: (_, { choice }) => `Nothing here speaks to your wishes. ${choice.schoolName} is the best rated.`,
  }),
  sentence({
    needs: (facts) => (hasAnyEvidence(facts) ? [] : [...(facts.leftOut ?? [])]),
    says: (leftOut) => SAY_LEFT_OUT[leftOut],
  }),
  sentence({
    needs: (facts) => when(!hasAnyEvidence(facts) && facts.leftOut === undefined),
    says: (_, { choice }) => `Nothing here speaks to your wishes. Take ${choice.schoolName} as a place to start.`,
  }),
  sentence({
    needs: (facts) =>
      facts.evidence.map((item) => withoutOtherSchools(item, facts)).filter(({ named }) => named.length > 0),
    says: (item) => `It fits ${PREFERENCE_WORDS[item.field]}: ${sayWhere(item)}.`,
  }),
  sentence({
    needs: (facts) =>
      facts.evidence.flatMap((item) => {
        const { field, named, quotes } = withoutOtherSchools(item, facts);
        const [quote] = quotes;
        return named.length === 0 && quote ? [{ field, ...quote }] : [];
      }),
    says: ({ field, entryName, quote }, { preferences }) => {
      const shared = joinQuoted(wordsShared(quote, preferences, field));
      const end = /[.!?…]$/.test(quote) ? '' : '.';
      return `On ${PREFERENCE_WORDS[field]} (${shared}), a review of ${entryName} says: “${quote}”${end}`;
    },
  }),
  sentence({
    needs: ({ choice }) => (choice.reviewCount > 0 ? [choice] : []),
    says: ({ average, reviewCount, best }) => {
      const reviews = reviewCount === 1 ? '1 review' : `${reviewCount.toLocaleString('en')} reviews`;
      const strength = best ? `, and best of all in ${best.category.label} (${best.average.toFixed(1)})` : '';
      return `It is rated ${average.toFixed(1)} of 5 stars in ${reviews}${strength}.`;
    },
  }),
  sentence({
    needs: ({ choice }) => when(choice.reviewCount === 0),
    says: () => 'Nobody has reviewed it here yet.',
  }),
];

/** The fields for which nothing was found, if something was found for others. */
const sayNothing = sentence({
  needs: (facts) => {
    const silent = facts.evidence.filter((item) => !hasEvidence(item));
    return silent.length > 0 && hasAnyEvidence(facts) ? [silent] : [];
  },
  says: (silent) => `No reviews speak to: ${silent.map(({ field }) => PROFILE_LABELS[field]).join(', ')}.`,
});

/** The built-in recommender's answer in paragraphs. Each claim comes with its evidence. */
export function explain(facts: Facts): string[] {
  return [CLAIMS.flatMap((claim) => claim(facts)).join(' '), ...sayNothing(facts)];
}

/**
 * Whether a text uses a word of a preference, wanted or not, that the evidence for this preference does not contain.
 */
export function claimsTooMuch(text: string, preferences: readonly Preference[], evidence: Evidence): boolean {
  const said = stemsOf(text);
  return preferences.some(({ field, stems }) => {
    const shown = evidence.filter((item) => item.field === field);
    const proofs = shown.flatMap(({ named, quotes }) => [
      ...named.map(({ word }) => word),
      ...quotes.map(({ quote }) => quote),
    ]);
    const proven = stemsOf(proofs.join('\n'));
    return [...stems].some((stem) => said.has(stem) && !proven.has(stem));
  });
}
