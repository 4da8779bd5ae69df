import type { ColumnTypes } from '../migrate.ts';

export const name = '006-no-truncate';

/** TRUNCATE, which only PostgreSQL has, runs no trigger for rows, so it could empty the audit log. */
export function statements({ engine }: ColumnTypes): string[] {
  if (engine === 'sqlite') return [];
  return [
    `create trigger admin_acts_no_truncate before truncate on admin_acts
      for each statement execute function refuse_change()`,
  ];
}
