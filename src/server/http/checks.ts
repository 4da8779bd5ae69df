import type * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import { refusals } from './refusals.ts';

/** What schemas of the contract carry beside JSON Schema: words for people and how text is taken. */
interface Annotated {
  type?: string;
  title?: string;
  /** The whole sentence when the value does not fit. */
  says?: string;
  /** Trimmed and composed before the check; texts without it are taken as typed. */
  isProse?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Annotated>;
  anyOf?: Annotated[];
}

/** Whole numbers as a path or query spells them: no sign, no exponent, no fraction, exact in a double. */
const WHOLE_NUMBER = /^\d{1,16}$/;

/** The longest sequence that composes into one character: a Greek vowel with three marks. */
const MARKS_COMPOSED_MAX = 3;

/**
 * Composes a text, unless its marks alone are more than it may have characters: marks on one character are put into
 * order first, in the square of their number, and 30,000 of them stopped everything for half a second.
 */
function compose(text: string, max: number): string {
  let marks = 0;
  for (const [run] of text.matchAll(/\p{M}+/gu)) marks += Math.max(0, lengthOf(run) - MARKS_COMPOSED_MAX);
  return marks > max ? text : text.normalize('NFC');
}

/** PostgreSQL cannot store NUL, UTF-8 cannot carry half a surrogate pair: refused everywhere, so engines agree. */
function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** The values that the schema names, prepared; what it does not name is left behind and so never stored. */
function prepare(schema: Annotated, input: unknown, fromAddress: boolean): unknown {
  if (schema.properties && typeof input === 'object' && input !== null && !Array.isArray(input)) {
    const given = input as Record<string, unknown>;
    const taken = Object.entries(schema.properties)
      .filter(([name]) => Object.hasOwn(given, name) && given[name] !== undefined)
      .map(([name, property]) => [name, prepare(property, given[name], fromAddress)]);
    return Object.fromEntries(taken);
  }
  if (typeof input !== 'string') return input;
  if (fromAddress && schema.type === 'integer' && WHOLE_NUMBER.test(input)) return Number(input);
  return schema.isProse ? compose(input, schema.maxLength ?? input.length).trim() : input;
}

const nameOf = (schema: Annotated, key: string) => schema.title ?? `The ${key}`;

function describeMisfit(schema: Annotated, key: string, value: unknown): string {
  const name = nameOf(schema, key);
  if (schema.says) return schema.says;
  if (typeof value === 'string' && !isStorable(value)) return `${name} contains characters that cannot be stored.`;
  if (schema.type === 'string') {
    if (typeof value !== 'string') return `${name} must be text.`;
    if (lengthOf(value) < (schema.minLength ?? 0)) {
      return value === '' ? `${name} must not be empty.` : `${name} must have at least ${schema.minLength} characters.`;
    }
    if (schema.maxLength) return `${name} must have at most ${schema.maxLength.toLocaleString('en')} characters.`;
  }
  if (schema.type === 'boolean') return `${name} must be true or false.`;
  if (schema.type === 'integer') {
    const bounded = schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER;
    return bounded
      ? `${name} must be a whole number from ${schema.minimum} to ${schema.maximum}.`
      : `${name} must be a positive whole number.`;
  }
  return `${name} does not have the form that is needed here.`;
}

/** Counts code points, as the limits are meant: an emoji is one character, a combining mark another. */
function lengthOf(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** The first property that does not fit, in words; undefined when all do. */
function findMisfit(
  schema: Annotated,
  value: unknown,
  key: string,
  fits: (schema: Annotated, value: unknown) => boolean,
): string | undefined {
  if (schema.properties) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return `${nameOf(schema, key)} must be an object.`;
    }
    const given = value as Record<string, unknown>;
    const required = (schema as { required?: string[] }).required ?? [];
    for (const [name, property] of Object.entries(schema.properties)) {
      if (!Object.hasOwn(given, name)) {
        if (required.includes(name)) return `${nameOf(property, name)} is missing.`;
        continue;
      }
      const misfit = findMisfit(property, given[name], name, fits);
      if (misfit) return misfit;
    }
    return undefined;
  }
  const fitting =
    fits(schema, value) &&
    (typeof value !== 'string' ||
      (isStorable(value) &&
        lengthOf(value) >= (schema.minLength ?? 0) &&
        lengthOf(value) <= (schema.maxLength ?? Number.POSITIVE_INFINITY)));
  return fitting ? undefined : describeMisfit(schema, key, value);
}

/**
 * Compiles a part of a call into its check: takes what came in, answers only what the schema names.
 * @param fromAddress path and query carry whole numbers as text
 * @returns a function that throws a 400 with one sentence about the first thing that is wrong
 */
export function compileCheck<S extends Type.TSchema>(
  schema: S,
  fromAddress: boolean,
): (input: unknown) => Type.Static<S> {
  const annotated = schema as Annotated;
  const leaves = new Map<Annotated, (value: unknown) => boolean>();
  const fits = (leaf: Annotated, value: unknown) => {
    let check = leaves.get(leaf);
    if (!check) {
      // Lengths are counted above: the compiled check would count what looks like one character as one.
      const { minLength: _min, maxLength: _max, ...rest } = leaf;
      const compiled = Compile(rest as Type.TSchema);
      check = (candidate) => compiled.Check(candidate);
      leaves.set(leaf, check);
    }
    return check(value);
  };
  return (input) => {
    const prepared = prepare(annotated, input, fromAddress);
    const misfit = findMisfit(annotated, prepared, 'body', fits);
    if (misfit) throw refusals.badInput(misfit);
    return prepared as Type.Static<S>;
  };
}
