import { EyeOff, type LucideIcon, Sparkles, Trophy } from 'lucide-react';
import { CATEGORIES } from '../../../contract/categories.ts';
import { PAGES } from '../../../contract/pages.ts';
import { PageLink } from '../../components/page-link.tsx';
import { Windows } from '../../components/windows.tsx';
import { useSession } from '../../session.ts';
import { SchoolSearch } from './school-search.tsx';

interface Feature {
  icon: LucideIcon;
  heading: string;
  text: string;
  link: { label: string; to: string };
}

const ANONYMOUS_REVIEWS: Feature = {
  icon: EyeOff,
  heading: 'Anonymous reviews',
  text: 'Say what it is really like. You choose with each review whether your name stands beside it.',
  link: { label: 'Browse all schools', to: PAGES.allSchools.path },
};

const LEADERBOARD: Feature = {
  icon: Trophy,
  heading: 'School leaderboard',
  text: 'See which schools students rate highest, category by category.',
  link: { label: 'See the leaderboard', to: PAGES.leaderboard.path },
};

function profileFeature(isSignedIn: boolean): Feature {
  return {
    icon: Sparkles,
    heading: 'A profile of your own',
    text: 'Describe what you are looking for and get a school recommended that fits.',
    link: isSignedIn
      ? { label: 'Go to your profile', to: PAGES.profile.path }
      : { label: 'Create an account', to: PAGES.signup.path },
  };
}

function FeatureCard({ feature: { icon: Icon, heading, text, link } }: { feature: Feature }) {
  return (
    <li className="card flex flex-col gap-3 p-6">
      <span className="grid size-12 place-items-center rounded-lg bg-accent-soft text-accent">
        <Icon aria-hidden="true" className="size-6" strokeWidth={1.75} />
      </span>
      <h2 className="text-xl">{heading}</h2>
      <p className="grow text-ink-soft">{text}</p>
      <PageLink to={link.to} className="text-link inline-flex min-h-touch items-center self-start font-semibold">
        {link.label}
      </PageLink>
    </li>
  );
}

export function Component() {
  const session = useSession();
  const features = [ANONYMOUS_REVIEWS, profileFeature(session !== null), LEADERBOARD];
  return (
    <>
      <section className="bg-night text-on-night">
        <div className="page grid justify-items-center gap-6 pt-12 pb-20 text-center sm:pt-16 sm:pb-28">
          <Windows
            lights={CATEGORIES.map(() => 'lit')}
            label={`Reviews in seven categories: ${CATEGORIES.map(({ label }) => label).join(', ')}`}
            className="h-6.5 text-accent"
          />
          <h1 tabIndex={-1} className="text-3xl">
            Find a school
          </h1>
          <p className="max-w-prose text-lg">Read what students, parents and educators say about it.</p>
          <SchoolSearch />
        </div>
      </section>
      <ul className="page -mt-10 grid gap-4 pb-12 md:grid-cols-3" aria-label="What you can do here">
        {features.map((feature) => (
          <FeatureCard key={feature.heading} feature={feature} />
        ))}
      </ul>
    </>
  );
}
