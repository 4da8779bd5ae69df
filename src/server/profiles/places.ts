import { foldAccents } from '../../contract/folding.ts';
import { COUNTRY_ALIASES } from '../schools/search/search-words.ts';
import { type Preference, parsePreference, type WordsByStem } from './preferences.ts';

const parsePlace = (text: string) => parsePreference('location', text);

/** Whether the wanted stems include all words of a place. */
function isNamed(place: string, wanted: ReadonlySet<string>): boolean {
  const { stems } = parsePlace(place);
  return stems.size > 0 && stems.isSubsetOf(wanted);
}

const stemsWanted = ({ wanted }: Preference) => new Set(wanted.map(({ stem }) => stem));

/** The words of the countries that a preferred location calls by other names: "united" and "states" for "USA". */
export function countryWords(location: Preference): string[] {
  const wanted = stemsWanted(location);
  const meant = [...COUNTRY_ALIASES].filter(([, names]) => names.some((name) => isNamed(name, wanted)));
  return meant.flatMap(([country]) => parsePlace(country).wanted.map(({ word }) => word));
}

/** The rating if location and names have all words of the preference: more than any number of parts of a location. */
const ALL_WORDS_NAMED = 1_000;
/** The rating if only the names have them. */
const ONLY_IN_NAMES = 0.5;

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
  const wanted = stemsWanted(preference);
  const compare = (location: string) => {
    const parts = location.split(',').map((part) => [part, ...(COUNTRY_ALIASES.get(foldAccents(part.trim())) ?? [])]);
    const named = parts.filter((names) => names.some((name) => isNamed(name, wanted))).length;
    return { named, unnamed: [...wanted.difference(parsePlace(parts.flat().join('\n')).stems)] };
  };
  // Many schools have the same location.
  const compared = new Map<string, ReturnType<typeof compare>>();
  return (location, names) => {
    const { named, unnamed } = compared.get(location) ?? compare(location);
    compared.set(location, { named, unnamed });
    if (!unnamed.every((stem) => names.some((stems) => stems.has(stem)))) return named;
    return named > 0 ? ALL_WORDS_NAMED : ONLY_IN_NAMES;
  };
}
