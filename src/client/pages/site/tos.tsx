import { PAGES } from '../../../contract/pages.ts';
import { TextLink } from '../../components/layout/page-link.tsx';
import { siteName } from '../../site.ts';
import { Prose, SupportLink } from './prose.tsx';

const SECTIONS = [
  {
    id: 'reading',
    title: 'Reading',
    content: (
      <p>
        You can read everything published here without an account and without being followed around: there are no
        cookies, no advertising and no scripts from other companies.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    content: (
      <>
        <p>
          You need an email address that is yours and a password that you use nowhere else. You are responsible for what
          is done with your account until you tell us that somebody else is using it.
        </p>
        <p>
          You can delete your account on <TextLink to={PAGES.profile.path}>your profile</TextLink>. Your reviews then
          stay, without your name, unless you delete them too.
        </p>
      </>
    ),
  },
  {
    id: 'rules',
    title: 'What you write',
    content: (
      <>
        <ul>
          <li>Write about what you have seen yourself, and say what you only heard.</li>
          <li>Rate the thing itself, not the people you dislike there.</li>
          <li>Write one review of each entry, and correct it when things change.</li>
          <li>No threats, no hatred, no private details of others, no advertising, nothing against the law.</li>
          <li>Schools and their staff may write too, as long as they do not pretend to be students.</li>
        </ul>
        <p>
          You keep the rights to your words and allow us to show them here. An admin may hide a review that breaks these
          rules: you are told why and can appeal once, and once more after you have changed it. Nobody but you may
          change what you wrote.
        </p>
      </>
    ),
  },
  {
    id: 'anonymity',
    title: 'Anonymity',
    content: (
      <p>
        An anonymous review is shown to everybody without your name. We still know which account wrote it, so that you
        can edit or delete it and so that nobody can post twice. We do not publish that.
      </p>
    ),
  },
  {
    id: 'data',
    title: 'Your data',
    content: (
      <p>
        We store your username, email address, a hash of your password, your reviews, which reviews you mark as helpful,
        the schools you save, the reports you send, what you propose to add and, if you fill it in, your profile. Your
        address is used for passcodes and news about your account, your reviews and your proposals, and for nothing
        else. Your profile is read by you and, when you ask for a recommendation, by the program that makes it; an AI
        model gets your preferences without your name.
      </p>
    ),
  },
  {
    id: 'guarantee',
    title: 'No guarantee',
    content: (
      <p>
        Reviews are the opinions of their authors. Check what matters to you with the school before you decide. We do
        our best to keep this service running and to lose nothing, and can promise neither.
      </p>
    ),
  },
  {
    id: 'questions',
    title: 'Questions',
    content: (
      <p>
        See <TextLink to={PAGES.about.path}>About</TextLink>, or write to <SupportLink />.
      </p>
    ),
  },
];

export function Component() {
  return (
    <Prose
      heading="Terms of Service"
      subtitle={`What you and ${siteName()} can expect of each other.`}
      sections={SECTIONS}
    />
  );
}
