import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type * as Type from 'typebox';
import { isUsername } from '../../../contract/usernames.ts';
import { refusals } from '../refusals/refusals.ts';
import { type AjvSchema, branchOf, describeError } from './validation-errors.ts';

/** The product's own keywords in the contract's schemas: texts for people, and how a value is prepared. */
interface Annotated extends Omit<AjvSchema, 'title' | 'fields' | 'items' | 'anyOf'> {
  title?: string;
  properties?: Readonly<Record<string, Annotated>>;
  required?: readonly string[];
  items?: Annotated;
  anyOf?: readonly Annotated[];
}

/** Keywords without influence on validation. */
const ANNOTATIONS = ['says', 'field', 'fields', 'isProse', 'isBlankAbsent'];

let ajv: Ajv | undefined;

/** Made with the first check, so that starting the browser or the server does not wait for it. */
function getAjv(): Ajv {
  if (ajv) return ajv;
  // Schemas are not validated here: a test compiles every schema of the contract in strict mode.
  ajv = new Ajv({
    verbose: true,
    messages: false,
    strictTypes: false,
    validateSchema: false,
    meta: false,
    ownProperties: true,
  });
  ajv.addVocabulary(ANNOTATIONS);
  // Checked before the lengths: a text that cannot be stored gets this error, however long it is.
  ajv.addKeyword({
    keyword: 'isStorable',
    type: 'string',
    before: 'maxLength',
    errors: false,
    validate: (_: true, text: string) => isStorable(text),
  });
  ajv.addKeyword({
    keyword: 'isUsername',
    type: 'string',
    errors: false,
    validate: (_: true, text: string) => isUsername(text),
  });
  return ajv;
}

/**
 * A schema in the form that Ajv compiles. Each part knows its name, its field and its sentence, so that errors contain
 * them. Each property is in an `allOf` of its own: Ajv would otherwise report all missing ones before it checks the
 * first.
 */
function toAjvSchema(schema: Annotated, name: string, field?: string, inherited?: string): AjvSchema {
  const { properties, required = [], items, anyOf, ...keywords } = schema;
  const title = schema.title ?? name;
  const says = schema.says ?? inherited;
  const ajvSchema: AjvSchema = {
    ...keywords,
    title,
    ...(field !== undefined && { field }),
    ...(says !== undefined && { says }),
  };
  if (properties) {
    const path = (key: string) => (field === undefined ? key : `${field}.${key}`);
    const fields = Object.entries(properties).map(
      ([key, property]) => [key, toAjvSchema(property, `The ${key}`, path(key))] as const,
    );
    const allOf = fields.map(([key, property]) => ({
      properties: { [key]: property },
      ...(required.includes(key) && { required: [key] }),
    }));
    return { ...ajvSchema, fields, ...(allOf.length > 0 && { allOf }) };
  }
  if (items) return { ...ajvSchema, items: toAjvSchema(items, title.replace(/^The /, 'Each of the '), field, says) };
  if (anyOf) return { ...ajvSchema, anyOf: anyOf.map((branch) => toAjvSchema(branch, title, field, says)) };
  return ajvSchema.type === 'string' ? { ...ajvSchema, isStorable: true } : ajvSchema;
}

const isBlank = (value: unknown) => value === null || value === '';

/**
 * Converts input before validation: parses the numbers and lists of an address, and normalises and trims texts. Removes
 * fields that the schema does not name, so that they are never stored.
 */
function prepareInput(schema: AjvSchema, input: unknown, fromAddress: boolean): unknown {
  if (schema.fields) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
    const source = input as Record<string, unknown>;
    const prepared: [string, unknown][] = [];
    for (const [name, property] of schema.fields) {
      if (!Object.hasOwn(source, name) || source[name] === undefined) continue;
      const value = prepareInput(property, source[name], fromAddress);
      if (!(property.isBlankAbsent && isBlank(value))) prepared.push([name, value]);
    }
    return Object.fromEntries(prepared);
  }
  if (schema.items) return prepareList(schema, schema.items, input, fromAddress);
  if (schema.anyOf) {
    const branch = branchOf(schema.anyOf, input);
    return branch ? prepareInput(branch, input, fromAddress) : input;
  }
  if (typeof input !== 'string') return input;
  if (fromAddress && (schema.type === 'integer' || schema.type === 'number')) return readNumber(input, schema.type);
  return schema.isProse ? trimText(composeText(input, schema.maxLength ?? input.length)) : input;
}

function prepareList({ maxItems }: AjvSchema, item: AjvSchema, input: unknown, fromAddress: boolean): unknown {
  const list = fromAddress && typeof input === 'string' ? (input === '' ? [] : input.split(',')) : input;
  if (!Array.isArray(list) || list.length > (maxItems ?? Number.POSITIVE_INFINITY)) return list;
  return list.map((one) => prepareInput(item, one, fromAddress));
}

type Check<S extends Type.TSchema> = (input: unknown) => Type.Static<S>;

function makeCheck<S extends Type.TSchema>(schema: S, fromAddress: boolean): Check<S> {
  const ajvSchema = toAjvSchema(schema as Annotated, 'The body');
  let validate: ValidateFunction | undefined;
  return (input) => {
    validate ??= getAjv().compile(ajvSchema);
    const prepared = prepareInput(ajvSchema, input, fromAddress);
    if (validate(prepared)) return prepared as Type.Static<S>;
    const { sentence, field } = describeError(validate.errors as ErrorObject[]);
    throw refusals.badInput(sentence, field);
  };
}

const checks = {
  address: new WeakMap<object, Check<Type.TSchema>>(),
  body: new WeakMap<object, Check<Type.TSchema>>(),
};

/**
 * Makes the check for a part of a call. The check returns only the fields that the schema names. Ajv compiles a schema
 * with its first check, once for all calls that share it.
 * @param fromAddress true for path and query, which contain numbers as text, and lists as text with commas
 * @returns a function that throws a 400 with one sentence about the first error, and its field
 */
export function compileCheck<S extends Type.TSchema>(schema: S, fromAddress: boolean): Check<S> {
  const shared = fromAddress ? checks.address : checks.body;
  const check = shared.get(schema) ?? makeCheck(schema, fromAddress);
  shared.set(schema, check);
  return check as Check<S>;
}

/** The spelling of numbers in a path or query: no sign, no exponent, no more digits than the largest safe integer. */
const NUMBER_SPELLINGS = { integer: /^\d{1,16}$/, number: /^\d{1,12}(?:\.\d{1,3})?$/ };

/** Converts a text in an address to a number. A text that is no number is returned unchanged. */
function readNumber(text: string, type: 'integer' | 'number'): number | string {
  return NUMBER_SPELLINGS[type].test(text) ? Number(text) : text;
}

/** The longest sequence that composes into one character: a Greek vowel with three marks. */
const MARKS_COMPOSED_MAX = 3;

/** Characters below U+0300 are always composed: most texts need neither of the two slow checks. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/**
 * Composes a text (NFC), unless it has more combining marks than `max`, the number of characters allowed: sorting the
 * marks of one character takes quadratic time, and 30,000 of them blocked the process for half a second.
 */
function composeText(text: string, max: number): string {
  if (!MAY_COMPOSE.test(text)) return text;
  let marks = 0;
  for (const [run] of text.matchAll(/\p{M}+/gu)) marks += Math.max(0, [...run].length - MARKS_COMPOSED_MAX);
  return marks > max ? text : text.normalize('NFC');
}

/**
 * Characters without a shape of their own: whitespace, controls (except NUL, which is refused), and those that Unicode
 * tells renderers to ignore, such as joiners. Braille's blank, the null notehead and the marks of annotations are
 * listed by code point, because Unicode gives them no such property.
 */
const INVISIBLE = /^[[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800\ufff9-\ufffb\u{1d159}]--\0]*$/v;

/**
 * Removes whitespace from both ends. A text in which nothing can be seen becomes empty; in others invisible characters
 * stay, because many scripts need them inside words.
 */
function trimText(text: string): string {
  return INVISIBLE.test(text) ? '' : text.trim();
}

/** False for NUL, which PostgreSQL cannot store, and lone surrogates, which UTF-8 cannot represent; on SQLite too. */
function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
