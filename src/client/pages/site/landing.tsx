import type { KeyboardEvent } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import { PageLink } from '../../components/layout/page-link.tsx';
import { siteName } from '../../site.ts';
import campus from './campus.svg';

/** The space bar activates buttons, but not links. */
function clickOnSpace(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}

export function Component() {
  return (
    <section className="relative isolate flex min-h-dvh grow flex-col overflow-hidden bg-night text-on-night">
      <img src={campus} alt="" className="landing-picture" />
      <div className="landing-shade absolute inset-0 -z-10" />
      <p className="page flex items-center gap-3 py-3 font-serif text-lg font-semibold wrap-anywhere">
        <img src="/favicon.svg" alt="" width="28" height="28" />
        {siteName()}
      </p>
      <div className="page grid grid-cols-[minmax(0,1fr)] justify-items-start gap-[clamp(0.75rem,3vh,1.5rem)] pt-[clamp(0.5rem,9vh,7rem)] pb-6">
        <h1 tabIndex={-1} className="text-3xl max-[16rem]:text-2xl short:max-w-sm lg:whitespace-nowrap">
          Discover schools worldwide
        </h1>
        <p className="max-w-xl text-lg short:max-w-sm short:text-base">
          Find schools anywhere in the world, read what life there is really like, and share your own experience of it.
        </p>
        {/* The specification calls it a button; without a script it has to be a link. */}
        <PageLink
          to={PAGES.dashboard.path}
          role="button"
          onKeyDown={clickOnSpace}
          className="button button-primary px-8 text-lg"
        >
          Get Started
        </PageLink>
      </div>
    </section>
  );
}
