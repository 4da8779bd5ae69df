// Replaces TypeBox in the browser's bundle (vite.config.ts). It makes the same schemas as plain data, so that forms can
// use their limits and choices. The library itself was an eighth of the code of every page. A test compares both. The
// annotations let the build leave out schemas that nothing uses.

type Schema = object;
type Properties = Readonly<Record<string, Schema>>;

const optionalSchemas = new WeakSet<Schema>();

const integer = /* @__NO_SIDE_EFFECTS__ */ (options?: Schema): Schema => ({ type: 'integer', ...options });
const number = /* @__NO_SIDE_EFFECTS__ */ (options?: Schema): Schema => ({ type: 'number', ...options });
const string = /* @__NO_SIDE_EFFECTS__ */ (options?: Schema): Schema => ({ type: 'string', ...options });
const boolean = /* @__NO_SIDE_EFFECTS__ */ (options?: Schema): Schema => ({ type: 'boolean', ...options });
const nullSchema = /* @__NO_SIDE_EFFECTS__ */ (options?: Schema): Schema => ({ type: 'null', ...options });
const schemaAsGiven = /* @__NO_SIDE_EFFECTS__ */ (schema?: Schema): Schema => ({ ...schema });
const literalOf = /* @__NO_SIDE_EFFECTS__ */ (value: unknown, options?: Schema): Schema => ({
  type: typeof value,
  const: value,
  ...options,
});
const choiceOf = /* @__NO_SIDE_EFFECTS__ */ (values: readonly unknown[], options?: Schema): Schema => ({
  enum: values,
  ...options,
});
const unionOf = /* @__NO_SIDE_EFFECTS__ */ (anyOf: readonly Schema[], options?: Schema): Schema => ({
  anyOf,
  ...options,
});
const listOf = /* @__NO_SIDE_EFFECTS__ */ (items: Schema, options?: Schema): Schema => ({
  type: 'array',
  items,
  ...options,
});

/* @__NO_SIDE_EFFECTS__ */ function optionalOf(schema: Schema): Schema {
  const copy = { ...schema };
  optionalSchemas.add(copy);
  return copy;
}

/* @__NO_SIDE_EFFECTS__ */ function objectOf(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !optionalSchemas.has(properties[name] as Schema));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

/* @__NO_SIDE_EFFECTS__ */ function partialOf({ properties }: { properties: Properties }): Schema {
  return objectOf(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, optionalOf(part)])));
}

export {
  boolean as Boolean,
  choiceOf as Enum,
  integer as Integer,
  listOf as Array,
  literalOf as Literal,
  nullSchema as Null,
  number as Number,
  objectOf as Object,
  optionalOf as Optional,
  partialOf as Partial,
  schemaAsGiven as Unknown,
  schemaAsGiven as Unsafe,
  string as String,
  unionOf as Union,
};
