import type { ColumnTypes } from '../migrate.ts';

export const name = '029-recorded-state';

/**
 * Columns for what was read out of events and texts until now: which review superseded another one in a merge, and what
 * an admin decided, why, and with which note. An audit entry had all three in one text, such as "hide: spam, An advert.".
 */
export function statements({ engine, integer }: ColumnTypes): string[] {
  const split = `update audit_entries set action = ${ACTION}, reason = ${REASON}, note = ${NOTE} where ${ACTION} is not null`;
  return [
    `alter table reviews add column superseded_by ${integer}`,
    'alter table audit_entries add column action text',
    'alter table audit_entries add column note text',
    // Admins act by hand, so the table is small.
    ...(engine === 'sqlite'
      ? ['drop trigger audit_entries_no_update', split, REFUSE_UPDATE]
      : [
          'alter table audit_entries disable trigger audit_entries_append_only',
          split,
          'alter table audit_entries enable trigger audit_entries_append_only',
          ...SERVE_VERSION_BEFORE,
        ]),
  ];
}

/** As 007 has made it: the schema of a file is compared with what the migrations write. */
const REFUSE_UPDATE = `create trigger audit_entries_no_update before update on audit_entries
            begin select raise(abort, 'audit_entries is append-only'); end`;

const ACTIONS: Record<string, readonly string[]> = {
  moderateReview: ['hide', 'restore', 'keep'],
  decideProposal: ['accept', 'refuse'],
  blockUser: ['blocked', 'unblocked'],
  updateUser: ['an admin', 'no admin'],
};

/** The listed reasons of a decision about a review; a note can follow. */
const REASONS = ['personal', 'hateful', 'spam', 'fake', 'offtopic', 'illegal', 'other'];

/** A CASE with a value for each action, with which the old text begins. */
function byAction(toValue: (action: string) => string, rest: string): string {
  const cases = Object.entries(ACTIONS).flatMap(([act, actions]) =>
    actions.map(
      (action) =>
        `when act = '${act}' and (reason = '${action}' or reason like '${action}: %' or reason like '${action}, %') then ${toValue(action)}`,
    ),
  );
  return `case ${cases.join(' ')} ${rest} end`;
}

const after = (beginning: string) => `substr(reason, ${beginning.length + 1})`;

const ACTION = byAction((action) => `'${action}'`, '');

const REASON = byAction((action) => {
  const listed = REASONS.map(
    (key) => `when act = 'moderateReview' and reason like '${action}: ${key}, %' then '${key}'`,
  );
  return `case ${listed.join(' ')} when reason like '${action}: %' then ${after(`${action}: `)} end`;
}, 'else reason');

const NOTE = byAction((action) => {
  const listed = REASONS.map((key) => `when reason like '${action}: ${key}, %' then ${after(`${action}: ${key}, `)}`);
  return `case when act <> 'moderateReview' then null ${listed.join(' ')} when reason like '${action}, %' then ${after(`${action}, `)} end`;
}, '');

/**
 * Triggers that fill the new columns for processes of the previous version, which do not know them. The next release
 * can drop them.
 */
const SERVE_VERSION_BEFORE = [
  `create function fill_audit_columns() returns trigger language plpgsql as $$ begin
    select ${ACTION}, ${REASON}, ${NOTE} into new.action, new.reason, new.note
      from (select new.act as act, new.reason as reason) as entry;
    return new;
  end $$`,
  `create trigger audit_entries_columns before insert on audit_entries
    for each row when (new.action is null) execute function fill_audit_columns()`,
  `create function mark_superseded() returns trigger language plpgsql as $$ begin
    update reviews set superseded_by = id where id = new.review_id and superseded_by is null;
    return null;
  end $$`,
  `create trigger review_events_merged after insert on review_events
    for each row when (new.event = 'merged') execute function mark_superseded()`,
];
