import type { KeyboardEvent } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import { PageLink } from '../../components/page-link.tsx';
import campus from './campus.svg';

/** Buttons are pressed by the space bar too, links are not. */
function clickOnSpace(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}

export function Component() {
  return (
    <section className="relative isolate min-h-dvh grow overflow-hidden bg-night text-on-night">
      <img src={campus} alt="" className="absolute inset-0 -z-10 size-full object-cover object-bottom" />
      <div className="landing-shade absolute inset-0 -z-10" />
      <div className="page grid justify-items-center gap-6 pt-[12vh] pb-16 text-center">
        <h1 tabIndex={-1} className="max-w-3xl text-3xl">
          Discover schools worldwide
        </h1>
        <p className="max-w-2xl text-lg">
          Find schools anywhere in the world, read what life there is really like, and share your own experience of it.
        </p>
        {/* A button to the specification, and a link to whoever comes without a script. */}
        <PageLink
          to={PAGES.dashboard.path}
          role="button"
          onKeyDown={clickOnSpace}
          className="button button-on-night px-8 text-lg"
        >
          Get Started
        </PageLink>
      </div>
    </section>
  );
}
