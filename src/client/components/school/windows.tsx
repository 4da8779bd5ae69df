import { CATEGORIES } from '../../../contract/categories.ts';
import type { SchoolSummary } from '../../../contract/comparison.ts';
import { RATING_MAX } from '../../../contract/stars.ts';

/** An arched window on a field of 24 by 24. */
export const ARCH = 'M4 21.5V11a8 8 0 0 1 16 0v10.5Z';

/**
 * The light inside the window, between its bars. The shapes differ as well as the colours, for people who do not see
 * colours.
 */
export const LIGHTS = {
  lit: `${ARCH}M11.2 3.05v9.15H4v1.6h7.2v7.7h1.6v-7.7H20v-1.6h-7.2V3.05Z`,
  dim: 'M4 21.5v-7.7h7.2v7.7ZM12.8 21.5v-7.7H20v7.7Z',
  dark: '',
};

/** The lights for rows of a few pixels: full, half full, and the outline alone. */
const SMALL_LIGHTS = { lit: ARCH, dim: 'M4 21.5V13h16v8.5Z', dark: '' };

/** Lit: enough recent reviews. Dim: some reviews. Dark: none. */
export type Light = keyof typeof LIGHTS;

/** The distance from one window to the next. */
const WINDOW_DISTANCE = 26;

interface PaneProps {
  /** The path of the light, empty for a dark window. */
  d: string;
  className?: string | undefined;
}

/** The light of a window, and its outline. */
export function Pane({ d, className }: PaneProps) {
  return (
    <>
      {/* A new element for each light, so that its animation starts. */}
      <path key={d} d={d} fill="currentColor" fillRule="evenodd" className={className} />
      <path
        vectorEffect="non-scaling-stroke"
        d={ARCH}
        fill="none"
        stroke="currentColor"
        strokeOpacity={d === '' ? 0.6 : 1}
      />
    </>
  );
}

interface WindowsProps {
  /** One light for each category, in the order of the registry. */
  lights: readonly Light[];
  /** The accessible name. Without one the row is a decoration. */
  label?: string;
  /** For rows of a few pixels. */
  isSmall?: boolean;
  className?: string;
}

/** A row of windows, one for each category. */
export function Windows({ lights, label, isSmall = false, className = 'h-6.5' }: WindowsProps) {
  const shapes = isSmall ? SMALL_LIGHTS : LIGHTS;
  return (
    <svg
      role="img"
      aria-label={label}
      aria-hidden={label === undefined || undefined}
      viewBox={`2 2 ${CATEGORIES.length * WINDOW_DISTANCE - 6} 21`}
      className={className}
      strokeWidth="1.75"
    >
      {CATEGORIES.map(({ kind }, index) => (
        <g key={kind} transform={`translate(${index * WINDOW_DISTANCE})`}>
          <Pane d={shapes[lights[index] ?? 'dark']} />
        </g>
      ))}
    </svg>
  );
}

/** The bottom of the arch, and its height. */
const BOTTOM = 21.5;
const ARCH_HEIGHT = 18.5;

interface MeanWindowProps {
  /** From 0 to 5. */
  mean: number;
  /** For few reviews: the light is faint. */
  isFaint: boolean;
  className: string;
}

/** One window, beside a figure, lit from below up to a mean. */
export function MeanWindow({ mean, isFaint, className }: MeanWindowProps) {
  const height = (mean / RATING_MAX) * ARCH_HEIGHT;
  const top = BOTTOM - height;
  return (
    <svg aria-hidden="true" viewBox="2 2 20 21" className={`shrink-0 ${className}`} strokeWidth="1.75">
      {/* A nested drawing clips the arch above its top edge. */}
      <svg aria-hidden="true" y={top} width="24" height={height} viewBox={`0 ${top} 24 ${height}`}>
        <path d={ARCH} fill="currentColor" fillOpacity={isFaint ? 0.25 : 1} />
      </svg>
      <path vectorEffect="non-scaling-stroke" d={ARCH} fill="none" stroke="currentColor" />
    </svg>
  );
}

type CategorySummary = SchoolSummary['categories'][number];

export function lightOf({ isCovered, totalReviews }: CategorySummary): Light {
  if (isCovered) return 'lit';
  return totalReviews > 0 ? 'dim' : 'dark';
}

const LIGHT_LABELS: Record<Light, string> = {
  lit: 'Covered by recent reviews',
  dim: 'Some reviews',
  dark: 'No reviews yet',
};

interface CoverageWindowsProps extends Pick<WindowsProps, 'isSmall' | 'className'> {
  categories: readonly CategorySummary[];
}

/** The windows of one school: which categories have enough recent reviews, which have some, and which have none. */
export function CoverageWindows({ categories, ...windows }: CoverageWindowsProps) {
  const lights = categories.map(lightOf);
  const words = (['lit', 'dim', 'dark'] as const).flatMap((light) => {
    const labels = categories.filter((category) => lightOf(category) === light).map(({ label }) => label);
    return labels.length > 0 ? `${LIGHT_LABELS[light]}: ${labels.join(', ')}` : [];
  });
  return <Windows lights={lights} label={words.join('. ')} {...windows} />;
}
