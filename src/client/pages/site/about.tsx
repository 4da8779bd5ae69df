import { CATEGORIES } from '../../../contract/categories.ts';
import { PAGES } from '../../../contract/pages.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { siteName, supportEmail } from '../../site.ts';

const categoryNames = new Intl.ListFormat('en').format(CATEGORIES.map(({ label }) => label));

export function Component() {
  return (
    <article className="page prose-page py-10">
      <PageHeading subtitle="Honest words about schools, by people who were there.">About</PageHeading>
      <h2>What this is</h2>
      <p>
        Choosing a school decides years of a life, and brochures all sound alike. {siteName()} collects what students,
        parents and educators have to say about schools anywhere in the world, in the categories that make up a day
        there: {categoryNames}.
      </p>
      <h2>How it works</h2>
      <p>
        Everyone can read everything. With a verified account you can write one review of each entry, correct it later
        or take it back. You choose each time whether your username stands beside it; an anonymous review tells nobody
        whose it is. Averages are the plain mean of all reviews, nothing is bought or weighted, and the{' '}
        <PageLink to={PAGES.leaderboard.path} className="text-link">
          leaderboard
        </PageLink>{' '}
        is nothing but those averages put in order.
      </p>
      <h2>Finding your match</h2>
      <p>
        Signed in, you can describe what you are looking for in a profile that only you can see, and ask for a
        recommendation. It is made from what schools say of themselves, what reviewers wrote and how they rated, and it
        says who wrote it.
      </p>
      <h2>Contact</h2>
      <p>
        Questions, mistakes, something that should not be here? Write to{' '}
        <a href={`mailto:${supportEmail()}`} className="text-link">
          {supportEmail()}
        </a>
        .
      </p>
    </article>
  );
}
