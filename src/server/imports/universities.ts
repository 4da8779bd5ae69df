import { fileURLToPath } from 'node:url';

/** The name that `npm run import` knows the catalogue by. */
export const CATALOGUE = 'universities';

/** The universities of the world, as README.md beside them says. */
export const CATALOGUE_FILE = fileURLToPath(new URL('universities/universities.csv', import.meta.url));
