import { escapeHtml } from '../http/refusals/refusal-pages.ts';
import type { RatingFigures } from './structured-data.ts';

export type BadgeStyle = 'light' | 'dark';

/** The figures on the badge of a school or an entry. */
export interface BadgeRating extends Readonly<RatingFigures> {
  readonly isBeingChecked: boolean;
}

const COLOURS: Readonly<Record<BadgeStyle, { ground: string; edge: string; ink: string; soft: string }>> = {
  light: { ground: '#ffffff', edge: '#c9c4ba', ink: '#1d1b26', soft: '#55515f' },
  dark: { ground: '#17151f', edge: '#4a4658', ink: '#f4efe4', soft: '#bdb7c9' },
};

/** Wide enough for the longest text in the fonts of every system. */
const WIDTH = 320;
const HEIGHT = 56;

function draw(siteName: string, words: string, style: BadgeStyle): string {
  const { ground, edge, ink, soft } = COLOURS[style];
  const label = escapeHtml(`${siteName}: ${words}`);
  const line = (y: number, size: number, colour: string, text: string) =>
    `<text x="14" y="${y}" font-family="system-ui,sans-serif" font-size="${size}" fill="${colour}">${escapeHtml(text)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">`,
    `<title>${label}</title>`,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8" fill="${ground}" stroke="${edge}"/>`,
    line(24, 17, ink, words),
    line(43, 12, soft, siteName),
    '</svg>\n',
  ].join('');
}

/** A badge as an SVG image: the mean, the number of reviews and the site's name. */
export function drawBadge(siteName: string, { average, count, isBeingChecked }: BadgeRating, style: BadgeStyle) {
  const reviews = `${count.toLocaleString('en')} ${count === 1 ? 'review' : 'reviews'}`;
  const words = count === 0 ? 'Not yet rated' : `★ ${average.toFixed(1)} · ${reviews}`;
  return draw(siteName, isBeingChecked ? `${words} · being checked` : words, style);
}

/** The image in place of a badge whose subject is deleted. */
export const drawMissing = (siteName: string, style: BadgeStyle) => draw(siteName, 'No longer here', style);
