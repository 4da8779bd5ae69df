import type { ComponentProps } from 'react';

interface ScrollRegionProps extends ComponentProps<'section'> {
  /** Whether there is more than the region shows. */
  scrolls?: boolean;
}

/** A part of the page that scrolls by itself. The keyboard must reach it (WCAG 2.1.1). */
export function ScrollRegion({ scrolls = true, ...region }: ScrollRegionProps) {
  return <section {...region} tabIndex={scrolls ? 0 : undefined} />;
}
