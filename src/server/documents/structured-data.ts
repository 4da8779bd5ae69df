import type { Category } from '../../contract/categories.ts';
import { ANONYMOUS, type Review } from '../../contract/reviews.ts';
import type { SchoolFields } from '../../contract/schools.ts';
import { RATING_MAX, RATING_MIN } from '../../contract/stars.ts';

/** Data about a page for search engines, in the vocabulary of https://schema.org. */
export type StructuredData = Record<string, unknown>;

const CONTEXT = { '@context': 'https://schema.org' };
const RATING_BOUNDS = { bestRating: RATING_MAX, worstRating: RATING_MIN };

/** A mean and the number of its reviews. */
export interface RatingFigures {
  average: number;
  count: number;
}

/** Empty without reviews: search engines treat a rating by nobody as an error. */
function describeRating({ average, count }: RatingFigures, aspect: StructuredData = {}): StructuredData {
  if (count === 0) return {};
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: Number(average.toFixed(2)),
      reviewCount: count,
      ...RATING_BOUNDS,
      ...aspect,
    },
  };
}

function describeReviews(reviews: readonly Review[], aspect: StructuredData): StructuredData {
  if (reviews.length === 0) return {};
  return {
    review: reviews.map((review) => ({
      '@type': 'Review',
      author: { '@type': 'Person', name: review.username ?? ANONYMOUS },
      datePublished: review.createdAt.slice(0, 10),
      reviewBody: review.review,
      reviewRating: { '@type': 'Rating', ratingValue: review.rating, ...RATING_BOUNDS },
      ...aspect,
    })),
  };
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

let countryCodes: ReadonlyMap<string, string> | undefined;

/** The ISO 3166-1 code of a country by its English name. */
function countryCode(name: string): string | undefined {
  if (!countryCodes) {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const pairs = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
    countryCodes = new Map(pairs.map((code) => [names.of(code) ?? code, code]));
  }
  return countryCodes.get(name);
}

/**
 * A school's location as structured data. It is split if its last part is a country ("Bergen, Norway"). Otherwise it
 * stays one text, which schema.org allows too: "Bolivia, Plurinational State of" is not a town called Bolivia.
 */
export function describeLocation(location: string): StructuredData | string {
  const parts = location.split(',').map((part) => part.trim());
  const addressCountry = countryCode(parts.at(-1) ?? '');
  const [addressLocality, ...regions] = parts.slice(0, -1);
  if (!addressCountry || !addressLocality) return location;
  return {
    '@type': 'PostalAddress',
    addressLocality,
    ...(regions.length > 0 && { addressRegion: regions.join(', ') }),
    addressCountry,
  };
}

function namedSchool({ schoolName, location }: SchoolFields, url: string): StructuredData {
  return { '@type': 'CollegeOrUniversity', '@id': url, name: schoolName, url, address: describeLocation(location) };
}

/** A school with the rating of all its reviews. */
export function describeSchool(school: SchoolFields, url: string, rating: RatingFigures): StructuredData {
  const { description, aliases = [] } = school;
  const otherNames = aliases.length > 0 && { alternateName: aliases };
  return { ...CONTEXT, ...namedSchool(school, url), ...otherNames, description, ...describeRating(rating) };
}

interface ReviewedEntry {
  category: Category;
  name: string;
  description: string;
  url: string;
  school: SchoolFields;
  schoolUrl: string;
  rating: RatingFigures;
  newestReviews: readonly Review[];
}

/**
 * An entry as a part of its school or, in a category without a schema.org type, as an aspect of the school.
 */
export function describeEntry(entry: ReviewedEntry): StructuredData {
  const { category, name, description, url, rating, newestReviews } = entry;
  const school = namedSchool(entry.school, entry.schoolUrl);
  if (!category.schema) {
    const aspect = { reviewAspect: name };
    return { ...CONTEXT, ...school, ...describeRating(rating, aspect), ...describeReviews(newestReviews, aspect) };
  }
  const { type, schoolAs, isPlace } = category.schema;
  return {
    ...CONTEXT,
    '@type': type,
    name: `${name} at ${entry.school.schoolName}`,
    description,
    url,
    ...(isPlace && { address: school.address }),
    [schoolAs]: school,
    ...describeRating(rating),
    ...describeReviews(newestReviews, {}),
  };
}

/** The breadcrumb of a page, topmost first, including the page itself. */
export function describeTrail(trail: readonly { name: string; url: string }[]): StructuredData {
  const itemListElement = trail.map(({ name, url }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: url,
  }));
  return { ...CONTEXT, '@type': 'BreadcrumbList', itemListElement };
}

/**
 * A script element that holds data as JSON. Browsers do not run it, and no text in it can end it: every `<` is escaped.
 * @param attributes its type, and an id if another script has to find it
 */
export function toScript(data: unknown, attributes = 'type="application/ld+json"'): string {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `<script ${attributes}>${json}</script>`;
}
