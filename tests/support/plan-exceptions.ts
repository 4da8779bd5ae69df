import type { Engine } from './product.ts';

export interface Exception {
  /** The only engine of the exception; both when left out. */
  engine?: Engine;
  /** The tables and indexes that are read completely, as `Planner.explain` names them. */
  reads: RegExp;
  /** The statement, or how it begins. */
  text: RegExp;
  /** PostgreSQL 15 reads like this, and 18 does not for the same rows. */
  onlyPostgres15?: true;
}

/** Statements that may read a whole table or index. */
export const EXCEPTIONS: Record<string, Exception> = {
  'lists of schools answer with all of them, or with the first ones, past the few that are deleted': {
    reads: /^schools by schools_by_name$/,
    text: /^select "id", "school_name" .* from "schools" where "schools"."deleted_at" is null order by "name_key"(?: asc)?, "id"/,
  },
  'what is deleted is little, and has indexes of its own': {
    reads: /^deletions|^(schools|entries) by (schools|entries)_deleted$/,
    text: /"deletions"|deleted_at"? is not null/,
  },
  'the check of deletions compares every school and entry': {
    reads: /./,
    text: /select 'school' as kind, schools\.id/,
  },
  'the check of the counts compares every row of every review': {
    engine: 'postgres',
    reads: /./,
    text: /as "table", reviews\.id/,
  },
  'the posts of a group, few as they are, lock in one order': {
    engine: 'postgres',
    reads: /^sort$/,
    text: /json_to_recordset/,
  },
  'a leaderboard takes every sum that its part of the index of ratings made': {
    engine: 'sqlite',
    reads: /^rated$/,
    text: /^select "schools"."school_name" as "schoolName", "schools"."name_key" as "nameKey", "rated"/,
  },
  'the list of users answers an admin with all of them': {
    reads: /^users by \w*username\w*$|^users by sqlite_autoindex_users_1$/,
    text: /^select "id", "username", "is_admin", "blocked_reason" from "users" order by "username_key"$/,
  },
  'the first page of the audit trail is the end of its table': {
    engine: 'sqlite',
    reads: /^audit_entries$/,
    text: /from \(select [^(]* from "audit_entries" order by "id" desc limit \+\?\) as "page"/,
  },
  'the whole audit trail is counted for an admin who has it before them, if it has more than a page': {
    reads: /^audit_entries/,
    text: /^select count\(\*\) as "count" from "audit_entries"$/,
  },
  'names are joined to the rows of one page of the audit trail': {
    engine: 'sqlite',
    reads: /^page$/,
    text: / limit \+\?\) as "page" /,
  },
  'schools and entries are counted in an index: for the sitemap, and to see that an index of texts is as new': {
    reads: /^(schools|entries) by /,
    text: /^\s*select \(select count\(\*\) from (schools|entries)\)/,
  },
  'the commonest words are counted in the newest reviews, once an hour': {
    reads: /^reviews$|^reviews by reviews_pkey$/,
    text: /^select "reviews"."id", "reviews"."review" from "reviews" where .* order by "reviews"."id" desc limit/,
  },
  'a page of the newest reviews is sorted': {
    reads: /^sort$/,
    text: /as "page" on "page"."id" = "reviews"."id"/,
  },
  'a page of the newest reviews passes over the few that are hidden': {
    reads: /^reviews by reviews_newest$/,
    text: /^select "reviews"."id".* order by "reviews"."created_at" desc, "reviews"."id" desc limit/s,
  },
  'a page of the queue is the beginning of its own index, and what is open is counted in it': {
    reads: /^moderation_items by moderation_items_(queue|closed)$/,
    text: /inner join "moderation_items"|^select count\(\*\) as "count" from "moderation_items"/,
  },
  'a queue as small as here is sorted where its statistics are known': {
    engine: 'sqlite',
    reads: /^sort$/,
    text: /inner join "moderation_items" .* order by "moderation_items"/,
  },
  'the reviews of a burst are put into the queue by one statement': {
    engine: 'sqlite',
    reads: /^10$/,
    text: /^insert into "moderation_items" .* "is_burst_only"\) values/,
  },
  'what was counted on the days before is added by one statement': {
    engine: 'sqlite',
    reads: /^\d+$/,
    text: /^insert into "site_days" /,
  },
  'what is being checked has an index of its own, and a queue as small as here is read as a whole': {
    engine: 'postgres',
    reads: /^moderation_items( by moderation_items_(pkey|queue|of_bursts|of_school))?$/,
    text: /exists \(select "review_id" from "moderation_items" where "burst_entry_id" is not null|"item"."burst_entry_id" is not null/,
  },
  'the schools with reviews that are being checked are few': {
    engine: 'sqlite',
    reads: /^checked$/,
    text: /"checked"."school_id" = "rated"."school_id"/,
  },
  'the voices of a school are the best of one review of each entry': {
    reads: /^(ranked|chosen|sort)$/,
    text: /row_number\(\) over \(partition by/,
  },
  'the voices are read in the order of the keys where sorting is made expensive': {
    engine: 'postgres',
    reads: /^(reviews|entries|schools|moderation_items) by \w+_(pkey|of_school)$/,
    text: /row_number\(\) over \(partition by/,
  },
  'the reviews of a page are read in the order of all reviews where sorting is made expensive': {
    engine: 'postgres',
    reads: /^reviews by reviews_(newest|pkey)$/,
    text: / as "pageSchoolId" from "reviews" /,
  },
  'what one person wrote is found in the order of the keys where sorting is made expensive': {
    engine: 'postgres',
    reads: /^(reviews by reviews_pkey|appeals by appeals_by_review|proposals by proposals_(pkey|of_school))$/,
    text: /"user_id" = \$1(( and "state" != \$2)? order by "id"( for update)?|\))$/,
  },
  'what one person has proposed is sorted': {
    engine: 'postgres',
    reads: /^sort$/,
    text: / as "mine" on "mine"."proposalId" = /,
  },
  'the reviews of a list are sorted by their ids, those of a page once more': {
    reads: /^sort$/,
    text: / as "pageSchoolId" from "reviews" /,
  },
  'hides are held for seconds, so that there are few': {
    engine: 'postgres',
    reads: /^held_hides|^sort$/,
    text: /"held_hides"/,
  },
  'the head of the removals is one row': { reads: /^removal_heads$/, text: /"removal_heads"/ },
  'the first page of the removals is the end of its table': {
    reads: /^removals/,
    text: /from "removals" order by "id" desc limit/,
  },
  'the counts of many schools are found by reading those of so few': {
    engine: 'postgres',
    reads: /^review_counts by review_counts_entry_id_key$/,
    text: /^select "entries"."id", .* from "review_counts" inner join "entries" .* "review_counts"."school_id" in \(/,
    onlyPostgres15: true,
  },
  'of hardly any mails, one is found by whatever index': {
    engine: 'postgres',
    reads: /^outbox by outbox_by_due$/,
    text: /^(update|delete from) "outbox" .*where "id" = \$\d$/,
    onlyPostgres15: true,
  },
  'many schools are found by reading all of so few': {
    engine: 'sqlite',
    reads: /^schools$/,
    text: /"location", "description", "aliases" from "schools" where .* "id" in \(/,
  },
  'what one person wrote is sorted': { reads: /^(sort|mine|page)$/, text: /with "mine" as materialized/ },
  'the totals of removals count every entry and every hidden review, once for all': {
    reads: /^review_counts|^reviews by reviews_hidden$|^sort$/,
    text: /^select sum\("half_stars_1"\)|as "amount" from "reviews"/,
  },
  'the check of the removals compares every hidden review, and every line': {
    reads: /./,
    text: /\(select "removals"."act" from "removals"/,
  },
  'passcodes are those of the last minutes only: each sweep takes the others away': {
    reads: /^passcodes$/,
    text: /^delete from "passcodes" where "expires_at" < /,
  },
  'a merge makes its sets once, of two schools': {
    engine: 'sqlite',
    reads: /^(pairs|ranked|lost|added|review_counts)$/,
    text: /merged_into = pairs\.target|\(entries\.merged_into, entries\.id\)|superseded_by is not null|as added|set school_id = /,
  },
  'a merge reads rows of two schools in the order of the keys where reading whole tables is made expensive': {
    engine: 'postgres',
    reads: /^(entries|helpful_marks|moderation_items|reports|appeals|review_events) by \w+$/,
    text: /superseded_by is not null|set school_id = /,
  },
  'what is counted of relations is compared with what is found, for a few entries at a time': {
    engine: 'sqlite',
    reads: /^tallies$/,
    text: / having max\(counted\) <> max\(found\)/,
  },
  'the reviews of a summary are counted into one row, all of them and the recent ones': {
    engine: 'sqlite',
    reads: /^(counted|recent)$/,
    text: /^select null as "relation", .* as "recent" on true /,
  },
  'a page sorted by marks merges the first rows of two lists': {
    reads: /^(sort|part|page)$/,
    text: / as "part" union all select "pageId", "pageSchoolId" from \(/,
  },
};
