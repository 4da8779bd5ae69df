import type { Database } from '../../src/server/database/database.ts';
import { type DatabaseAddress, openDatabase } from '../../src/server/database/open.ts';

/** Opens a database, does something with it, and closes it again. */
export async function withDatabase<T>(address: DatabaseAddress, act: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(address);
  try {
    return await act(database);
  } finally {
    await database.close();
  }
}
