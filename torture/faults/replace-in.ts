import { registerHooks } from 'node:module';

/**
 * Replaces texts in one of the product's files as it is loaded.
 * @param changes text, replacement, text, replacement, …
 * @throws when a text is not there
 */
export function replaceIn(fileEnd: string, ...changes: string[]): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(fileEnd)) return loaded;
      let source = String(loaded.source);
      for (let index = 0; index < changes.length; index += 2) {
        const [text = '', replacement = ''] = changes.slice(index);
        if (!source.includes(text)) throw new Error(`${fileEnd} does not hold "${text}".`);
        source = source.replace(text, replacement);
      }
      return { ...loaded, source };
    },
  });
}
