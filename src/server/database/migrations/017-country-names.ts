export const name = '017-country-names';

/** Names as the list of universities has them, with a comma, and the common names that imports now store. */
const NAMES: readonly (readonly [listed: string, common: string])[] = [
  ['Bolivia, Plurinational State of', 'Bolivia'],
  ['Congo, the Democratic Republic of the', 'Democratic Republic of the Congo'],
  ["Korea, Democratic People's Republic of", 'North Korea'],
  ['Korea, Republic of', 'South Korea'],
  ['Moldova, Republic of', 'Moldova'],
  ['Palestine, State of', 'Palestine'],
  ['Taiwan, Province of China', 'Taiwan'],
  ['Tanzania, United Republic of', 'Tanzania'],
  ['Venezuela, Bolivarian Republic of', 'Venezuela'],
  ['Virgin Islands, British', 'British Virgin Islands'],
];

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Gives imported universities the common name of their country: in "Korea, Republic of" the part after the comma was
 * taken for the country. The import keys stay, so that importing the list again adds nothing.
 */
export function statements(): string[] {
  return NAMES.map(
    ([listed, common]) =>
      `update schools
        set location = replace(location, ${quoted(listed)}, ${quoted(common)}),
          description = replace(description, ${quoted(listed)}, ${quoted(common)})
        where import_key like 'site:%'
          and (location = ${quoted(listed)} or location like ${quoted(`%, ${listed}`)})`,
  );
}
