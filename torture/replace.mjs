/**
 * A module hook that replaces a text in one of the product's files as it is loaded: faults are built in from outside,
 * so that the product needs no switch for them.
 * @param {string} fileEnd @param {string} text @param {string} replacement
 * @returns {import('node:module').LoadHookSync}
 */
export function replaceIn(fileEnd, text, replacement) {
  return (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith(fileEnd)) return loaded;
    const source = String(loaded.source);
    if (!source.includes(text)) throw new Error(`${fileEnd} does not hold "${text}".`);
    return { ...loaded, source: source.replace(text, replacement) };
  };
}
