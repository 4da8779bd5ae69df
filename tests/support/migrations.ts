import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'src/server/database/migrations';
const FILES = readdirSync(FOLDER).sort();

/** How many migrations there are before the one of a name. @param name without its number */
export function migrationsBefore(name: string): number {
  const index = FILES.findIndex((file) => file.endsWith(`-${name}.ts`));
  if (index < 0) throw new Error(`There is no migration ${name}.`);
  return index;
}

/** The path of a migration. @param name without its number */
export const migrationFile = (name: string) => join(FOLDER, FILES[migrationsBefore(name)] ?? '');
