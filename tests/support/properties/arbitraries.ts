import fc from 'fast-check';

/** The parts of JSON Schema that the contract's schemas use. */
export interface Schema {
  readonly type?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly pattern?: string;
  readonly isProse?: boolean;
  readonly isUsername?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly maxItems?: number;
}

/** Short texts: long ones find nothing more, and the corpus tries the limits of lengths. */
const LENGTH_MAX = 200;

const lengthOf = (text: string) => [...text].length;
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');
/** Whether something of a text can be seen; false for some rare ones too, such as private characters alone. */
export const isVisible = (text: string) => /[^\p{DI}\p{C}\p{Z}\u2800\u{1d159}]/u.test(text);

const [SURROGATES, SURROGATES_END, LAST] = [0xd800, 0xe000, 0x10ffff];
const SURROGATE_COUNT = SURROGATES_END - SURROGATES;

/** Any character. For the unit "binary" fast-check makes a table of all of them, which takes more than a second. */
const character = fc.integer({ min: 0, max: LAST - SURROGATE_COUNT }).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + SURROGATE_COUNT),
  (text) => {
    const code = typeof text === 'string' ? (text.codePointAt(0) ?? 0) : 0;
    if (text !== String.fromCodePoint(code)) throw new Error('This is not one character.');
    return code < SURROGATES ? code : code - SURROGATE_COUNT;
  },
);

function textOf({ minLength = 0, maxLength = LENGTH_MAX, pattern, isProse }: Schema): fc.Arbitrary<string> {
  const max = Math.min(maxLength, LENGTH_MAX);
  const texts = pattern
    ? fc.stringMatching(new RegExp(pattern))
    : fc.oneof(
        fc.string({ unit: character, minLength, maxLength: max }),
        fc.string({ unit: 'grapheme', minLength, maxLength: Math.ceil(max / 4) }),
      );
  const fits = (text: string) => {
    if (isProse && text.trim() !== '' && !isVisible(text)) return false;
    const length = lengthOf(isProse ? text.normalize('NFC').trim() : text);
    return length >= minLength && length <= maxLength && isStorable(text);
  };
  return texts.filter(fits);
}

function numberOf({ minimum = -1e6, maximum = 1e6, multipleOf = 1 }: Schema): fc.Arbitrary<number> {
  return fc
    .integer({ min: Math.ceil(minimum / multipleOf), max: Math.floor(maximum / multipleOf) })
    .map((steps) => steps * multipleOf);
}

/** JSON without the keys that set prototypes, which the parser refuses, and without a text that cannot be stored. */
const anyJson = fc
  .jsonValue()
  .filter((value) => !/__proto__|constructor/.test(JSON.stringify(value)))
  .filter((value) => typeof value !== 'string' || isStorable(value));

/** Values that fit a schema. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.properties) {
    const { properties, required = [] } = schema;
    const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valuesOf(part)]));
    return fc.record(parts, { requiredKeys: [...required] });
  }
  if (schema.items) return fc.array(valuesOf(schema.items), { maxLength: schema.maxItems ?? LENGTH_MAX });
  if (schema.isUsername) return fc.stringMatching(/^[A-Za-z0-9][\w.-]{2,31}$/);
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  return anyJson;
}

/** One change that breaks a request. */
export type Break =
  | { readonly kind: 'field'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'left out'; readonly name: string }
  | { readonly kind: 'body'; readonly text: string }
  | { readonly kind: 'id'; readonly text: string }
  | { readonly kind: 'query'; readonly text: string }
  | { readonly kind: 'type'; readonly text: string };

const anyText = fc.oneof(
  fc.string({ unit: character }),
  fc.string(),
  fc.integer().map(String),
  fc.double().map(String),
);
const anyQuery = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom('limit', 'before', 'prefix', 'email'), anyText), anyText), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`).join('&'));

/** Encodes a text for an address, also one that is not well-formed. */
export function escapeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Ways to break a request that has these fields in its body, an id in its path or neither. */
export function breaksOf(fields: readonly string[], hasId: boolean): fc.Arbitrary<Break> {
  const ofBody = (name: fc.Arbitrary<string>): fc.Arbitrary<Break>[] => [
    fc.record({ kind: fc.constant('field' as const), name, value: fc.jsonValue() }),
    fc.record({ kind: fc.constant('left out' as const), name }),
    fc.record({ kind: fc.constant('body' as const), text: fc.oneof(fc.json(), anyText) }),
    fc.record({ kind: fc.constant('type' as const), text: fc.stringMatching(/^[ -~]{0,40}$/) }),
  ];
  return fc.oneof(
    ...(fields.length > 0 ? ofBody(fc.constantFrom(...fields)) : []),
    ...(hasId ? [fc.record({ kind: fc.constant('id' as const), text: anyText })] : []),
    fc.record({ kind: fc.constant('query' as const), text: anyQuery }),
  );
}
