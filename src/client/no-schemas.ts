// Stands in for TypeBox in what the browser gets (vite.config.ts). The browser takes types, addresses and names from the
// contract and checks nothing with its schemas, as the server does: they were an eighth of the code of every page.

const leftOut = () => ({});

/** The names of the params in a call's path are those of its schema. */
const named = (properties: object) => ({ properties });

export {
  leftOut as Array,
  leftOut as Boolean,
  leftOut as Enum,
  leftOut as Integer,
  leftOut as Null,
  leftOut as Number,
  leftOut as Optional,
  leftOut as Partial,
  leftOut as String,
  leftOut as Union,
  leftOut as Unknown,
  leftOut as Unsafe,
  named as Object,
};
