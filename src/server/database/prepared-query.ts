import { type Compilable, CompiledQuery, type DialectAdapter, type RawBuilder, sql } from 'kysely';
import type { Connection } from './database.ts';

/** Stands for a parameter in a composed query. */
class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Returns the placeholder of a parameter. */
export type Param<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

interface ComposedQuery {
  readonly name: string;
  readonly sql: string;
  /** Placeholders, and values that are the same in each run. */
  readonly parameters: readonly unknown[];
}

/** Runs a prepared query. @param name unique for each text */
type RunPrepared = (name: string, text: string, values: readonly unknown[]) => unknown[] | Promise<unknown[]>;

const runners = new WeakMap<Connection, RunPrepared>();

/** Makes the prepared queries of a connection run through `run`, without Kysely's executor. */
export function runPrepared(db: Connection, run: RunPrepared): void {
  runners.set(db, run);
}

const queryNames = new Map<string, string>();

function queryNameOf(text: string): string {
  const name = queryNames.get(text) ?? `prepared-${queryNames.size}`;
  queryNames.set(text, name);
  return name;
}

/**
 * Composes a query once for each engine. Later runs only bind its values. Kysely needs 15 to 40 µs to compose a query,
 * several times what SQLite needs to run it. Used for the few queries of every uncached read or post.
 * @param compose must return the same query each time
 */
export function prepareQuery<Values extends object, Row>(
  compose: (db: Connection, param: Param<Values>) => Compilable<Row>,
): (db: Connection, values: Values) => Promise<Row[]> {
  const byEngine = new WeakMap<DialectAdapter, ComposedQuery>();

  function composedFor(db: Connection): ComposedQuery {
    const { adapter } = db.getExecutor();
    let composed = byEngine.get(adapter);
    if (!composed) {
      const compiled = compose(
        db,
        // Safe: when the query is run, the value takes the place of the placeholder.
        (name) => sql.val(new Placeholder(name)) as RawBuilder<Values[typeof name]>,
      ).compile();
      composed = { name: queryNameOf(compiled.sql), sql: compiled.sql, parameters: compiled.parameters };
      byEngine.set(adapter, composed);
    }
    return composed;
  }

  return async (db, values) => {
    const composed = composedFor(db);
    const parameters = composed.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const run = runners.get(db);
    if (!run) return (await db.executeQuery<Row>(CompiledQuery.raw(composed.sql, parameters))).rows;
    // Safe: the compiler has derived the type of the rows from the query.
    return run(composed.name, composed.sql, parameters) as Row[] | Promise<Row[]>;
  };
}
