import { CATEGORIES } from '../../../contract/categories.ts';
import { PAGES } from '../../../contract/pages.ts';
import { TextLink } from '../../components/layout/page-link.tsx';
import { siteName } from '../../site.ts';
import { Prose, SupportLink } from './prose.tsx';

const categoryNames = new Intl.ListFormat('en').format(CATEGORIES.map(({ label }) => label));

const sections = () => [
  {
    id: 'what',
    title: 'What this is',
    content: (
      <p>
        Choosing a school decides years of a life, and brochures all sound alike. {siteName()} collects what students,
        parents and educators say about schools anywhere in the world, in the categories that make up a day there:{' '}
        {categoryNames}.
      </p>
    ),
  },
  {
    id: 'how',
    title: 'How it works',
    content: (
      <p>
        Everyone can read everything. With a verified account you can write one review of each entry, correct it later
        or take it back. You choose each time whether your name is shown; an anonymous review tells no reader whose it
        is.
      </p>
    ),
  },
  {
    id: 'figures',
    title: 'How figures are made',
    content: (
      <p>
        An average is the plain mean of all the reviews it stands for, and the number of reviews is shown with it.
        Nobody can pay for a place. The <TextLink to={PAGES.leaderboard.path}>leaderboard</TextLink> puts schools in the
        order of those averages, one category at a time; a switch weighs them by the number of reviews. All of it is
        explained under <TextLink to={PAGES.scores.path}>{PAGES.scores.title}</TextLink>.
      </p>
    ),
  },
  {
    id: 'removed',
    title: 'What is removed',
    content: (
      <p>
        Everyone with an account can report a review. An admin who finds that it breaks the{' '}
        <TextLink to={PAGES.tos.path}>rules</TextLink> hides it; the author is told why and can appeal. What was hidden,
        with how many stars and for what reason, stands in a public list that anyone can check:{' '}
        <TextLink to={PAGES.removals.path}>removed reviews</TextLink>.
      </p>
    ),
  },
  {
    id: 'match',
    title: 'Finding your match',
    content: (
      <p>
        Signed in, you can describe what you are looking for in a profile that only you can see, and ask for a
        recommendation. It is made from what schools say of themselves, what reviewers wrote and how they rated, and it
        says whether an AI model wrote it.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    content: (
      <p>
        A question, a mistake, something that should not be here? Write to <SupportLink />.
      </p>
    ),
  },
];

export function Component() {
  return (
    <Prose heading="About" subtitle="Honest words about schools, by people who were there." sections={sections()} />
  );
}
