import type { ColumnTypes } from '../migrate.ts';

export const name = '051-replica-beats';

/** A number that the primary raises again and again, in a single row: a replica that has it has all before it. */
export function statements({ engine, integer }: ColumnTypes): string[] {
  if (engine === 'sqlite') return [];
  return [
    `create table replica_beats (id ${integer} primary key check (id = 1), beat ${integer} not null)`,
    'insert into replica_beats (id, beat) values (1, 0)',
  ];
}
