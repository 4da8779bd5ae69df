import * as Type from 'typebox';
import { CATEGORIES } from './categories.ts';

/** Ids are positive and exact in every language that reads JSON. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, title: 'The id' });

export const SchoolId = Type.Integer({ ...Id, title: 'The schoolId' });

/** The path parameter of `/…/:id`. */
export const IdParams = Type.Object({ id: Id });

interface TextOptions {
  /** The beginning of every sentence about the field: "The school name". */
  title: string;
  /** The minimum number of characters after trimming. */
  min?: number;
  /** The maximum number of characters (code points). */
  max: number;
}

/**
 * A text written by people. The server trims it and stores it in Unicode's composed form (NFC). A text in which nothing
 * can be seen counts as empty. The server refuses NUL and lone surrogates, which PostgreSQL cannot store.
 */
/* @__NO_SIDE_EFFECTS__ */
export function text({ title, min = 1, max }: TextOptions) {
  return Type.String({ title, minLength: min, maxLength: max, isProse: true });
}

/** Control characters, line breaks, and characters that change the direction of the text after them. */
const FORBIDDEN_IN_LINE = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

/** The pattern of a text of one line. */
export const LINE = `^[^${FORBIDDEN_IN_LINE}]*$`;

/**
 * A text of one line, such as a name. Mails and pages quote it in their own sentences: after a line break it could pass
 * for one of those.
 */
/* @__NO_SIDE_EFFECTS__ */
export function line(options: TextOptions) {
  return Type.String({ ...text(options), pattern: LINE });
}

/** Puts a name into one line. Names stored by earlier versions may have line breaks. */
export function inOneLine(name: string): string {
  const forbidden = new RegExp(`[${FORBIDDEN_IN_LINE}]+`, 'g');
  return name.replaceAll(forbidden, ' ').replaceAll(/\s+/g, ' ').trim();
}

/** A text that is not changed in any way, not even trimmed: passwords and codes. */
/* @__NO_SIDE_EFFECTS__ */
export function verbatim({ title, min = 1, max }: TextOptions) {
  return Type.String({ title, minLength: min, maxLength: max });
}

/** The attributes of a form field that follow from the schema of the call. */
export function inputLimits(schema: Type.TSchema, name: string): { maxLength?: number | undefined; required: boolean } {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { maxLength?: number; minLength?: number }>;
    required?: string[];
  };
  const { maxLength, minLength = 0 } = properties[name] ?? {};
  return { maxLength, required: required.includes(name) && minLength > 0 };
}

/** For calls that take the category as a parameter. */
export const CategoryField = Type.Enum(
  CATEGORIES.map(({ kind }) => kind),
  { title: 'The category' },
);

/** An instant in UTC as ISO 8601. */
export const Instant = Type.String({ format: 'date-time', title: 'The time' });

/** The mean of ratings; null when there are none, or too few. */
export const Mean = Type.Union([Type.Number(), Type.Null()]);

/**
 * A field of an answer that the specification does not name. The server always sends it. Its type says that it may be
 * absent, because a shared cache or another process may still answer as an earlier version did, and every page has to
 * work without the field.
 */
/* @__NO_SIDE_EFFECTS__ */
export function addedField<S extends Type.TSchema>(schema: S) {
  return Type.Unsafe<Type.Static<S> | undefined>(schema);
}

/** The number of rows on a page of a paged list: the maximum and the default. */
export const LIST_LIMIT_MAX = 100;

/**
 * The query of a paged list.
 * @param valueCounts for each order of the list, the number of values that it sorts by: a cursor consists of them
 */
/* @__NO_SIDE_EFFECTS__ */
export function pageQuery(...valueCounts: readonly (1 | 2 | 3)[]) {
  const pattern = `^(?:${valueCounts.map((count) => Array(count).fill('\\d{1,16}').join('-')).join('|')})$`;
  return {
    limit: Type.Optional(Type.Integer({ title: 'The limit', minimum: 1, maximum: LIST_LIMIT_MAX })),
    /** The cursor from the link to the next page. */
    before: Type.Optional(Type.String({ title: 'The cursor', pattern })),
  };
}
