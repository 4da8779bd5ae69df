import type { FastifyBaseLogger } from 'fastify';
import { foldCase } from '../../contract/folding.ts';
import type { Preferences, Recommendation } from '../../contract/profiles.ts';
import type { Connection, Database } from '../database/database.ts';
import { refusals } from '../http/refusals/refusals.ts';
import { explain, hasUnprovenClaims, type LeftOut } from './claims.ts';
import { createCommonStems } from './common-stems.ts';
import { hasContactDetails } from './contact-details.ts';
import { type Evidence, findEvidence, withVisibleQuotes } from './evidence.ts';
import { type IndexedReview, readIndexedReviews } from './indexed-reviews.ts';
import type { ClientWait } from './model.ts';
import type { AdviseByModel, Asker } from './model-advice.ts';
import type { CheckedAnswer, NumberedQuote } from './model-answer.ts';
import { type Preference, parsePreferences } from './preferences.ts';
import { listBestRated, listFoldedNames, readEntries, readVisibleTexts } from './queries.ts';
import { type Candidate, findCandidate, keepInPlace, rankSchools } from './ranking.ts';
import type { Extent, SchoolIndex } from './school-index.ts';

/** For how many of the best candidates a model gets quotations: more would make every prompt expensive. */
const QUOTED_SCHOOLS = 5;
/**
 * After so many characters of reviews without evidence, no further candidate is tried. Twenty candidates with ordinary
 * reviews have fewer.
 */
const SEARCHED_MAX = 200_000;
/** How many of the best rated schools are searched for one whose reviews mention nothing unwanted. */
const BEST_RATED_MAX = 200;
/** How many other schools are named. */
const OTHERS_MAX = 3;

interface RecommendTools {
  readonly database: Database;
  readonly index: SchoolIndex;
  readonly adviseByModel: AdviseByModel | undefined;
}

const nameOf = ({ id, schoolName }: Candidate) => ({ id, schoolName });

/**
 * For each school and field the first quotation without contact details, which the model could otherwise repeat. They
 * are numbered from 1. No review is quoted twice.
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

/** Makes the function that recommends a school for a profile. It throws a 409 when there are no schools. */
export function createRecommend({ database, index, adviseByModel }: RecommendTools) {
  const db = database.read;

  const commonStems = createCommonStems(database);

  const readReviews = async ({ id }: Candidate) => readIndexedReviews(db, await readEntries(db, [id]));

  async function readEvidence(
    preferences: readonly Preference[],
    choice: Candidate,
    knownReviews?: readonly IndexedReview[],
  ): Promise<Evidence> {
    const { id, schoolName: name, aliases, location, description, allEntryNames: entries } = choice;
    const reviews = knownReviews ?? (await readReviews(choice));
    const own = { name, aliases, location, description, entries };
    return withVisibleQuotes(db, id, await findEvidence(preferences, own, reviews, await commonStems()));
  }

  /** The model's answer, if each word of a preference in it has evidence. */
  async function askModel(
    asker: Asker,
    { profile, preferences, candidates }: RecommendRequest,
    wait: ClientWait,
    log: FastifyBaseLogger,
  ): Promise<Advice | undefined> {
    if (!adviseByModel) return undefined;
    const quoted = candidates.slice(0, QUOTED_SCHOOLS).map(async (candidate) => ({
      schoolId: candidate.id,
      evidence: await readEvidence(preferences, candidate),
    }));
    const quotes = numberQuotes(await Promise.all(quoted));
    const answer = await adviseByModel(asker, profile, candidates, quotes, wait, log);
    const choice = candidates.find(({ id }) => id === answer?.schoolId);
    if (!answer || !choice || !(await haveVisibleQuotes(db, answer))) return undefined;
    const evidence = await readEvidence(preferences, choice);
    if (hasUnprovenClaims(answer.text, preferences, evidence)) {
      log.warn({ event: 'model-refused' }, 'the model claimed what nothing shows');
      return undefined;
    }
    return { choice, evidence, paragraphs: [answer.text], author: 'model' };
  }

  /**
   * The best candidate that has evidence; without one, the best rated school. If a candidate lies in the wanted place,
   * none elsewhere is chosen, even without evidence: the preference may use another name of the country.
   */
  async function chooseByRules({
    preferences,
    candidates,
    withUnwanted,
  }: RecommendRequest): Promise<Advice | undefined> {
    const [best] = candidates;
    if (!best) return undefined;
    const isInPlace = best.place > 0;
    const explainChoice = async (
      choice: Candidate,
      evidence: Evidence,
      leftOut?: readonly LeftOut[],
    ): Promise<Advice> => {
      const mentionsOther = createMentionsOther(choice.schoolName, await listFoldedNames(db));
      const paragraphs = explain({ preferences, choice, evidence, leftOut, mentionsOther });
      return { choice, evidence, paragraphs, author: 'built-in' };
    };
    let searched = 0;
    for (const candidate of candidates) {
      if (searched > SEARCHED_MAX || (isInPlace && candidate.place === 0)) break;
      const reviews = await readReviews(candidate);
      const evidence = await readEvidence(preferences, candidate, reviews);
      if (evidence.some(({ named, quotes }) => named.length + quotes.length > 0))
        return explainChoice(candidate, evidence);
      searched += reviews.reduce((sum, { review }) => sum + review.length, 0);
    }
    const rated = await listBestRated(db, BEST_RATED_MAX);
    const inPlace = isInPlace ? await keepInPlace(database, rated, preferences) : new Set(rated);
    const eligible = rated.filter((one) => inPlace.has(one));
    const id = eligible.find((one) => !withUnwanted.has(one)) ?? eligible[0];
    const found = id === undefined ? undefined : await findCandidate(database, id, preferences);
    if (!found) return explainChoice(best, await readEvidence(preferences, best));
    const leftOut: LeftOut[] = [];
    if (eligible[0] !== rated[0]) leftOut.push('elsewhere');
    if (id !== eligible[0]) leftOut.push('unwanted');
    return explainChoice(found, await readEvidence(preferences, found), leftOut);
  }

  return async (
    asker: Asker,
    profile: Preferences,
    wait: ClientWait,
    log: FastifyBaseLogger,
  ): Promise<Recommendation> => {
    const preferences = parsePreferences(profile);
    const { extent, ...ranking } = await rankSchools(database, index, preferences);
    const request = { profile, preferences, ...ranking };
    const { candidates } = ranking;
    const byModel = candidates.length > 0 ? await askModel(asker, request, wait, log) : undefined;
    const chosen = byModel ?? (await chooseByRules(request));
    if (!chosen) throw refusals.conflict('There are no schools to recommend yet.');
    const { choice, evidence, paragraphs, author } = chosen;
    const reason = adviseByModel ? '. The AI model could not answer.' : '; no AI model was asked.';
    const writtenBy = byModel ? '(Written by an AI model.)' : `(Chosen by our own built-in rules${reason})`;
    return {
      text: [...paragraphs, ...describeExtent(extent), writtenBy].join('\n\n'),
      author,
      school: nameOf(choice),
      evidence,
      others: candidates
        .filter(({ id }) => id !== choice.id)
        .slice(0, OTHERS_MAX)
        .map(nameOf),
    };
  };
}

/** The preferences, and the schools that fit them best. */
interface RecommendRequest {
  readonly profile: Preferences;
  readonly preferences: readonly Preference[];
  readonly candidates: readonly Candidate[];
  /** The schools whose reviews mention something unwanted. */
  readonly withUnwanted: ReadonlySet<number>;
}

interface Advice {
  readonly choice: Candidate;
  readonly evidence: Evidence;
  readonly paragraphs: readonly string[];
  readonly author: Recommendation['author'];
}

/**
 * @returns a function that says whether a text names another school. Names inside the chosen school's own do not count
 */
function createMentionsOther(chosen: string, foldedNames: readonly string[]): (text: string) => boolean {
  const own = foldCase(chosen);
  const others = foldedNames.filter((name) => name !== own);
  return (text) => {
    const rest = foldCase(text).replaceAll(own, '\n');
    return others.some((name) => rest.includes(name));
  };
}

/** Tells the user when not all schools could be compared, because some are still being read. */
function describeExtent({ compared, all }: Extent): string[] {
  if (compared >= all) return [];
  const [some, every] = [compared, all].map((schools) => schools.toLocaleString('en'));
  return [`(${some} of ${every} schools were compared: the others are still being read. Ask again in a minute.)`];
}

/** Whether the cited quotations still exist: a review can be withdrawn while the model answers. */
async function haveVisibleQuotes(db: Connection, { schoolId, quotes }: CheckedAnswer): Promise<boolean> {
  if (quotes.length === 0) return true;
  const ids = quotes.map(({ reviewId }) => reviewId);
  const texts = new Map((await readVisibleTexts(db, schoolId, ids)).map(({ id, review }) => [id, review]));
  return quotes.every(({ reviewId, quote }) => texts.get(reviewId)?.includes(quote));
}
