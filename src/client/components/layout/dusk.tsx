import type { ReactNode } from 'react';

/** The width in pixels of both rows of roofs. Each is one street, repeated. */
const WIDTH = 1920;
const HEIGHT = 28;
/** Roofs as relative lines, from left to right: gables, a tower, a dome, and flat ones. */
const NEAR_ROOFS = 'h38l14-8 14 8h22v-5h30v5h10v-9l9-7 9 7v9h26l18-7 18 7h14v-4c0-9 24-9 24 0v4h18l12-9 12 9h32';
const FAR_ROOFS = 'h30l20-5 20 5h16v-6h22v6h24l16-9 16 9h40v-4h20v4h16';
const NEAR_WIDTH = 320;
const FAR_WIDTH = 240;
const roofs = (street: string, width: number, top: number) =>
  `M-1 ${top}h1${street.repeat(WIDTH / width)}h1V${HEIGHT + 1}H-1Z`;

/** The windows of the near street: distances from its left end, and from the top. */
const WINDOWS = [
  [51, 20],
  [93, 17],
  [102, 17],
  [111, 17],
  [135, 14],
  [181, 20],
  [190, 20],
  [233, 19],
  [275, 20],
] as const;
const ALL_WINDOWS = Array.from({ length: WIDTH / NEAR_WIDTH }, (_, street) =>
  WINDOWS.map(([x, y]) => [x + street * NEAR_WIDTH, y] as const),
).flat();
/** Shares no factor with the number of windows: steps of this size reach every window, each far from the one before. */
const STRIDE = 23;

/** The path of the lit windows, which are spread over the whole width. */
function litWindows(share: number): string {
  const count = Math.ceil(share * ALL_WINDOWS.length);
  return ALL_WINDOWS.filter((_, index) => (index * STRIDE) % ALL_WINDOWS.length < count)
    .map(([x, y]) => `M${x} ${y}h4v5h-4z`)
    .join('');
}

/**
 * The colours of the roofs: those of the page below, or of the night. The outline sets dark roofs off from a dark page.
 */
const LOOKS = { paper: 'scheme-light-dark fill-paper text-paper', night: 'fill-night stroke-line text-line' };

interface RoofsProps {
  look: keyof typeof LOOKS;
  /** The share of the windows that are lit, from 0 to 1. */
  litShare?: number;
}

/** The roofs of a town at dusk, where the sky ends. */
export function Roofs({ look, litShare = 0 }: RoofsProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMax slice"
      className={`block h-7 w-full forced-colors:hidden print:hidden ${LOOKS[look]}`}
    >
      <path d={roofs(FAR_ROOFS, FAR_WIDTH, 13)} fill="currentColor" fillOpacity="0.35" stroke="none" />
      <path d={roofs(NEAR_ROOFS, NEAR_WIDTH, 19)} />
      {litShare > 0 && <path d={litWindows(litShare)} className="fill-accent" stroke="none" />}
    </svg>
  );
}

interface DuskProps {
  className?: string;
  /** Leaves out the roofs, which the content would move when it arrives. */
  isLoading?: boolean;
  children: ReactNode;
}

/** The dark band at the top of a page, down to the roofs in front of it. */
export function Dusk({ className = '', isLoading = false, children }: DuskProps) {
  return (
    <div className={`overflow-x-clip bg-night text-on-night ${className}`}>
      <div>{children}</div>
      {!isLoading && <Roofs look="paper" />}
    </div>
  );
}

/**
 * A whole page in the dark: account forms, and messages in place of a page. It fills the screen down to the roofs of
 * the footer.
 */
export function Night({ children }: { children: ReactNode }) {
  return <div className="night flex grow flex-col bg-night pb-7 text-on-night">{children}</div>;
}
