import * as calls from '../../contract/profiles.ts';
import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import { BOUNDS } from '../limits/bounds.ts';
import { LIMITS } from '../limits/limits.ts';
import { spend, type Throttles } from '../limits/throttle.ts';
import { refusals } from '../refusals/refusals.ts';
import type { Serve } from '../serve/serve.ts';
import type { AdviseByModel } from './model-advice.ts';
import * as queries from './queries.ts';
import { explain, rankSchools } from './recommender.ts';
import type { SchoolIndex } from './school-index.ts';

interface ProfileTools {
  readonly database: Database;
  readonly throttles: Throttles;
  readonly index: SchoolIndex;
  /** Undefined: only the built-in recommender answers. */
  readonly adviseByModel: AdviseByModel | undefined;
  /** Aborted when the process stops: then the built-in recommender answers without waiting for the model. */
  readonly ending: AbortSignal;
  readonly now: () => Milliseconds;
}

/** Serves the calls of spec §7, "Profile and recommendation". */
export function serveProfiles(
  serve: Serve,
  { database, throttles, index, adviseByModel, ending, now }: ProfileTools,
): void {
  serve.read(calls.getProfile, async ({ db, params, caller }) => {
    if (params.userId !== caller.userId) throw refusals.notYours('profile', 'userId');
    return (await queries.findProfile(db, caller.userId)) ?? null;
  });

  serve.write(
    calls.postProfile,
    async ({ db, body: { userId, ...preferences }, caller }) => {
      if (userId !== undefined && userId !== caller.userId) throw refusals.notYours('profile', 'userId');
      await spend(db, throttles.on(LIMITS.profileSaves, caller.userId), now());
      return queries.saveProfile(db, caller.userId, preferences);
    },
    // The account was deleted after the token was checked.
    { onVanished: async () => refusals.deadToken() },
  );

  serve(
    calls.recommendSchool,
    async ({ caller, reply, log }) => {
      const profile = await queries.findProfile(database.read, caller.userId);
      if (!profile) throw refusals.clash('Please create your profile first.');
      await database.write((db) => spend(db, throttles.on(LIMITS.recommendations, caller.userId), now()));
      // The user's id is removed: neither the ranking nor the model may know whose profile it is.
      const { userId: _userId, ...preferences } = profile;
      const candidates = await rankSchools(database, index, preferences);
      const [best] = candidates;
      if (!best) throw refusals.clash('There are no schools to recommend yet.');
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const signal = AbortSignal.any([left.signal, ending]);
      const said = await adviseByModel?.(preferences, candidates, signal, log);
      if (said) return `${said}\n\n(Written by an AI model.)`;
      const reason = adviseByModel ? '. The AI model could not answer.' : '; no AI model was asked.';
      return `${explain(best)}\n\n(Chosen by our own built-in rules${reason})`;
    },
    { ignoredBodyMax: BOUNDS.hints.max },
  );
}
