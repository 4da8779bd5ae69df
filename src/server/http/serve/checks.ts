import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type * as Type from 'typebox';
import { isUsername } from '../../../contract/usernames.ts';
import { refusals } from '../refusals/refusals.ts';
import { compose, isStorable, readNumber, trimText } from './typed-values.ts';
import { branchOf, describeError, type Plan } from './validation-errors.ts';

/** The product's own keywords in the contract's schemas: texts for people, and how a value is prepared. */
interface Annotated extends Omit<Plan, 'title' | 'fields' | 'items' | 'anyOf'> {
  title?: string;
  properties?: Readonly<Record<string, Annotated>>;
  required?: readonly string[];
  items?: Annotated;
  anyOf?: readonly Annotated[];
}

/** Keywords without influence on validation. */
const ANNOTATIONS = ['says', 'field', 'fields', 'isProse', 'isBlankAbsent'];

let made: Ajv | undefined;

/** Made with the first check, so that starting the browser or the server does not wait for it. */
function validators(): Ajv {
  if (made) return made;
  // Schemas are not validated here: a test compiles every schema of the contract in strict mode.
  made = new Ajv({
    verbose: true,
    messages: false,
    strictTypes: false,
    validateSchema: false,
    meta: false,
    ownProperties: true,
  });
  made.addVocabulary(ANNOTATIONS);
  // Checked before the lengths: a text that cannot be stored gets this error, however long it is.
  made.addKeyword({
    keyword: 'isStorable',
    type: 'string',
    before: 'maxLength',
    errors: false,
    validate: (_: true, text: string) => isStorable(text),
  });
  made.addKeyword({
    keyword: 'isUsername',
    type: 'string',
    errors: false,
    validate: (_: true, text: string) => isUsername(text),
  });
  return made;
}

/**
 * A schema in the form that Ajv compiles. Each part knows its name, its field and its sentence, so that errors contain
 * them. The properties are in a list, because Ajv would otherwise look for all missing ones before it checks the first.
 */
function planOf(schema: Annotated, name: string, field?: string, inherited?: string): Plan {
  const { properties, required = [], items, anyOf, ...keywords } = schema;
  const title = schema.title ?? name;
  const says = schema.says ?? inherited;
  const plan: Plan = { ...keywords, title, ...(field !== undefined && { field }), ...(says !== undefined && { says }) };
  if (properties) {
    const path = (key: string) => (field === undefined ? key : `${field}.${key}`);
    const fields = Object.entries(properties).map(
      ([key, property]) => [key, planOf(property, `The ${key}`, path(key))] as const,
    );
    const allOf = fields.map(([key, property]) => ({
      properties: { [key]: property },
      ...(required.includes(key) && { required: [key] }),
    }));
    return { ...plan, fields, ...(allOf.length > 0 && { allOf }) };
  }
  if (items) return { ...plan, items: planOf(items, title.replace(/^The /, 'Each of the '), field, says) };
  if (anyOf) return { ...plan, anyOf: anyOf.map((branch) => planOf(branch, title, field, says)) };
  return plan.type === 'string' ? { ...plan, isStorable: true } : plan;
}

const isBlank = (value: unknown) => value === null || value === '';

/**
 * Converts input before validation: parses the numbers and lists of an address, and normalises and trims texts. Removes
 * fields that the schema does not name, so that they are never stored.
 */
function prepare(plan: Plan, input: unknown, fromAddress: boolean): unknown {
  if (plan.fields) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
    const given = input as Record<string, unknown>;
    const taken: [string, unknown][] = [];
    for (const [name, property] of plan.fields) {
      if (!Object.hasOwn(given, name) || given[name] === undefined) continue;
      const value = prepare(property, given[name], fromAddress);
      if (!(property.isBlankAbsent && isBlank(value))) taken.push([name, value]);
    }
    return Object.fromEntries(taken);
  }
  if (plan.items) return prepareList(plan, plan.items, input, fromAddress);
  if (plan.anyOf) {
    const branch = branchOf(plan.anyOf, input);
    return branch ? prepare(branch, input, fromAddress) : input;
  }
  if (typeof input !== 'string') return input;
  if (fromAddress && (plan.type === 'integer' || plan.type === 'number')) return readNumber(input, plan.type);
  return plan.isProse ? trimText(compose(input, plan.maxLength ?? input.length)) : input;
}

function prepareList({ maxItems }: Plan, item: Plan, input: unknown, fromAddress: boolean): unknown {
  const list = fromAddress && typeof input === 'string' ? (input === '' ? [] : input.split(',')) : input;
  if (!Array.isArray(list) || list.length > (maxItems ?? Number.POSITIVE_INFINITY)) return list;
  return list.map((one) => prepare(item, one, fromAddress));
}

type Check<S extends Type.TSchema> = (input: unknown) => Type.Static<S>;

function makeCheck<S extends Type.TSchema>(schema: S, fromAddress: boolean): Check<S> {
  const plan = planOf(schema as Annotated, 'The body');
  let validate: ValidateFunction | undefined;
  return (input) => {
    validate ??= validators().compile(plan);
    const prepared = prepare(plan, input, fromAddress);
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
