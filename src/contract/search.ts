import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { addedField, Id, Mean, pageQuery } from './fields.ts';
import { SEARCH_TEXT_MAX } from './folding.ts';
import { RATING_MAX, RATING_MIN } from './stars.ts';

const COUNTRY_MAX = 200;

/** The orders of a list of schools. Default: the first. Schools with equally many reviews are sorted by name. */
const SchoolOrder = Type.Enum(['name', 'reviewed'], { title: 'The order' });
export type SchoolOrder = Type.Static<typeof SchoolOrder>;

/** How a school was found, best match first. */
export const MATCHES = ['alias', 'prefix', 'word', 'typo', 'close'] as const;
export type Match = (typeof MATCHES)[number];

const FoundSchool = Type.Object({
  id: Id,
  schoolName: Type.String(),
  location: Type.String(),
  /** The mean of all its reviews. */
  averageRating: Mean,
  totalReviews: Type.Integer(),
  /** Whether its figures count reviews that are being checked. */
  isBeingChecked: addedField(Type.Boolean()),
  /** Only present when the search has a text. */
  match: Type.Optional(Type.Enum([...MATCHES])),
  /** The alias that matched. */
  alias: Type.Optional(Type.String()),
});
export type FoundSchool = Type.Static<typeof FoundSchool>;

export const SchoolSearch = Type.Object({
  /** The number of schools found, on all pages together. */
  total: Type.Integer(),
  schools: Type.Array(FoundSchool),
  /** Sorted by name, each with the number of schools found without the country filter. */
  countries: Type.Array(Type.Object({ country: Type.String(), schools: Type.Integer() })),
});
export type SchoolSearch = Type.Static<typeof SchoolSearch>;

export const searchSchools = defineCall({
  name: 'searchSchools',
  summary: 'Schools by what people type, the closest match first, with the countries they are in',
  access: 'everyone',
  query: Type.Object({
    q: Type.Optional(Type.String({ title: 'The search text', maxLength: SEARCH_TEXT_MAX, isProse: true })),
    country: Type.Optional(
      Type.String({ title: 'The country', maxLength: COUNTRY_MAX, isProse: true, isBlankAbsent: true }),
    ),
    minRating: Type.Optional(
      Type.Number({ title: 'The minimum rating', minimum: RATING_MIN, maximum: RATING_MAX, isBlankAbsent: true }),
    ),
    /** By name, or the most reviewed first. With a search text it is ignored: the closest match comes first. */
    order: Type.Optional(SchoolOrder),
    ...pageQuery(1),
  }),
  answer: SchoolSearch,
});

/** The figures of one school. The last one is absent unless reviews of the school are being checked. */
export type SchoolFigures = readonly [id: number, averageRating: number, totalReviews: number, isBeingChecked?: true];

export const getSchoolFigures = defineCall({
  name: 'getSchoolFigures',
  summary:
    'Of every school that has reviews its id, their mean, their number, and true if some of them are being checked, a minute behind at most',
  access: 'everyone',
  answer: Type.Array(
    Type.Unsafe<SchoolFigures>(
      Type.Array(Type.Union([Type.Number(), Type.Literal(true)]), { minItems: 3, maxItems: 4 }),
    ),
  ),
});

export const getSchoolTotals = defineCall({
  name: 'getSchoolTotals',
  summary: 'How many schools there are, and how many of them have reviews, a minute behind at most',
  access: 'everyone',
  answer: Type.Object({ schools: Type.Integer(), reviewed: Type.Integer() }),
});

export const SEARCH_CALLS = [searchSchools, getSchoolFigures, getSchoolTotals];
