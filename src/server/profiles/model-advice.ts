import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Preferences } from '../../contract/profiles.ts';
import type { Database } from '../database/database.ts';
import { LIMITS } from '../limits/limits.ts';
import { type LimitedTools, trySpend } from '../limits/throttle.ts';
import type { Settings } from '../settings/settings.ts';
import { connectModel, writePrompt } from './model.ts';
import { type CheckedAnswer, checkModelAnswer, type NumberedQuote } from './model-answer.ts';
import type { Candidate } from './recommender.ts';

/** The maximum number of cached texts, each of up to 1,500 characters. */
const CACHED_MAX = 1_000;

/** Resolves to the model's answer if it can be shown; to undefined if the built-in recommender must answer. */
export type AdviseByModel = (
  preferences: Preferences,
  candidates: readonly Candidate[],
  quotes: readonly NumberedQuote[],
  signal: AbortSignal,
  log: FastifyBaseLogger,
) => Promise<CheckedAnswer | undefined>;

/**
 * Limits the requests to the model per day, and never sends a prompt twice: the same profile and schools get the same
 * answer for every user, because a prompt does not identify the user.
 */
export function createModelAdvice(
  model: NonNullable<Settings['model']>,
  { database, throttles, now }: LimitedTools & { database: Database },
): AdviseByModel {
  const ask = connectModel(model);
  const cached = new LRUCache<string, CheckedAnswer>({ max: CACHED_MAX });
  const limit = { ...LIMITS.modelCalls, max: model.callsPerDay };

  async function requireCall(): Promise<void> {
    for (const throttle of throttles.on(limit)) {
      const isLeft = await database.write((db) => trySpend(db, throttle, now()));
      if (!isLeft) throw new Error('The model has been asked as often today as LLM_CALLS_PER_DAY allows.');
    }
  }

  return async (preferences, candidates, quotes, signal, log) => {
    const prompt = writePrompt(preferences, candidates, quotes);
    const key = hash('sha256', prompt, 'base64url');
    const known = cached.get(key);
    if (known !== undefined) return known;
    try {
      const answer = checkModelAnswer(await ask(prompt, signal, requireCall), { preferences, candidates, quotes });
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
