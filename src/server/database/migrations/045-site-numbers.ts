import type { ColumnTypes } from '../migrate.ts';

export const name = '045-site-numbers';

/**
 * Counts what happens on the site, and names nobody: one row for each act until its day is over, then one number a day.
 * Rows are only added: posts that share a counter would wait for each other.
 */
export function statements({ id, integer, key, tableOptions }: ColumnTypes): string[] {
  return [
    `create table site_acts (
      id ${id},
      act text not null,
      happened_at ${integer} not null
    ) ${tableOptions}`,
    'create index site_acts_by_time on site_acts (happened_at)',
    `create table site_days (
      day ${integer} not null,
      act ${key} not null,
      amount ${integer} not null,
      primary key (day, act)
    ) ${tableOptions}`,
  ];
}
