import type { ErrorObject } from 'ajv';
import { LINE } from '../../../contract/fields.ts';

/** A schema in the form for Ajv, with the texts of its refusals. */
export interface Plan {
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
  readonly fields?: readonly (readonly [key: string, plan: Plan])[];
  readonly items?: Plan;
  readonly anyOf?: readonly Plan[];
}

const orList = new Intl.ListFormat('en', { type: 'disjunction' });

/** The constant properties that distinguish the objects of a union. */
const constantsOf = ({ fields = [] }: Plan) => fields.filter(([, { const: value }]) => value !== undefined);

function describeNumber({ type, minimum = 1, maximum = Number.MAX_SAFE_INTEGER, multipleOf }: Plan): string {
  const isBounded = maximum < Number.MAX_SAFE_INTEGER;
  if (type === 'integer') return isBounded ? `a whole number from ${minimum} to ${maximum}` : 'a positive whole number';
  const range = isBounded ? `a number from ${minimum} to ${maximum}` : 'a number';
  return multipleOf === undefined ? range : `${range} in steps of ${multipleOf}`;
}

/** The words after "must be". */
function describePlan(plan: Plan): string {
  if (plan.const !== undefined) return String(plan.const);
  if (plan.enum) return orList.format(plan.enum.map(String));
  if (plan.anyOf) return orList.format(plan.anyOf.filter(({ type }) => type !== 'null').map(describePlan));
  if (plan.type === 'integer' || plan.type === 'number') return describeNumber(plan);
  if (plan.type === 'boolean') return 'true or false';
  if (plan.type === 'array') return 'a list';
  if (plan.type !== 'object') return 'text';
  const constants = constantsOf(plan).map(([key, { const: value }]) => `${key} ${value}`);
  return ['an object', ...constants].join(' with ');
}

const describeCount = (items: number | undefined, noun: string) =>
  `${items?.toLocaleString('en')} ${noun}${items === 1 ? '' : 's'}`;

/** What a sentence says of its subject, by JSON Schema keyword. For the others it is "must be" and `describePlan`. */
const PREDICATES: Readonly<Record<string, (plan: Plan, value: unknown) => string>> = {
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

function fits(plan: Plan, value: unknown): boolean {
  if (plan.const !== undefined) return plan.const === value;
  if (plan.enum) return plan.enum.includes(value);
  if (plan.anyOf) return branchOf(plan.anyOf, value) !== undefined;
  if (plan.type === 'null') return value === null;
  if (plan.type === 'array') return Array.isArray(value);
  if (plan.type === 'integer' || plan.type === 'number') return typeof value === 'number';
  if (plan.type !== 'object') return plan.type === undefined || typeof value === plan.type;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return constantsOf(plan).every(([key, tag]) => (value as Record<string, unknown>)[key] === tag.const);
}

/** The branch of a union that matches a value by its type and its constants; undefined when there is none. */
export function branchOf(branches: readonly Plan[], value: unknown): Plan | undefined {
  return branches.find((branch) => fits(branch, value));
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
    const { properties } = error.parentSchema as { properties: Record<string, Plan> };
    const missing = properties[params.missingProperty] as Plan;
    return { sentence: `${missing.title} is missing.`, field: missing.field };
  }
  // Safe: every schema that Ajv checks here is a plan.
  const plan = error.parentSchema as Plan;
  const branch = plan.anyOf?.findIndex((one) => fits(one, data)) ?? -1;
  if (branch >= 0 && plan.says === undefined) {
    return describeError(errors.filter((one) => one.schemaPath.startsWith(`${schemaPath}/${branch}/`)));
  }
  const predicate = PREDICATES[keyword]?.(plan, data) ?? `must be ${describePlan(plan)}`;
  return { sentence: plan.says ?? `${plan.title} ${predicate}.`, field: plan.field };
}
