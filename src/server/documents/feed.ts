import { PAGES, pageAddress } from '../../contract/pages.ts';
import type { Review } from '../../contract/reviews.ts';
import { starLabel } from '../../contract/stars.ts';
import { escapeHtml } from '../http/refusals/refusal-pages.ts';

interface FeedSubject {
  readonly kind: 'school' | 'entry';
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly siteName: string;
  readonly publicUrl: (path: string) => string;
}

/** Part of every id: the year in which this form of ids began (RFC 4151 §2.1). */
const ID_YEAR = 2026;

/** Characters that XML 1.0 cannot contain (https://www.w3.org/TR/xml/#charsets). */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const escapeXml = (text: string) => escapeHtml(text.replaceAll(NOT_XML, ''));

/** The newest reviews of a school or an entry as an Atom feed (RFC 4287). */
export function writeFeed(subject: FeedSubject, reviews: readonly (Review & { entryName: string })[]): string {
  const { kind, id, name, path, siteName, publicUrl } = subject;
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
