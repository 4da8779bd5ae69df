import * as Type from 'typebox';
import { CATEGORIES } from './categories.ts';

/** Ids are positive and exact in every language that reads JSON. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, title: 'The id' });

/** `/…/:id`, as the path carries it. */
export const IdParams = Type.Object({ id: Id });

interface TextOptions {
  /** Begins every sentence about the field: "The school name". */
  title: string;
  /** Smallest number of characters left after trimming. */
  min?: number;
  /** Largest number of characters (code points). */
  max: number;
}

/**
 * A text that people wrote. The server stores it in Unicode's composed form (NFC) without white space at the ends,
 * and refuses NUL and lone surrogates, which PostgreSQL cannot hold.
 */
export function text({ title, min = 1, max }: TextOptions) {
  return Type.String({ title, minLength: min, maxLength: max, isProse: true });
}

/** A text taken as typed, to the last space: passwords and codes. */
export function verbatim({ title, min = 1, max }: TextOptions) {
  return Type.String({ title, minLength: min, maxLength: max });
}

/** What a form's field takes over from the schema of the call that it sends. */
export function inputLimits(schema: Type.TSchema, name: string): { maxLength?: number | undefined; required: boolean } {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { maxLength?: number; minLength?: number }>;
    required?: string[];
  };
  const { maxLength, minLength = 0 } = properties[name] ?? {};
  return { maxLength, required: required.includes(name) && minLength > 0 };
}

/** Which category a call is about, where neither its name nor an id says it. */
export const CategoryField = Type.Enum(
  CATEGORIES.map(({ kind }) => kind),
  { title: 'The category' },
);

/** An instant in UTC as ISO 8601. */
export const Instant = Type.String({ format: 'date-time', title: 'The time' });

/** Rows of one page of a list that pages, and as many without a limit. */
export const LIST_LIMIT_MAX = 100;

/**
 * The query of a list that pages.
 * @param values how many values the list is sorted by, in each of its orders: a cursor names them all
 */
export function pageQuery(...values: readonly (1 | 2 | 3)[]) {
  const pattern = `^(?:${values.map((count) => Array(count).fill('\\d{1,16}').join('-')).join('|')})$`;
  return {
    limit: Type.Optional(Type.Integer({ title: 'The limit', minimum: 1, maximum: LIST_LIMIT_MAX })),
    /** The cursor out of the link to the page. */
    before: Type.Optional(Type.String({ title: 'The cursor', pattern })),
  };
}
