/** A setting that cannot be used. Its message names the variable, the error and the allowed values. */
export class SettingError extends Error {
  override readonly name = 'SettingError';

  constructor(variable: string, wrong: string, allowed: string) {
    super(`${variable} ${wrong}. Allowed: ${allowed}.`);
  }
}

/** The environment variables. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function readText(env: Environment, variable: string): string | undefined {
  const value = env[variable]?.trim();
  return value === '' ? undefined : value;
}

/** Reads a text that stands in one line of a page, a mail or a request to others. */
export function readLine(env: Environment, variable: string): string | undefined {
  const value = readText(env, variable);
  if (value !== undefined && /\p{Cc}/u.test(value)) {
    throw new SettingError(variable, 'has a line break or another control character', 'a text of one line');
  }
  return value;
}

export function readSwitch(env: Environment, variable: string, fallback: boolean): boolean {
  const value = readText(env, variable)?.toLowerCase();
  if (value === undefined) return fallback;
  if (['on', 'true', '1'].includes(value)) return true;
  if (['off', 'false', '0'].includes(value)) return false;
  throw new SettingError(variable, `is "${value}"`, 'on or off');
}

export function readChoice<Choice extends string>(
  env: Environment,
  variable: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const value = readText(env, variable)?.toLowerCase() ?? fallback;
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw new SettingError(variable, `is "${value}"`, choices.join(', '));
  return choice;
}

export function readWhole(env: Environment, variable: string, fallback: number, max: number, min = 0): number {
  const value = readText(env, variable) ?? String(fallback);
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > max || number < min) {
    throw new SettingError(variable, `is "${value}"`, `a whole number from ${min} to ${max}`);
  }
  return number;
}

export function readUrl(env: Environment, variable: string, protocols: readonly string[]): URL | undefined {
  const value = readText(env, variable);
  return value === undefined ? undefined : parseUrl(variable, value, protocols);
}

/** Reads the address of a site. @throws {SettingError} also for a path, an account, a query or a fragment */
export function readOrigin(env: Environment, variable: string): URL | undefined {
  const url = readUrl(env, variable, ['http:', 'https:']);
  if (url && url.href !== `${url.origin}/`) {
    throw new SettingError(variable, 'has more than a host and a port', 'https://…, without a path');
  }
  return url;
}

/** @throws {SettingError} for anything but a whole address with one of the protocols */
export function parseUrl(variable: string, value: string, protocols: readonly string[]): URL {
  const url = URL.parse(value);
  if (!url || !protocols.includes(url.protocol) || url.hostname === '') {
    const allowed = protocols.map((protocol) => `${protocol}//…`).join(' or ');
    // The message does not contain the value: such addresses contain passwords, and the line is logged.
    throw new SettingError(variable, 'is not such an address', allowed);
  }
  return url;
}
