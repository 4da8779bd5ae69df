import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

const SERVER = new URL('../../src/server/', import.meta.url);

/** The wrappers, for the lines that the hook adds to the modules. */
const wrappers: Record<string, unknown> = {};
Object.assign(globalThis, { faultWrappers: wrappers });

/**
 * Replaces an exported function of one of the product's modules as the module is loaded, for all that import it.
 * @param file below src/server
 * @param name of a function declared with `function`: such a name may be given a new value
 * @param wrap makes the replacement out of the original
 * @throws when there is no such file; loading the module throws when it has no such function
 */
export function wrapFunction<F extends (...args: never[]) => unknown>(
  file: string,
  name: string,
  wrap: (original: F) => F,
): void {
  const address = new URL(file, SERVER);
  if (!existsSync(address)) throw new Error(`There is no src/server/${file} to wrap ${name} of.`);
  const key = `${file} ${name}`;
  wrappers[key] = wrap;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (url !== address.href) return loaded;
      return {
        ...loaded,
        source: `${loaded.source}\n${name} = globalThis.faultWrappers[${JSON.stringify(key)}](${name});`,
      };
    },
  });
}
