import { foldAccents } from '../../contract/folding.ts';
import { USUAL_NAMES } from '../schools/search/search-words.ts';
import { type NameStems, type Preference, parsePreference } from './preferences.ts';

const parsePlace = (text: string) => parsePreference('location', text);

/** Whether somebody who wants these stems names a place: with all of its words. */
function isNamed(place: string, wanted: ReadonlySet<string>): boolean {
  const { stems } = parsePlace(place);
  return stems.size > 0 && stems.isSubsetOf(wanted);
}

const stemsWanted = ({ wanted }: Preference) => new Set(wanted.map(({ stem }) => stem));

/** The words of the countries that a preferred location calls by other names: "united" and "states" for "USA". */
export function countryWords(location: Preference): string[] {
  const wanted = stemsWanted(location);
  const meant = [...USUAL_NAMES].filter(([, names]) => names.some((name) => isNamed(name, wanted)));
  return meant.flatMap(([country]) => parsePlace(country).wanted.map(({ word }) => word));
}

/** For a school whose place and names have all words of a preference: more than a location has parts. */
const ALL_SAID = 1_000;
/** For a school that has them in its names alone. */
const NAMES_ALONE = 0.5;

/**
 * Makes the function that says how well a school lies where the preferences ask for; 0 if nothing says that it does.
 * First come those whose place is named, and which have all words of the preference in their places and names: locations
 * often lack the town, which "University of Cambridge" has. Then follow those of which it names the most parts.
 */
export function createRatePlace(preferences: readonly Preference[]): (location: string, names: NameStems[]) => number {
  const preference = preferences.find(({ field }) => field === 'location');
  if (!preference || preference.wanted.length === 0) return () => 0;
  const wanted = stemsWanted(preference);
  const compare = (location: string) => {
    const parts = location.split(',').map((part) => [part, ...(USUAL_NAMES.get(foldAccents(part.trim())) ?? [])]);
    const named = parts.filter((names) => names.some((name) => isNamed(name, wanted))).length;
    return { named, unsaid: [...wanted.difference(parsePlace(parts.flat().join('\n')).stems)] };
  };
  // Many schools have the same location.
  const compared = new Map<string, ReturnType<typeof compare>>();
  return (location, names) => {
    const { named, unsaid } = compared.get(location) ?? compare(location);
    compared.set(location, { named, unsaid });
    if (!unsaid.every((stem) => names.some((stems) => stems.has(stem)))) return named;
    return named > 0 ? ALL_SAID : NAMES_ALONE;
  };
}
