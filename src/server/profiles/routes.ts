import * as calls from '../../contract/profiles.ts';
import type { Database } from '../database/database.ts';
import { BOUNDS } from '../http/limits/bounds.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { type LimitedTools, spend } from '../http/limits/throttle.ts';
import { refusals } from '../http/refusals/refusals.ts';
import type { Serve } from '../http/serve/serve.ts';
import type { AdviseByModel } from './model-advice.ts';
import * as queries from './queries.ts';
import { createRecommend } from './recommend.ts';
import type { SchoolIndex } from './school-index.ts';

interface ProfileTools extends LimitedTools {
  readonly database: Database;
  readonly schoolIndex: SchoolIndex;
  /** Undefined: only the built-in recommender is used. */
  readonly adviseByModel: AdviseByModel | undefined;
  /** Aborted when the process stops: then the built-in recommender answers without waiting for the model. */
  readonly ending: AbortSignal;
}

/** Whether a client accepts JSON but not text. */
function asksForJson(accept = ''): boolean {
  const types = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  return types.includes('application/json') && !types.includes('text/plain') && !types.includes('*/*');
}

/** Serves the calls of spec §7, "Profile and recommendation". */
export function serveProfiles(
  serve: Serve,
  { database, throttles, schoolIndex, adviseByModel, ending, now }: ProfileTools,
): void {
  const recommend = createRecommend({ database, index: schoolIndex, adviseByModel });

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
    { onVanished: async () => refusals.invalidToken() },
  );

  serve(
    calls.recommendSchool,
    async ({ caller, reply, log }) => {
      const since = performance.now() - reply.elapsedTime;
      const profile = await queries.findProfile(database.read, caller.userId);
      if (!profile) throw refusals.conflict('Please create your profile first.');
      await database.write((db) => spend(db, throttles.on(LIMITS.recommendations, caller.userId), now()));
      // The user's id is removed: neither the ranking nor the prompt must contain whose profile it is.
      const { userId: _userId, ...preferences } = profile;
      const disconnection = new AbortController();
      reply.raw.once('close', () => disconnection.abort());
      const signal = AbortSignal.any([disconnection.signal, ending]);
      const recommendation = await recommend(caller, preferences, { signal, since }, log);
      reply.header('Vary', 'Accept');
      return asksForJson(reply.request.headers.accept) ? recommendation : recommendation.text;
    },
    { bodyMax: BOUNDS.recommendBody.max },
  );
}
