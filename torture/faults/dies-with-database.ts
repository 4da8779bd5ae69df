// A lost connection to PostgreSQL is nobody's to hear of, and ends the process.
import { replaceIn } from './replace-in.ts';

replaceIn('/database/postgres-pool.ts', "pool.on('error', () => {});", '');
