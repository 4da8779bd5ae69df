import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';

/** The contrast that WCAG 2.2 (1.4.11) asks for between the ring and what lies next to it. */
const CONTRAST_MIN = 3;

/** A value that cannot be read is NaN, and every comparison with it is false. */
interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

const readStyle = (name: string) =>
  readFileSync(new URL(`../../src/client/styles/${name}.css`, import.meta.url), 'utf8');
const tokens = readStyle('tokens');

/** The colours of a scheme, by token; a category's tokens once for each hue. */
function coloursOf(scheme: 'light' | 'dark'): Map<string, Oklch> {
  const colours = new Map<string, Oklch>();
  const COLOUR = /oklch\(([\d.]+) ([\d.]+) ([\d.]+|0 0|var\(--hue\))\)/g;
  for (const [, name = '', value = ''] of tokens.matchAll(/--(?:color-)?([\w-]+): ((?:light-dark|oklch)\(.+\));/g)) {
    const found = [...value.matchAll(COLOUR)];
    const chosen = found[scheme === 'dark' ? found.length - 1 : 0];
    if (!chosen) throw new Error(`--${name} cannot be read: ${value}`);
    const [, lightness, chroma, hue] = chosen;
    const hues = hue === 'var(--hue)' ? CATEGORIES.map((category) => category.hue) : [Number(hue)];
    for (const one of hues) {
      const key = hues.length > 1 ? `${name} ${one}` : name;
      colours.set(key, { lightness: Number(lightness), chroma: Number(chroma), hue: Number(one) });
    }
  }
  return colours;
}

const inGamut = (value: number) => Math.min(1, Math.max(0, value));

/** The relative luminance of WCAG, by way of linear sRGB (https://www.w3.org/TR/css-color-4/#ok-lab). */
function luminanceOf({ lightness, chroma, hue }: Oklch): number {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = inGamut(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
  const green = inGamut(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
  const blue = inGamut(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: Oklch, other: Oklch): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((low, high) => low - high);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The token of the ring inside an element of a class, or of the whole document. */
function ringWithin(selector: string, style: string): string {
  const rule = style.slice(style.indexOf(`${selector} {`));
  const name = rule.slice(0, rule.indexOf('}')).match(/--ring: var\(--color-([\w-]+)\)/)?.[1];
  if (!name) throw new Error(`${selector} names no ring.`);
  return name;
}

const base = readStyle('base');
const ring = ringWithin(':root', tokens);
const ringAtDusk = ringWithin('.bg-night', base);
/** The backgrounds of pages and of their parts, on which focus rings are drawn. */
const SURFACE = /^(?:paper|surface|sunken|[\w]+-soft(?: \d+)?)$/;

for (const scheme of ['light', 'dark'] as const) {
  test(`the ring around what has the focus stands out from every surface, ${scheme}`, () => {
    const colours = coloursOf(scheme);
    const at = (name: string) => colours.get(name) as Oklch;
    const surfaces = [...colours.keys()].filter((name) => SURFACE.test(name) && name !== 'ink-soft');
    expect(surfaces.length).toBe(6 + CATEGORIES.length);
    const low = surfaces.filter((name) => !(contrastOf(at(ring), at(name)) >= CONTRAST_MIN));
    expect(low, `--${ring}`).toEqual([]);
    expect(ringWithin('.bg-surface', base)).toBe(ring);
    expect(contrastOf(at(ringAtDusk), at('night')), `--${ringAtDusk}`).toBeGreaterThanOrEqual(CONTRAST_MIN);
  });
}

test('at dusk, where every colour is of the dark scheme, its ring stands out from each surface that keeps it', () => {
  const dark = coloursOf('dark');
  for (const name of ['night', 'sunken', 'brand-soft', 'danger-soft']) {
    const contrast = contrastOf(dark.get(ringAtDusk) as Oklch, dark.get(name) as Oklch);
    expect(contrast, `--${ringAtDusk} on --${name}`).toBeGreaterThanOrEqual(CONTRAST_MIN);
  }
});

test('the contrast is that of WCAG', () => {
  const [black, white] = [
    { lightness: 0, chroma: 0, hue: 0 },
    { lightness: 1, chroma: 0, hue: 0 },
  ];
  expect(contrastOf(black, white)).toBeCloseTo(21, 3);
  expect(contrastOf({ lightness: 0.5999, chroma: 0, hue: 0 }, white)).toBeCloseTo(3.95, 1);
});
