import { sql } from 'kysely';
import { COUNTED_ACTS, type CountedAct, type DayNumbers, NUMBERS_DAYS } from '../../contract/site-numbers.ts';
import type { Connection, Database } from '../database/database.ts';
import { countFound, hasRow, idsOf } from '../database/found-rows.ts';
import { lockName } from '../database/lock-row.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import type { Milliseconds, StoredRow } from '../database/tables.ts';
import { countedEntries } from '../visibility/count-queries.ts';
import { allReviews } from '../visibility/queries.ts';

/** Statements contain this number as a literal: with a parameter, SQLite would divide with fractions. */
const DAY = 86_400_000;

/** How many acts are added up in one transaction. */
const BATCH_SIZE = 2_000;

/** Unlike the numbers of acts this is no sum: for a past day, it is the last value that was stored. */
const SCHOOLS_WITH_REVIEWS = 'schoolsWithReviews';

/** The number of a day since 1970 in UTC. */
const dayOf = (time: Milliseconds) => Math.floor(time / DAY);

const queryNote = prepareQuery((db, param: Param<{ act: CountedAct; now: Milliseconds }>) =>
  db.insertInto('site_acts').values({ act: param('act'), happened_at: param('now') }),
);

/** Counts an act in the transaction that performs it. */
export const noteAct = (db: Connection, act: CountedAct, now: Milliseconds): Promise<unknown> =>
  queryNote(db, { act, now });

/** A number to add to a day's number of an act. */
type DayAmount = StoredRow<'site_days'>;

async function addAmounts(db: Connection, amounts: readonly DayAmount[]): Promise<void> {
  if (amounts.length === 0) return;
  await db
    .insertInto('site_days')
    .values([...amounts])
    .onConflict((conflict) =>
      conflict.columns(['day', 'act']).doUpdateSet({ amount: sql`site_days.amount + excluded.amount` }),
    )
    .execute();
}

/** Adds the acts of past days to the numbers of those days, and deletes them. @returns whether there may be more */
export async function addUpPastActs(db: Connection, now: Milliseconds): Promise<boolean> {
  const before = dayOf(now) * DAY;
  const dueActs = await db
    .selectFrom('site_acts')
    .select('id')
    .where('happened_at', '<', before)
    .limit(BATCH_SIZE)
    .execute();
  if (dueActs.length === 0) return false;
  const ids = idsOf(dueActs);
  // Only acts that this process deletes are added: of two concurrent processes, one counts each act.
  const rows = await db.deleteFrom('site_acts').where('id', 'in', ids).returning(['act', 'happened_at']).execute();
  const amounts = new Map<string, DayAmount>();
  for (const { act, happened_at } of rows) {
    const day = dayOf(happened_at);
    const key = `${day} ${act}`;
    amounts.set(key, { day, act, amount: (amounts.get(key)?.amount ?? 0) + 1 });
  }
  // Always added in the same order, so that two concurrent processes cannot deadlock.
  await addAmounts(
    db,
    [...amounts.keys()].sort().map((key) => amounts.get(key) as DayAmount),
  );
  return ids.length === BATCH_SIZE;
}

/** How often each act was done since the site began to count. */
export async function countActs(db: Connection): Promise<Record<CountedAct, number>> {
  const counts = Object.fromEntries(COUNTED_ACTS.map((act) => [act, 0])) as Record<CountedAct, number>;
  const past = await db
    .selectFrom('site_days')
    .select(['act', ({ fn }) => fn.sum<number>('amount').as('amount')])
    .where('act', '!=', SCHOOLS_WITH_REVIEWS)
    .groupBy('act')
    .execute();
  const today = await db
    .selectFrom('site_acts')
    .select(['act', ({ fn }) => fn.countAll<number>().as('amount')])
    .groupBy('act')
    .execute();
  // Safe: only noteAct and fillPastDays write the acts.
  for (const { act, amount } of [...past, ...today]) counts[act as CountedAct] += amount;
  return counts;
}

/** Stores how many schools have reviews now, in place of an earlier value of the day. */
export async function storeSchoolCount(db: Connection, amount: number, now: Milliseconds): Promise<void> {
  await db
    .insertInto('site_days')
    .values({ day: dayOf(now), act: SCHOOLS_WITH_REVIEWS, amount })
    .onConflict((conflict) => conflict.columns(['day', 'act']).doUpdateSet({ amount }))
    .execute();
}

/**
 * The numbers of the last days, today last.
 * @param schools how many have reviews now
 */
export async function listNumbers(
  db: Connection,
  { days, schools }: { days: number; schools: number },
  now: Milliseconds,
): Promise<DayNumbers[]> {
  const today = dayOf(now);
  const firstDay = today - days + 1;
  const stored = await db.selectFrom('site_days').selectAll().where('day', '>=', firstDay).execute();
  const happened = await db
    .selectFrom('site_acts')
    .select([sql<number>`happened_at / 86400000`.as('day'), 'act', ({ fn }) => fn.countAll<number>().as('amount')])
    .where('happened_at', '>=', firstDay * DAY)
    .groupBy(['day', 'act'])
    .execute();
  const sums = new Map<string, number>();
  for (const { day, act, amount } of [...stored, ...happened]) {
    sums.set(`${day} ${act}`, (sums.get(`${day} ${act}`) ?? 0) + amount);
  }
  let level = (await findLevelBefore(db, firstDay)) ?? 0;
  return Array.from({ length: days }, (_, index) => {
    const day = firstDay + index;
    level = day === today ? schools : (sums.get(`${day} ${SCHOOLS_WITH_REVIEWS}`) ?? level);
    const counted = COUNTED_ACTS.map((act) => [act, sums.get(`${day} ${act}`) ?? 0]);
    return {
      day: new Date(day * DAY).toISOString().slice(0, 10),
      // Safe: the keys are those of the acts.
      ...(Object.fromEntries(counted) as Record<CountedAct, number>),
      schoolsWithReviews: level,
    };
  });
}

async function findLevelBefore(db: Connection, day: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('site_days')
    .select('amount')
    .where('act', '=', SCHOOLS_WITH_REVIEWS)
    .where('day', '<', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.amount;
}

/** Computes the numbers of the past from the rows that exist. It does so once: only if no day has numbers yet. */
export async function fillPastDays({ read, write }: Pick<Database, 'read' | 'write'>, now: Milliseconds) {
  if (await hasDays(read)) return;
  const amounts = await countPast(read, now);
  const schools = await countReviewedSchools(read);
  await write(async (db) => {
    await lockName(db, 'site days');
    if (await hasDays(db)) return;
    // Acts that are recorded already, as by the sample data, are counted in `amounts`.
    await db.deleteFrom('site_acts').execute();
    await addAmounts(db, amounts);
    await storeSchoolCount(db, schools, now);
  });
}

const hasDays = (db: Connection) => hasRow(db.selectFrom('site_days').select('day').limit(1));

async function countPast(db: Connection, now: Milliseconds): Promise<DayAmount[]> {
  const since = (dayOf(now) - NUMBERS_DAYS.max) * DAY;
  const amounts: DayAmount[] = [];
  async function countPerDay(act: CountedAct, table: string, column: string, where = sql`true`): Promise<void> {
    const { rows } = await sql<{ day: number; amount: number }>`
      select ${sql.ref(column)} / 86400000 as day, count(*) as amount from ${sql.table(table)}
      where ${sql.ref(column)} >= ${since} and ${where} group by 1`.execute(db);
    for (const { day, amount } of rows) amounts.push({ day: Number(day), act, amount: Number(amount) });
  }
  await countPerDay('signups', 'users', 'created_at');
  await countPerDay('verified', 'users', 'verified_at');
  await countPerDay('reviews', 'reviews', 'created_at');
  await countPerDay('reports', 'reports', 'created_at');
  await countPerDay('hidden', 'review_events', 'happened_at', sql`event = 'hidden'`);
  await countPerDay('proposals', 'proposals', 'created_at');
  return [...amounts, ...(await listSchoolLevels(db, now))];
}

/** How many schools have reviews, for commands and the start; a running server knows it from its search. */
export async function countReviewedSchools(db: Connection): Promise<number> {
  const schools = countedEntries(db).select('school_id').distinct();
  return (await schools.execute()).length;
}

/** For each past day on which schools got their first (still existing) review: how many schools have one by then. */
async function listSchoolLevels(db: Connection, now: Milliseconds): Promise<DayAmount[]> {
  const firsts = await allReviews(db)
    .select(({ fn }) => fn.min('created_at').as('at'))
    .groupBy('school_id')
    .execute();
  const newSchools = new Map<number, number>();
  for (const { at } of firsts) newSchools.set(dayOf(at), (newSchools.get(dayOf(at)) ?? 0) + 1);
  let amount = 0;
  const levels = [...newSchools.keys()]
    .sort((one, other) => one - other)
    .map((day) => {
      amount += newSchools.get(day) ?? 0;
      return { day, act: SCHOOLS_WITH_REVIEWS, amount };
    });
  return levels.filter(({ day }) => day < dayOf(now));
}

/** How many sessions are stored; some may be over by now. */
export const countSessions = (db: Connection) => countFound(db.selectFrom('sessions'));

/**
 * @param now the clock of this process
 * @returns by how many milliseconds it is ahead of the database's clock; 0 on SQLite, which has none
 */
export async function measureClock({ engine, read }: Pick<Database, 'engine' | 'read'>, now: () => Milliseconds) {
  if (engine === 'sqlite') {
    // Throws, as on PostgreSQL, when the database does not answer.
    await sql`select 1`.execute(read);
    return 0;
  }
  const before = now();
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(read);
  // The database has read its clock about halfway between the two times here.
  return (before + now()) / 2 - Number(rows[0]?.now ?? before);
}
