import { type Compilable, CompiledQuery, type DialectAdapter, type RawBuilder, type SqliteDatabase, sql } from 'kysely';
import type { Connection } from './database.ts';

/** Marks the position of a value in a composed query. */
class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Returns the placeholder for the value with this name. */
export type Given<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

interface Composed {
  readonly sql: string;
  /** Placeholders, or values that are always the same. */
  readonly parameters: readonly unknown[];
}

const embedded = new WeakMap<Connection, SqliteDatabase>();

/** Makes prepared queries bypass Kysely's asynchronous executor, which an embedded database does not need. */
export function runEmbedded(db: Connection, database: SqliteDatabase): void {
  embedded.set(db, database);
}

/**
 * Composes a query once for each engine. Later runs only bind its values. Kysely needs 15 to 40 µs to compose a query,
 * several times what SQLite needs to run it. Used for the few queries of every uncached read or post.
 * @param compose must return the same query each time
 */
export function prepareQuery<Values extends object, Row>(
  compose: (db: Connection, given: Given<Values>) => Compilable<Row>,
): (db: Connection, values: Values) => Promise<Row[]> {
  const byEngine = new WeakMap<DialectAdapter, Composed>();

  function composedFor(db: Connection): Composed {
    const { adapter } = db.getExecutor();
    let composed = byEngine.get(adapter);
    if (!composed) {
      composed = compose(
        db,
        (name) => sql.val(new Placeholder(name)) as unknown as RawBuilder<Values[typeof name]>,
      ).compile();
      byEngine.set(adapter, composed);
    }
    return composed;
  }

  return async (db, values) => {
    const composed = composedFor(db);
    const parameters = composed.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const database = embedded.get(db);
    if (!database) return (await db.executeQuery<Row>(CompiledQuery.raw(composed.sql, parameters))).rows;
    const statement = database.prepare(composed.sql);
    if (statement.reader) return statement.all(parameters) as Row[];
    statement.run(parameters);
    return [];
  };
}
