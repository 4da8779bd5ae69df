import type { ReactNode } from 'react';
import { CATEGORIES } from '../../../contract/categories.ts';
import { accountAddress, PAGES, pageAddress } from '../../../contract/pages.ts';
import { getVoices } from '../../../contract/voices.ts';
import { Dusk } from '../../components/layout/dusk.tsx';
import { PageLink, StandaloneLink } from '../../components/layout/page-link.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { SchoolSearch } from '../../components/school/school-search.tsx';
import { useRefusedPage } from '../../navigation.ts';
import { useDeclaredRead } from '../../page.ts';
import { useSession } from '../../session.ts';
import { SiteVoices } from './site-voices.tsx';

interface FeatureProps {
  heading: string;
  text: string;
  link: { label: string; to: string };
  children?: ReactNode;
}

function Feature({ heading, text, link, children }: FeatureProps) {
  return (
    <li className="flex flex-col items-start py-6 lg:-ml-6 border-line lg:border-l lg:pl-6 lg:first:border-0">
      <h2 className="text-xl">{heading}</h2>
      <p className="mt-2 max-w-prose text-ink-soft">{text}</p>
      {children}
      {/* At the foot, so that the links of features beside each other are level. */}
      <StandaloneLink to={link.to} className="mt-auto font-semibold">
        {link.label}
      </StandaloneLink>
    </li>
  );
}

/** Says why the dashboard is shown, and not the page that was asked for. */
function RefusedNote() {
  const session = useSession();
  const refused = useRefusedPage();
  if (!refused || (session && refused.guard !== 'admin')) return null;
  return (
    <p className="text-lg font-semibold">
      {session ? (
        <span>Only an admin may open that page.</span>
      ) : (
        <>
          <StandaloneLink to={accountAddress(PAGES.login, { next: refused.address })}>Log in</StandaloneLink>
          <span> to see that page.</span>
        </>
      )}
    </p>
  );
}

export function Component() {
  const session = useSession();
  const { data: voices = [] } = useDeclaredRead(getVoices);
  return (
    <>
      {/* Below the darkest header, the sky gets lighter towards the roofs. */}
      <Dusk className="bg-linear-to-b from-night-deep to-night to-60%">
        <div className="page grid justify-items-center gap-5 pt-10 pb-8 text-center sm:pt-16 sm:pb-12">
          <h1 tabIndex={-1} className="text-3xl">
            Find a school
          </h1>
          <RefusedNote />
          <p className="mb-2 max-w-prose text-lg">Read what students, parents and educators say about it.</p>
          {/* The field is light in both schemes: a search is the first thing to do here. */}
          <div className="scheme-light flex w-full justify-center">
            <SchoolSearch isLarge readsAll placeholder="Type the name of a school" />
          </div>
          <StandaloneLink to={PAGES.allSchools.path} className="-mt-2">
            Browse all schools
          </StandaloneLink>
        </div>
      </Dusk>
      <ul
        aria-label="What you can do here"
        className="page grid gap-x-12 divide-line py-4 max-lg:divide-y sm:py-8 lg:grid-cols-3"
      >
        <Feature
          heading="Anonymous reviews"
          text="Say what it is really like. With each review you choose whether your name is shown."
          link={{ label: 'How anonymity works', to: `${PAGES.tos.path}#anonymity` }}
        />
        <Feature
          heading="A profile of your own"
          text="Describe what you are looking for and get a school recommended that fits."
          link={
            session
              ? { label: 'Go to your profile', to: PAGES.profile.path }
              : { label: 'Create an account', to: PAGES.signup.path }
          }
        />
        <Feature
          heading="University Leaderboard"
          text="See which schools students rate highest, category by category."
          link={{ label: 'See the leaderboard', to: PAGES.leaderboard.path }}
        >
          <ul
            aria-label="Leaderboard by category"
            className="mt-2 -ml-2.5 grid w-full max-w-84 auto-cols-fr grid-flow-col"
          >
            {CATEGORIES.map((category) => (
              <li key={category.kind} data-category={category.kind}>
                <PageLink
                  to={pageAddress(PAGES.leaderboard, undefined, { category: category.kind })}
                  aria-label={category.leaderboardLabel}
                  title={category.leaderboardLabel}
                  className="grid h-11 place-items-center rounded-sm text-category hover:bg-category-soft"
                >
                  <CategoryIcon category={category} />
                </PageLink>
              </li>
            ))}
          </ul>
        </Feature>
      </ul>
      <SiteVoices voices={voices} className="page pb-9" />
    </>
  );
}
