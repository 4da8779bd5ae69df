export const name = '022-vietnam';

/**
 * Gives imported universities one name of their country: public lists write both "Viet Nam" and "Vietnam". The import
 * keys stay, so that importing the list again adds nothing.
 */
export function statements(): string[] {
  const isListed = `import_key like 'site:%' and (location = 'Viet Nam' or location like '%, Viet Nam')`;
  return [
    `update schools
      set location = replace(location, 'Viet Nam', 'Vietnam'),
        description = replace(description, 'Viet Nam', 'Vietnam')
      where ${isListed}`,
    `update merged_schools set location = replace(location, 'Viet Nam', 'Vietnam') where ${isListed}`,
  ];
}
