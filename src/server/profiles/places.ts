import { foldAccents } from '../../contract/folding.ts';
import { COUNTRY_ALIASES } from '../schools/search/search-words.ts';
import { type Preference, parsePreference, type WordsByStem } from './preferences.ts';

/**
 * Names that contain the name of another place but mean a different one, each with the country that is meant, if one
 * is.
 */
const COMPOUND_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'american samoa': '',
    'baja california': 'mexico',
    'central america': '',
    'east azerbaijan': 'iran',
    'el salvador': '',
    'equatorial guinea': '',
    'guinea bissau': '',
    'inner mongolia': 'china',
    'latin america': '',
    'new england': 'united states',
    'new guinea': '',
    'new jersey': 'united states',
    'new mexico': 'united states',
    'new south wales': 'australia',
    'north america': 'united states',
    'north macedonia': '',
    'northern ireland': 'united kingdom',
    'papua new guinea': '',
    'south america': '',
    'south georgia': '',
    'south sudan': '',
    'west azerbaijan': 'iran',
    'west virginia': 'united states',
  }),
);

const LONGEST_FIRST = [...COMPOUND_NAMES.keys()].sort((one, other) => other.length - one.length);
const ANY_COMPOUND = LONGEST_FIRST.join('|').replaceAll(' ', '[\\s-]+');
const COMPOUND_NAME = new RegExp(`(?<![\\p{L}\\p{N}])(?:${ANY_COMPOUND})(?![\\p{L}\\p{N}])`, 'gu');

/** The compound names in a text, and the stems of its other words. */
interface Place {
  readonly stems: ReadonlySet<string>;
  readonly compoundNames: ReadonlySet<string>;
}

type StemsIn = (text: string) => ReadonlySet<string>;

const allStems: StemsIn = (text) => parsePreference('location', text).stems;
/** The stems without those that a preference rules out. */
const stemsWanted: StemsIn = (text) => new Set(parsePreference('location', text).wanted.map(({ stem }) => stem));

function readPlace(text: string, stemsIn: StemsIn = allStems): Place {
  const folded = foldAccents(text);
  const stems = stemsIn(text);
  const names = folded.match(COMPOUND_NAME)?.map((name) => name.replaceAll(/[\s-]+/g, ' '));
  if (!names) return { stems, compoundNames: new Set() };
  return {
    stems: stemsIn(folded.replaceAll(COMPOUND_NAME, ' ')),
    compoundNames: new Set(names.filter((name) => allStems(name).isSubsetOf(stems))),
  };
}

const readPreferred = ({ text }: Preference): Place => readPlace(text, stemsWanted);

/** Whether a preferred place includes all words of another one. */
const isNamed = ({ stems, compoundNames }: Place, preferred: Place) =>
  stems.size + compoundNames.size > 0 &&
  stems.isSubsetOf(preferred.stems) &&
  compoundNames.isSubsetOf(preferred.compoundNames);

/** The countries in which a place's compound names lie. */
const countriesOf = ({ compoundNames }: Place) => [...compoundNames].map((name) => COMPOUND_NAMES.get(name));

/** The words of the countries that a preferred location calls by other names: "united" and "states" for "USA". */
export function countryWords(location: Preference): string[] {
  const preferred = readPreferred(location);
  const called = [...COUNTRY_ALIASES].filter(([, names]) => names.some((name) => isNamed(readPlace(name), preferred)));
  const countries = [...called.map(([country]) => country), ...countriesOf(preferred)];
  return countries.flatMap((country = '') => parsePreference('location', country).wanted.map(({ word }) => word));
}

/** The rating if location and names have all words of the preference: more than any number of parts of a location. */
const ALL_WORDS_RATING = 1_000;
/** The rating if only the names have them. */
const ONLY_NAMES_RATING = 0.5;

/**
 * Makes the function that rates how well a school's place is the preferred one; 0 if nothing shows that it is. Best are
 * schools of which part of the location is preferred, and whose location and names together have all words of the
 * preference: locations often lack the town, which "University of Cambridge" has. For the others, the parts of the
 * location that are preferred are counted.
 */
export function createRatePlace(
  preferences: readonly Preference[],
): (location: string, names: WordsByStem[]) => number {
  const preference = preferences.find(({ field }) => field === 'location');
  if (!preference || preference.wanted.length === 0) return () => 0;
  const preferred = readPreferred(preference);
  const countries = countriesOf(preferred);
  const compare = (location: string) => {
    const parts = location.split(',').map((part) => {
      const name = foldAccents(part.trim());
      const places = [name, ...(COUNTRY_ALIASES.get(name) ?? [])].map((one) => readPlace(one));
      return { places, isNamed: countries.includes(name) || places.some((place) => isNamed(place, preferred)) };
    });
    const places = parts.flatMap((part) => part.places);
    const unnamed = [...preferred.stems].filter((stem) => !places.some(({ stems }) => stems.has(stem)));
    const unnamedCompounds = [...preferred.compoundNames].filter(
      (name) => !places.some(({ compoundNames }) => compoundNames.has(name)),
    );
    return {
      named: parts.filter((part) => part.isNamed).length,
      unnamed: [...unnamed, ...unnamedCompounds.flatMap((name) => [...allStems(name)])],
    };
  };
  // Many schools have the same location.
  const compared = new Map<string, ReturnType<typeof compare>>();
  return (location, names) => {
    const { named, unnamed } = compared.get(location) ?? compare(location);
    compared.set(location, { named, unnamed });
    if (!unnamed.every((stem) => names.some((stems) => stems.has(stem)))) return named;
    return named > 0 ? ALL_WORDS_RATING : ONLY_NAMES_RATING;
  };
}
