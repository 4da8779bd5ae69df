import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/** A node of the syntax tree, with the properties that these tests read. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly name?: unknown;
  readonly expression?: Node;
  readonly right?: Node;
  readonly consequent?: Node;
  readonly alternate?: Node;
  readonly children?: readonly Node[];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Every node below this one, and itself. */
function nodesOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  return [...(isNode(value) ? [value] : []), ...Object.values(value).flatMap(nodesOf)];
}

const isMarkup = ({ type }: Node) => type === 'JSXElement' || type === 'JSXFragment';

/** The nodes that an expression among the children of an element can evaluate to. */
function outcomesOf(node: Node): Node[] {
  if (node.type === 'ParenthesizedExpression' && node.expression) return outcomesOf(node.expression);
  if (node.type === 'LogicalExpression' && node.right) return outcomesOf(node.right);
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((one) => (one ? outcomesOf(one) : []));
  return [node];
}

const isText = ({ type, value }: Node) =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string' && value !== '');

type Kind =
  | 'element'
  | 'fixed text'
  | 'element that comes and goes'
  | 'text that comes and goes'
  | 'children'
  | 'other';

function kindOf(child: Node): Kind | undefined {
  if (isMarkup(child)) return 'element';
  if (child.type === 'JSXText') return /^\s*$/.test(String(child.value)) ? undefined : 'fixed text';
  const { expression } = child;
  if (!expression || expression.type === 'JSXEmptyExpression') return undefined;
  if (expression.type === 'Identifier') return expression.name === 'children' ? 'children' : 'other';
  if (isText(expression)) return 'fixed text';
  const outcomes = outcomesOf(expression);
  if (outcomes.length === 1 && outcomes[0] === expression) return 'other';
  if (outcomes.some(isText)) return 'text that comes and goes';
  return outcomes.some(isMarkup) ? 'element that comes and goes' : 'other';
}

/** Whether a translator, which moves text nodes into elements of its own, would make React fail here. */
function breaksTranslated(parent: Node): boolean {
  const kinds = (parent.children ?? []).map(kindOf).filter((kind) => kind !== undefined);
  const has = (kind: Kind) => kinds.includes(kind);
  if (parent.type === 'JSXFragment' && (has('fixed text') || has('text that comes and goes'))) return true;
  if (has('text that comes and goes')) return kinds.length > 1;
  return has('element that comes and goes') && (has('fixed text') || has('children'));
}

const findBroken = (path: string, text: string) =>
  nodesOf(parseSync(path, text, { lang: 'tsx' }).program)
    .filter((node) => isMarkup(node) && breaksTranslated(node))
    .map(({ start }) => `${path}:${text.slice(0, start).split('\n').length}`);

test('a text that changes, or stands beside elements that come and go, has an element of its own', () => {
  const files = globSync('src/client/**/*.tsx');
  expect(files.length).toBeGreaterThan(80);
  expect(files.flatMap((path) => findBroken(path, readFileSync(path, 'utf8')))).toEqual([]);
});

test.each([
  ['<p>{is && <b />} words</p>', true],
  ['<p>words {is && <b />}</p>', true],
  ["<p>{is ? 'these' : 'those'} <b /></p>", true],
  ["<p>{is && ', anonymous'}<b /></p>", true],
  ['<button>{is && <b />}{children}</button>', true],
  ['<>words <b /></>', true],
  ["<p>{is ? 'these' : 'those'}</p>", false],
  ['<p>{is && <b />}<span>words</span></p>', false],
  ['<p>words <b>more</b> words</p>', false],
])('%s: %s', (markup, isBroken) => {
  expect(findBroken('page.tsx', `const page = ${markup};`).length > 0).toBe(isBroken);
});
