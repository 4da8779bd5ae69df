import { TABLES_OF_SCHOOLS } from './next-school-keys.ts';

/** `from "reviews" as "newer"`: a table in a statement, and the name that it has there. */
const REFERENCE = new RegExp(
  `\\b(from|join|into|update) (${TABLES_OF_SCHOOLS.join('|')})\\b(?: as (?!materialized)(\\w+))?`,
  'g',
);

const VALUE = '(?:cast\\()?(?:\\$|\\?)';
/** A condition that names the school by a parameter, or by a list of parameters. */
const SCHOOL_PARAMETER = new RegExp(`\\bschool_id (?:= ${VALUE}|in \\(${VALUE})`);

/** A text without its quotes and line breaks. */
const plain = (text: string) => text.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim();

/** A statement and its subselects, each without the subselects in it. */
function scopesOf(text: string): string[] {
  const open: string[] = [''];
  const scopes: string[] = [];
  for (const part of plain(text).split(/([()])/)) {
    if (part === '(') open.push('');
    else if (part === ')' && open.length > 1) {
      const scope = open.pop() as string;
      const isSelect = /^ ?(select|with)\b/.test(scope);
      if (isSelect) scopes.push(scope);
      open[open.length - 1] += isSelect ? '(…)' : `(${scope})`;
    } else open[open.length - 1] += part;
  }
  // The parts of a union are selects of their own.
  const selects = [...scopes, ...open].flatMap((scope) => scope.split(/ union (?:all )?/));
  // What an update sets is no condition.
  return selects.map((scope) => scope.replace(/ set .*?(?= from | where |$)/, ''));
}

/** Whether one table of a scope is bound to a school: by a value, or by the school of another table. */
function isBound(scope: string, verb: string, name: string, isAlone: boolean): boolean {
  if (verb === 'into') return new RegExp(`into ${name} \\([^)]*\\bschool_id\\b`).test(scope);
  const column = isAlone ? `(?:${name}\\.|(?<![.\\w]))school_id` : `${name}\\.school_id`;
  return new RegExp(`${column} (?:=|in|is distinct from) |(?:=|from) ${column}\\b|\\([^()]*${column}\\) in `).test(
    scope,
  );
}

/** The tables whose school a statement does not name, and `all` if no parameter of the statement names a school. */
export function findUnnamed(text: string): string[] {
  let hasTable = false;
  const scopes = scopesOf(text);
  const unnamed = scopes.flatMap((scope) => {
    const references = [...scope.matchAll(REFERENCE)];
    hasTable ||= references.length > 0;
    return references.flatMap(([, verb = '', table = '', alias = table]) =>
      isBound(scope, verb, alias, references.filter(([, one]) => one !== 'into').length === 1) ? [] : table,
    );
  });
  const isInsert = /^insert into \w+ \([^)]*\) values/.test(plain(text));
  if (hasTable && !isInsert && !scopes.some((scope) => SCHOOL_PARAMETER.test(scope))) unnamed.push('all');
  return unnamed;
}

/** A statement without what it selects and locks, and with one mark for each value or list of values. */
export const shapeOf = (text: string) =>
  plain(text)
    // SQLite has no locks of rows, and takes its limits as `+?`.
    .replace(/ for update$/, '')
    .replaceAll(/\$\d+|\+\?/g, '?')
    .replaceAll(/\?(?:, \?)+/g, '?')
    .replaceAll(/\bselect (?:(?! from ).)+ from /g, 'select … from ');
