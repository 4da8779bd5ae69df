// node bench/flame-graph.ts PROFILE.cpuprofile TITLE > GRAPH.svg: draws what `npm run bench -- --profile` has written.
// Width is processor time, a call stands on its caller.
import { readFileSync } from 'node:fs';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

interface Frame {
  name: string;
  self: number;
  total: number;
  children: Frame[];
}

const WIDTH = 1200;
const ROW = 16;
/** Narrower ones are left out: nothing could be read on them. */
const NARROWEST = 1.5;
const CHARACTER = 6.2;

const nameOf = ({ callFrame: { functionName, url, lineNumber } }: ProfileNode) => {
  const file = url.split('/').slice(-2).join('/');
  return `${functionName || 'anonymous'}${file ? ` ${file}:${lineNumber + 1}` : ''}`;
};

/** Calls of the same function by the same caller are one frame; time in which nothing ran is left out. */
function readFrames({ nodes, samples, timeDeltas }: Profile): Frame {
  const time = new Map<number, number>();
  for (const [index, id] of samples.entries()) time.set(id, (time.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const toFrame = (node: ProfileNode): Frame => {
    const byName = new Map<string, Frame>();
    for (const child of node.children ?? []) {
      const made = toFrame(byId.get(child) as ProfileNode);
      if (made.name === '(idle)') continue;
      const twin = byName.get(made.name);
      if (!twin) byName.set(made.name, made);
      else {
        twin.self += made.self;
        twin.total += made.total;
        twin.children.push(...made.children);
      }
    }
    const children = [...byName.values()].sort((one, other) => other.total - one.total);
    const self = time.get(node.id) ?? 0;
    return { name: nameOf(node), self, total: children.reduce((sum, { total }) => sum + total, self), children };
  };
  return toFrame(nodes[0] as ProfileNode);
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Native code and the collector stand out from JavaScript, ours from the libraries'. */
function colourOf(name: string): string {
  if (/^\(|^\S+$/.test(name)) return '#d0d7d9';
  return /node:|node_modules|index\.min|lib\//.test(name) ? '#f2d7a6' : '#f2a65a';
}

function draw(root: Frame, title: string): string {
  const boxes: string[] = [];
  let deepest = 0;
  const place = (frame: Frame, x: number, depth: number): void => {
    const width = (frame.total / root.total) * WIDTH;
    if (width < NARROWEST) return;
    deepest = Math.max(deepest, depth);
    const share = ((frame.total / root.total) * 100).toFixed(1);
    const text = frame.name.slice(0, Math.floor(width / CHARACTER));
    boxes.push(
      `<g><title>${escapeText(frame.name)}: ${share} %</title><rect x="${x.toFixed(1)}" y="${depth * ROW + 24}" width="${(width - 0.5).toFixed(1)}" height="${ROW - 1}" fill="${colourOf(frame.name)}"/>${text.length > 2 ? `<text x="${(x + 2).toFixed(1)}" y="${depth * ROW + 36}">${escapeText(text)}</text>` : ''}</g>`,
    );
    let at = x;
    for (const child of frame.children) {
      place(child, at, depth + 1);
      at += (child.total / root.total) * WIDTH;
    }
  };
  place(root, 0, 0);
  const height = (deepest + 1) * ROW + 32;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10"><title>${escapeText(title)}</title><rect width="100%" height="100%" fill="#fff"/><text x="4" y="14" font-size="12">${escapeText(title)}</text>${boxes.join('')}</svg>\n`;
}

const [file = '', title = ''] = process.argv.slice(2);
process.stdout.write(draw(readFrames(JSON.parse(readFileSync(file, 'utf8'))), title));
