import type { ColumnTypes } from '../migrate.ts';

export const name = '037-proposal-reviews';

/** The reviews of people who proposed an entry that somebody else had proposed already. The first is in `proposals`. */
export function statements({ id, integer, tableOptions }: ColumnTypes): string[] {
  return [
    `create table proposal_reviews (
      id ${id},
      proposal_id ${integer} not null,
      school_id ${integer} not null,
      user_id ${integer} references users (id) on delete set null,
      created_at ${integer} not null,
      half_stars ${integer} not null,
      review text not null,
      is_anonymous ${integer} not null,
      relation text,
      since ${integer},
      until ${integer},
      obstacle text,
      unique (proposal_id, user_id),
      foreign key (proposal_id, school_id) references proposals (id, school_id) on update cascade on delete cascade
    ) ${tableOptions}`,
    'create index proposal_reviews_by_user on proposal_reviews (user_id, created_at, id)',
  ];
}
