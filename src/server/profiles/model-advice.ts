import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DAY } from '../../contract/durations.ts';
import type { Preferences } from '../../contract/profiles.ts';
import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { findLimitRefusal, type LimitedTools, lockCount, spendUnchecked } from '../http/limits/throttle.ts';
import type { Settings } from '../settings/settings.ts';
import { type ClientWait, connectModel, writePrompt } from './model.ts';
import { type CheckedAnswer, checkModelAnswer, type NumberedQuote } from './model-answer.ts';
import type { Candidate } from './ranking.ts';

/** How many calls of a day new accounts may make too, with no limit per account: half, but at least 20. */
const callsForEverybody = (callsPerDay: number) => Math.max(callsPerDay / 2, 20);

/** The maximum number of cached texts, each of up to 1,500 characters. */
const CACHED_MAX = 1_000;

/** The user whose call to the model is counted. Nothing of this is sent to the model. */
export interface Asker {
  readonly userId: number;
  readonly joinedAt: Milliseconds;
}

/** Resolves to the model's answer if it can be shown; to undefined if the built-in recommender must answer. */
export type AdviseByModel = (
  asker: Asker,
  preferences: Preferences,
  candidates: readonly Candidate[],
  quotes: readonly NumberedQuote[],
  wait: ClientWait,
  log: FastifyBaseLogger,
) => Promise<CheckedAnswer | undefined>;

/**
 * Limits the requests to the model per day, and caches its answers. The same profile and schools get the same answer
 * for every user, because a prompt does not identify the user.
 */
export function createModelAdvice(
  model: NonNullable<Settings['model']>,
  { database, throttles, now }: LimitedTools & { database: Database },
): AdviseByModel {
  const ask = connectModel(model);
  const cached = new LRUCache<string, CheckedAnswer>({ max: CACHED_MAX });
  const limit = { ...LIMITS.modelCalls, max: model.callsPerDay };

  /** Counts a call. @throws when there is none left today, or none for this account */
  async function countCall({ userId, joinedAt }: Asker): Promise<void> {
    const [all, own] = [throttles.on(limit), throttles.on(LIMITS.modelCallsOfOne, userId)];
    await database.write(async (db) => {
      for (const throttle of all) {
        const { count } = await lockCount(db, throttle, now());
        if (count >= limit.max) throw new Error('The model has been asked as often today as LLM_CALLS_PER_DAY allows.');
        if (own.length === 0 || count < callsForEverybody(limit.max)) continue;
        if (now() - joinedAt < DAY)
          throw new Error('What is left of LLM_CALLS_PER_DAY is for accounts older than a day.');
        if (await findLimitRefusal(db, own, now()))
          throw new Error('This account has had its calls to the model for today.');
      }
      await spendUnchecked(db, [...all, ...own], now());
    });
  }

  return async (asker, preferences, candidates, quotes, wait, log) => {
    const prompt = writePrompt(preferences, candidates, quotes);
    const key = hash('sha256', prompt, 'base64url');
    const known = cached.get(key);
    if (known !== undefined) return known;
    try {
      const answer = checkModelAnswer(await ask(prompt, wait, () => countCall(asker)), {
        preferences,
        candidates,
        quotes,
      });
      if (answer === undefined) log.warn({ event: 'model-refused' }, 'the model said what the data does not');
      else cached.set(key, answer);
      return answer;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ event: 'model-failed', reason }, 'the model did not answer');
      return undefined;
    }
  };
}
