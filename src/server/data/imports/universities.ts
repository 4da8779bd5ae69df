import { fileURLToPath } from 'node:url';

/** The name of the catalogue for `npm run import`. */
export const CATALOGUE = 'universities';

/** The universities of the world. README.md beside the file describes it. */
export const CATALOGUE_FILE = fileURLToPath(new URL('universities/universities.csv', import.meta.url));
