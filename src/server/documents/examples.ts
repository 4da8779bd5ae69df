/** A part of a JSON Schema, as far as the contract uses it. */
export interface ExampleSchema {
  readonly type?: string;
  readonly anyOf?: readonly ExampleSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly items?: ExampleSchema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
}

/** Texts that people would write into the fields of these names. */
const EXAMPLE_TEXTS: Readonly<Record<string, string>> = {
  email: 'reader@example.org',
  pendingEmail: 'reader@example.com',
  username: 'reader',
  password: 'plain sailing on tuesdays',
  currentPassword: 'plain sailing on tuesdays',
  newPassword: 'another quiet harbour',
  verificationCode: '123456',
  forgotCode: '123456',
  code: '123456',
  schoolName: 'Harmattan University',
  location: 'Niamey, Niger',
  country: 'Niger',
  description: 'By the river, with evening classes.',
  name: 'Chess Club',
  entryName: 'Chess Club',
  clubName: 'Chess Club',
  majorName: 'Hydrology',
  category: 'Chess',
  type: 'Hall',
  review: 'Good people, and chairs that hold.',
  quote: 'Good people.',
  q: 'harmattan',
  ids: '1,2',
  message: 'Done.',
  reason: 'Many adverts.',
  hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/** Cursors of lists that are sorted by one, two and three values. */
const EXAMPLE_CURSORS = ['7', '1790000000000-7', '4-1790000000000-7'];

const EXAMPLE_INSTANT = '2026-01-31T12:00:00.000Z';

const PATTERN_CANDIDATES = [
  ...EXAMPLE_CURSORS,
  EXAMPLE_INSTANT,
  EXAMPLE_INSTANT.slice(0, 10),
  ...Object.values(EXAMPLE_TEXTS),
];

/**
 * An example that meets a schema, with every field that it may have.
 * @param name of the field
 */
export function exampleOf(schema: ExampleSchema, name = ''): unknown {
  const { anyOf, properties, items } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0], name);
  if (schema.type === 'object' || properties) {
    return Object.fromEntries(Object.entries(properties ?? {}).map(([key, one]) => [key, exampleOf(one, key)]));
  }
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(items ?? {}, name));
  if (schema.type === 'integer') return numberIn(schema, 1);
  if (schema.type === 'number') return numberIn(schema, 4);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'null') return null;
  return schema.type === 'string' ? textFor(schema, name) : {};
}

const numberIn = ({ minimum = 0, maximum = Number.POSITIVE_INFINITY }: ExampleSchema, usual: number) =>
  Math.min(Math.max(usual, minimum), maximum);

function textFor({ format, pattern, minLength = 0 }: ExampleSchema, name: string): string {
  if (format === 'date-time') return EXAMPLE_INSTANT;
  const text = EXAMPLE_TEXTS[name] ?? 'A few words.';
  const meets = (one: string) =>
    one.length >= minLength && (pattern === undefined || new RegExp(`${pattern}`).test(one));
  return [text, ...PATTERN_CANDIDATES].find(meets) ?? text;
}
