// Replaces TypeBox in the browser's bundle (vite.config.ts). It makes the same schemas as plain data, so that forms can
// use their limits and choices. The library itself was an eighth of the code of every page. A test compares both.

type Schema = object;
type Properties = Readonly<Record<string, Schema>>;

const optional = new WeakSet<Schema>();

const ofType =
  (type: string) =>
  (options?: Schema): Schema => ({ type, ...options });

const schemaAsGiven = (schema?: Schema): Schema => ({ ...schema });
const literalOf = (value: unknown, options?: Schema): Schema => ({ type: typeof value, const: value, ...options });
const choiceOf = (values: readonly unknown[], options?: Schema): Schema => ({ enum: values, ...options });
const unionOf = (anyOf: readonly Schema[], options?: Schema): Schema => ({ anyOf, ...options });
const listOf = (items: Schema, options?: Schema): Schema => ({ type: 'array', items, ...options });

function optionalOf(schema: Schema): Schema {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

function objectOf(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name] as Schema));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

function partialOf({ properties }: { properties: Properties }): Schema {
  return objectOf(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, optionalOf(part)])));
}

const [integer, number, string, boolean, nothing] = ['integer', 'number', 'string', 'boolean', 'null'].map(ofType);

export {
  boolean as Boolean,
  choiceOf as Enum,
  integer as Integer,
  listOf as Array,
  literalOf as Literal,
  nothing as Null,
  number as Number,
  objectOf as Object,
  optionalOf as Optional,
  partialOf as Partial,
  schemaAsGiven as Unknown,
  schemaAsGiven as Unsafe,
  string as String,
  unionOf as Union,
};
