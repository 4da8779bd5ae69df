import { ANONYMOUS, type Review } from '../../contract/reviews.ts';
import { RATING_MAX, RATING_MIN } from '../../contract/stars.ts';

/** Facts about a page for search engines, in the words of https://schema.org. */
export type StructuredData = Record<string, unknown>;

export function describeSchool(
  school: { schoolName: string; description: string; location: string },
  url: string,
): StructuredData {
  return {
    '@context': 'https://schema.org',
    '@type': 'CollegeOrUniversity',
    name: school.schoolName,
    description: school.description,
    url,
    address: { '@type': 'PostalAddress', name: school.location, addressLocality: school.location },
  };
}

export interface ReviewedEntry {
  name: string;
  description: string;
  url: string;
  school: { name: string; url: string };
  average: number;
  count: number;
  newest: readonly Review[];
}

const RATING_BOUNDS = { bestRating: RATING_MAX, worstRating: RATING_MIN };

/** An entry as a part of its school, with its ratings once there are any. */
export function describeEntry({
  name,
  description,
  url,
  school,
  average,
  count,
  newest,
}: ReviewedEntry): StructuredData {
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: `${name} at ${school.name}`,
    description,
    url,
    parentOrganization: { '@type': 'CollegeOrUniversity', name: school.name, url: school.url },
    ...(count > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: Number(average.toFixed(2)),
        reviewCount: count,
        ...RATING_BOUNDS,
      },
      review: newest.map((review) => ({
        '@type': 'Review',
        author: { '@type': 'Person', name: review.username ?? ANONYMOUS },
        datePublished: review.createdAt.slice(0, 10),
        reviewBody: review.review,
        reviewRating: { '@type': 'Rating', ratingValue: review.rating, ...RATING_BOUNDS },
      })),
    }),
  };
}

/** As a script element that no text inside can end: `<` never appears in it. */
export function toScript(data: StructuredData): string {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `<script type="application/ld+json">${json}</script>`;
}
