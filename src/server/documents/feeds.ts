import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { categoryOf } from '../../contract/categories.ts';
import { getEntrySummary } from '../../contract/entry-summary.ts';
import { categoryPages, PAGES, pageAddress } from '../../contract/pages.ts';
import { type Review, reviewCalls } from '../../contract/reviews.ts';
import { getSchool } from '../../contract/schools.ts';
import { starLabel } from '../../contract/stars.ts';
import type { Tag } from '../database/change-tags.ts';
import type { NewResponse } from '../http/cache/cached-response.ts';
import { tags } from '../http/cache/tags.ts';
import { escapeHtml } from '../http/refusals/refusal-pages.ts';
import { Refusal, refusals, requireFound } from '../http/refusals/refusals.ts';
import type { PublicReads } from '../http/serve/public-reads.ts';
import { isSchoolBeingChecked } from '../visibility/checked-queries.ts';
import { findSchoolRating } from '../visibility/count-queries.ts';
import { type BadgeRating, type BadgeStyle, drawBadge, drawMissing } from './badge.ts';
import type { DocumentOptions } from './document-options.ts';
import { findEntryPlace, findSuccessorOf, listReviewedEntries } from './queries.ts';
import { sendDocument } from './send-document.ts';

/** How many reviews a feed has at most. */
const FEED_REVIEWS_MAX = 50;

const STYLES: readonly BadgeStyle[] = ['light', 'dark'];

/** A school or an entry, with what feeds and badges say about it. */
interface Subject {
  readonly name: string;
  readonly path: string;
  readonly tags: readonly Tag[];
  readNewest(): Promise<FeedReview[]>;
  readRating(): Promise<BadgeRating>;
}

type FeedReview = Review & { readonly entryName: string };

type Kind = 'school' | 'entry';

/** Serves the feeds and badges of schools and entries, which other sites show. */
export function serveFeeds(app: FastifyInstance, options: DocumentOptions): void {
  const { cache, publicUrl, siteName, database } = options;
  const subjectOf = { school: schoolSubject, entry: entrySubject };

  /** Redirects to what a school or entry was merged into. @returns false if it was not merged @throws other errors */
  async function redirectToSuccessor(
    reply: FastifyReply,
    kind: Kind,
    id: number,
    error: unknown,
    address: (id: number) => string,
  ) {
    if (!(error instanceof Refusal) || (error.status !== 404 && error.status !== 301)) throw error;
    const successor = await findSuccessorOf(database.readShared(), { about: kind }, id);
    if (successor === undefined) return false;
    // Not returned: a reply is thenable, and would be awaited.
    reply
      .code(301)
      .headers({ Location: address(successor), 'Cache-Control': 'no-cache' })
      .send();
    return true;
  }

  interface ServedFile {
    readonly route: string;
    readonly format: 'atom' | 'svg';
    addressOf(kind: Kind, id: number, request: FastifyRequest): string;
    make(kind: Kind, id: number, request: FastifyRequest): Promise<Pick<NewResponse, 'text' | 'tags'>>;
    sendGone(reply: FastifyReply): FastifyReply;
  }

  function serve({ route, format, addressOf, make, sendGone }: ServedFile): void {
    app.get<{ Params: { kind: string; id: string } }>(route, async (request, reply) => {
      const { kind, id: digits } = request.params;
      const id = Number(digits);
      if (kind !== 'school' && kind !== 'entry') throw refusals.notFound('address');
      if (!Number.isSafeInteger(id) || id < 1) throw refusals.badInput('The id must be a positive whole number.', 'id');
      const address = addressOf(kind, id, request);
      try {
        const makeDocument = async () => ({ route, format, ...(await make(kind, id, request)) });
        return await sendDocument(reply, cache, address, makeDocument);
      } catch (error) {
        const isMerged = await redirectToSuccessor(reply, kind, id, error, (other) => addressOf(kind, other, request));
        return isMerged ? reply : sendGone(reply);
      }
    });
  }

  serve({
    route: '/feeds/:kind/:id(^\\d{1,16}).atom',
    format: 'atom',
    addressOf: (kind, id) => `/feeds/${kind}/${id}.atom`,
    async make(kind, id) {
      const subject = await subjectOf[kind](options, id);
      const text = writeFeed({ ...subject, kind, id, siteName, publicUrl }, await subject.readNewest());
      return { text, tags: subject.tags };
    },
    sendGone() {
      throw refusals.notFound('feed');
    },
  });

  serve({
    route: '/badges/:kind/:id(^\\d{1,16}).svg',
    format: 'svg',
    addressOf: (kind, id, request) => `/badges/${kind}/${id}.svg${styleOf(request) === 'dark' ? '?style=dark' : ''}`,
    async make(kind, id, request) {
      const subject = await subjectOf[kind](options, id);
      return { text: drawBadge(siteName, await subject.readRating(), styleOf(request)), tags: subject.tags };
    },
    sendGone: (reply) =>
      reply
        .code(404)
        .headers({ 'Cache-Control': 'no-store', 'Content-Type': 'image/svg+xml; charset=utf-8' })
        .send(drawMissing(siteName, styleOf(reply.request))),
  });
}

/** @throws a 400 for an unknown style */
function styleOf({ query }: FastifyRequest): BadgeStyle {
  const { style = 'light' } = query as { style?: unknown };
  const found = STYLES.find((one) => one === style);
  if (!found) throw refusals.badInput('The style must be light or dark.', 'style');
  return found;
}

async function schoolSubject({ reads, database }: DocumentOptions, id: number): Promise<Subject> {
  const school = await reads.findAnswer(getSchool, { params: { id } });
  const entries = await listReviewedEntries(database.readShared(), id);
  return {
    name: school.schoolName,
    path: pageAddress(PAGES.school, id),
    tags: [tags.school(id), tags.reviewsAt(id), ...entries.map((entry) => tags.reviewsOf(entry.id))],
    async readNewest() {
      const reviews: FeedReview[] = [];
      for (const entry of entries) reviews.push(...(await readNewestOf(reads, entry)));
      return reviews.sort(newestFirst).slice(0, FEED_REVIEWS_MAX);
    },
    async readRating() {
      const { average, count } = await findSchoolRating(database.readShared(), id);
      return { average, count, isBeingChecked: await isSchoolBeingChecked(database.readShared(), id) };
    },
  };
}

async function entrySubject({ reads, database }: DocumentOptions, id: number): Promise<Subject> {
  const entry = requireFound(await findEntryPlace(database.readShared(), id), 'entry');
  return {
    name: `${entry.name}, ${entry.schoolName}`,
    path: pageAddress(categoryPages(categoryOf(entry.kind)).reviews, id),
    tags: [tags.entry(id), tags.school(entry.schoolId), tags.reviewsOf(id), tags.today],
    readNewest: () => readNewestOf(reads, entry),
    async readRating() {
      const { averageRating, totalReviews, isBeingChecked } = await reads.findAnswer(getEntrySummary, {
        params: { entryId: id },
      });
      return { average: averageRating ?? 0, count: totalReviews, isBeingChecked };
    },
  };
}

async function readNewestOf(
  reads: PublicReads,
  { id, kind, name }: { id: number; kind: string; name: string },
): Promise<FeedReview[]> {
  const list = await reads.findAnswer(reviewCalls(categoryOf(kind)).list, {
    params: { id },
    query: { limit: FEED_REVIEWS_MAX },
  });
  return list.map((review) => ({ ...review, entryName: name }));
}

const newestFirst = (one: Review, other: Review) => other.createdAt.localeCompare(one.createdAt) || other.id - one.id;

type FeedSubject = Pick<Subject, 'name' | 'path'> &
  Pick<DocumentOptions, 'siteName' | 'publicUrl'> & { readonly kind: Kind; readonly id: number };

/** Part of every id: the year in which this form of ids began (RFC 4151 §2.1). */
const ID_YEAR = 2026;

/** Characters that XML 1.0 cannot contain (https://www.w3.org/TR/xml/#charsets). */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const escapeXml = (text: string) => escapeHtml(text.replaceAll(NOT_XML, ''));

/** The newest reviews of a school or an entry as an Atom feed (RFC 4287). */
function writeFeed({ kind, id, name, path, siteName, publicUrl }: FeedSubject, reviews: readonly FeedReview[]): string {
  const tagUri = (what: string) => `tag:${new URL(publicUrl('/')).hostname},${ID_YEAR}:${what}`;
  const changedAt = ({ editedAt, createdAt }: Review) => editedAt ?? createdAt;
  const updated = reviews.map(changedAt).sort().at(-1) ?? `${ID_YEAR}-01-01T00:00:00.000Z`;
  const link = (rel: string, type: string, address: string) =>
    `<link rel="${rel}" type="${type}" href="${escapeXml(publicUrl(address))}"/>`;
  const entries = reviews.map((review) =>
    [
      '<entry>',
      `<id>${escapeXml(tagUri(`review/${review.id}`))}</id>`,
      `<title>${escapeXml(`${review.entryName}: ${starLabel(review.rating)}`)}</title>`,
      `<author><name>${escapeXml(review.username ?? 'Anonymous')}</name></author>`,
      `<published>${review.createdAt}</published><updated>${changedAt(review)}</updated>`,
      link('alternate', 'text/html', pageAddress(PAGES.review, review.id)),
      `<content type="text">${escapeXml(review.review)}</content>`,
      '</entry>',
    ].join(''),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapeXml(tagUri(`${kind}/${id}`))}</id>`,
    `<title>${escapeXml(`Reviews of ${name} · ${siteName}`)}</title>`,
    `<updated>${updated}</updated>`,
    link('self', 'application/atom+xml', `/feeds/${kind}/${id}.atom`),
    link('alternate', 'text/html', path),
    ...entries,
    '</feed>\n',
  ].join('\n');
}
