import { registerHooks } from 'node:module';

/** Replaces a text in one of the product's files as it is loaded. @throws when the text is not there */
export function replaceIn(fileEnd: string, text: string, replacement: string): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(fileEnd)) return loaded;
      const source = String(loaded.source);
      if (!source.includes(text)) throw new Error(`${fileEnd} does not hold "${text}".`);
      return { ...loaded, source: source.replace(text, replacement) };
    },
  });
}
