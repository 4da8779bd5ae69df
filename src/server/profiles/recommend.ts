import type { FastifyBaseLogger } from 'fastify';
import type { Preferences, Recommendation } from '../../contract/profiles.ts';
import type { Connection, Database } from '../database/database.ts';
import { refusals } from '../http/refusals/refusals.ts';
import { hasContactDetails } from './contact-details.ts';
import { type Evidence, findEvidence, verifyEvidence } from './evidence.ts';
import { readIndexedReviews } from './indexed-reviews.ts';
import type { Patience } from './model.ts';
import type { AdviseByModel, Asker } from './model-advice.ts';
import type { CheckedAnswer, NumberedQuote } from './model-answer.ts';
import { readEntries, readVisibleTexts } from './queries.ts';
import { type Candidate, explain, rankSchools } from './recommender.ts';
import type { Extent, SchoolIndex } from './school-index.ts';

/** For how many of the best candidates a model gets quotations: more would make every prompt expensive. */
const QUOTED_SCHOOLS = 5;
/** How many other schools are named. */
const OTHERS_MAX = 3;

interface RecommendTools {
  readonly database: Database;
  readonly index: SchoolIndex;
  readonly adviseByModel: AdviseByModel | undefined;
}

const nameOf = ({ id, schoolName }: Candidate) => ({ id, schoolName });

/**
 * The first quotation for each field that leads nobody elsewhere, without repeating a review, numbered from 1. What the
 * model is not given it does not repeat.
 */
function numberQuotes(bySchool: readonly { schoolId: number; evidence: Evidence }[]): NumberedQuote[] {
  const quotes = bySchool.flatMap(({ schoolId, evidence }) => {
    const first = evidence.flatMap((item) => item.quotes.filter(({ quote }) => !hasContactDetails(quote)).slice(0, 1));
    return [...new Map(first.map((quote) => [quote.reviewId, quote])).values()].map(({ reviewId, quote }) => ({
      schoolId,
      reviewId,
      quote,
    }));
  });
  return quotes.map((quote, index) => ({ number: index + 1, ...quote }));
}

/** Makes the function that recommends a school for a profile. @throws a 409 when there are no schools */
export function createRecommend({ database, index, adviseByModel }: RecommendTools) {
  const db = database.read;

  async function askModel(
    asker: Asker,
    preferences: Preferences,
    candidates: readonly Candidate[],
    patience: Patience,
    log: FastifyBaseLogger,
  ): Promise<CheckedAnswer | undefined> {
    if (!adviseByModel) return undefined;
    const quoted = candidates.slice(0, QUOTED_SCHOOLS).map(async ({ id: schoolId }) => ({
      schoolId,
      evidence: await readEvidence(db, preferences, schoolId),
    }));
    const quotes = numberQuotes(await Promise.all(quoted));
    const answer = await adviseByModel(asker, preferences, candidates, quotes, patience, log);
    return answer && (await standsStill(db, answer)) ? answer : undefined;
  }

  return async (
    asker: Asker,
    preferences: Preferences,
    patience: Patience,
    log: FastifyBaseLogger,
  ): Promise<Recommendation> => {
    const { candidates, extent } = await rankSchools(database, index, preferences);
    const [best] = candidates;
    if (!best) throw refusals.conflict('There are no schools to recommend yet.');
    const said = await askModel(asker, preferences, candidates, patience, log);
    const choice = candidates.find(({ id }) => id === said?.schoolId) ?? best;
    const reason = adviseByModel ? '. The AI model could not answer.' : '; no AI model was asked.';
    const writtenBy = said ? '(Written by an AI model.)' : `(Chosen by our own built-in rules${reason})`;
    return {
      text: [said?.text ?? explain(choice), ...sayWhatIsMissing(extent), writtenBy].join('\n\n'),
      author: said ? 'model' : 'built-in',
      school: nameOf(choice),
      evidence: await verifyEvidence(db, choice.id, await readEvidence(db, preferences, choice.id)),
      others: candidates
        .filter((candidate) => candidate !== choice)
        .slice(0, OTHERS_MAX)
        .map(nameOf),
    };
  };
}

/** Says so when not all schools could be compared, because they are still being read. */
function sayWhatIsMissing({ compared, all }: Extent): string[] {
  if (compared >= all) return [];
  const [some, every] = [compared, all].map((schools) => schools.toLocaleString('en'));
  return [`(${some} of ${every} schools were compared: the others are still being read. Ask again in a minute.)`];
}

async function readEvidence(db: Connection, preferences: Preferences, schoolId: number): Promise<Evidence> {
  return findEvidence(preferences, await readIndexedReviews(db, await readEntries(db, [schoolId])));
}

/** Whether the cited quotations still exist: a review can be withdrawn while the model answers. */
async function standsStill(db: Connection, { schoolId, quotes }: CheckedAnswer): Promise<boolean> {
  if (quotes.length === 0) return true;
  const ids = quotes.map(({ reviewId }) => reviewId);
  const texts = new Map((await readVisibleTexts(db, schoolId, ids)).map(({ id, review }) => [id, review]));
  return quotes.every(({ reviewId, quote }) => texts.get(reviewId)?.includes(quote));
}
