import type { StructuredData } from './structured-data.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

let codes: ReadonlyMap<string, string> | undefined;

/** The ISO 3166-1 code of a country by its English name. */
function countryCode(name: string): string | undefined {
  if (!codes) {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const pairs = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
    codes = new Map(pairs.map((code) => [names.of(code) ?? code, code]));
  }
  return codes.get(name);
}

/**
 * A school's location as structured data. It is split if its last part is a country ("Bergen, Norway"). Otherwise it
 * stays one text, which schema.org allows too: "Bolivia, Plurinational State of" is not a town called Bolivia.
 */
export function describeLocation(location: string): StructuredData | string {
  const parts = location.split(',').map((part) => part.trim());
  const addressCountry = countryCode(parts.at(-1) ?? '');
  const [addressLocality, ...regions] = parts.slice(0, -1);
  if (!addressCountry || !addressLocality) return location;
  return {
    '@type': 'PostalAddress',
    addressLocality,
    ...(regions.length > 0 && { addressRegion: regions.join(', ') }),
    addressCountry,
  };
}
