import type { ErrorObject } from 'ajv';
import { LINE } from '../../../contract/fields.ts';

/** A schema in the form for Ajv, with the texts of its refusals. */
export interface AjvSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  /** The beginning of every sentence: "The school name". */
  readonly title: string;
  /** The name of the property in the call. A nested one has a path: "review.rating". */
  readonly field?: string;
  /** The whole sentence for a value that does not match. */
  readonly says?: string;
  /** Whether the text is trimmed and composed before the check. Other texts are not changed. */
  readonly isProse?: boolean;
  /** Null and empty text count as absent. */
  readonly isBlankAbsent?: boolean;
  readonly isStorable?: true;
  readonly isUsername?: true;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  /** The properties of an object, in the order of the schema. */
  readonly fields?: readonly (readonly [key: string, schema: AjvSchema])[];
  readonly items?: AjvSchema;
  readonly anyOf?: readonly AjvSchema[];
}

const orList = new Intl.ListFormat('en', { type: 'disjunction' });

/** The constant properties that distinguish the objects of a union. */
const constantsOf = ({ fields = [] }: AjvSchema) => fields.filter(([, { const: value }]) => value !== undefined);

function describeNumber({ type, minimum = 1, maximum = Number.MAX_SAFE_INTEGER, multipleOf }: AjvSchema): string {
  const isBounded = maximum < Number.MAX_SAFE_INTEGER;
  if (type === 'integer') return isBounded ? `a whole number from ${minimum} to ${maximum}` : 'a positive whole number';
  const range = isBounded ? `a number from ${minimum} to ${maximum}` : 'a number';
  return multipleOf === undefined ? range : `${range} in steps of ${multipleOf}`;
}

/** The words after "must be". */
function describeSchema(schema: AjvSchema): string {
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum) return orList.format(schema.enum.map(String));
  if (schema.anyOf) return orList.format(schema.anyOf.filter(({ type }) => type !== 'null').map(describeSchema));
  if (schema.type === 'integer' || schema.type === 'number') return describeNumber(schema);
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') return 'a list';
  if (schema.type !== 'object') return 'text';
  const constants = constantsOf(schema).map(([key, { const: value }]) => `${key} ${value}`);
  return ['an object', ...constants].join(' with ');
}

const describeCount = (items: number | undefined, noun: string) =>
  `${items?.toLocaleString('en')} ${noun}${items === 1 ? '' : 's'}`;

/** The predicate of a sentence, by JSON Schema keyword. For other keywords it is "must be" and `describeSchema`. */
const PREDICATES: Readonly<Record<string, (schema: AjvSchema, value: unknown) => string>> = {
  isStorable: () => 'contains characters that cannot be stored',
  minLength: ({ minLength }, value) =>
    value === '' ? 'must not be empty' : `must have at least ${describeCount(minLength, 'character')}`,
  maxLength: ({ maxLength }) => `must have at most ${describeCount(maxLength, 'character')}`,
  minItems: ({ minItems }) => `must have at least ${describeCount(minItems, 'item')}`,
  maxItems: ({ maxItems }) => `must have at most ${describeCount(maxItems, 'item')}`,
  uniqueItems: () => 'must not contain the same item twice',
  pattern: ({ pattern }) =>
    pattern === LINE ? 'must be one line, without control characters' : 'does not have the form that is needed here',
};

function isMatch(schema: AjvSchema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  if (schema.anyOf) return branchOf(schema.anyOf, value) !== undefined;
  if (schema.type === 'null') return value === null;
  if (schema.type === 'array') return Array.isArray(value);
  if (schema.type === 'integer' || schema.type === 'number') return typeof value === 'number';
  if (schema.type !== 'object') return schema.type === undefined || typeof value === schema.type;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return constantsOf(schema).every(([key, tag]) => (value as Record<string, unknown>)[key] === tag.const);
}

/** The branch of a union that matches a value by its type and its constants; undefined when there is none. */
export function branchOf(branches: readonly AjvSchema[], value: unknown): AjvSchema | undefined {
  return branches.find((branch) => isMatch(branch, value));
}

/**
 * Describes Ajv's errors in one sentence. The last error is the outermost; the others belong to the branches of a
 * union.
 * @returns field: the name of the property in the call; undefined for the whole value
 */
export function describeError(errors: readonly ErrorObject[]): { sentence: string; field: string | undefined } {
  const error = errors.at(-1) as ErrorObject;
  const { keyword, data, params, schemaPath } = error;
  if (keyword === 'required') {
    const { properties } = error.parentSchema as { properties: Record<string, AjvSchema> };
    const missing = properties[params.missingProperty] as AjvSchema;
    return { sentence: `${missing.title} is missing.`, field: missing.field };
  }
  // Safe: Ajv gets only schemas of this type.
  const schema = error.parentSchema as AjvSchema;
  const branch = schema.anyOf?.findIndex((one) => isMatch(one, data)) ?? -1;
  if (branch >= 0 && schema.says === undefined) {
    return describeError(errors.filter((one) => one.schemaPath.startsWith(`${schemaPath}/${branch}/`)));
  }
  const predicate = PREDICATES[keyword]?.(schema, data) ?? `must be ${describeSchema(schema)}`;
  return { sentence: schema.says ?? `${schema.title} ${predicate}.`, field: schema.field };
}
