import { PAGES } from '../../../contract/pages.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { siteName, supportEmail } from '../../site.ts';

export function Component() {
  return (
    <article className="page prose-page py-10">
      <PageHeading subtitle={`What you and ${siteName()} can expect of each other.`}>Terms of Service</PageHeading>
      <h2>Reading</h2>
      <p>
        Everything published here can be read without an account and without being followed around: there are no
        cookies, no advertising and no scripts of anybody else.
      </p>
      <h2>Your account</h2>
      <p>
        You need an email address that is yours and a password that you use nowhere else. You are responsible for what
        is done with your account until you tell us that somebody else is using it. You may ask us to delete it at any
        time; your reviews then stay, without your name.
      </p>
      <h2>What you write</h2>
      <ul>
        <li>Write about what you have seen yourself, and mark what you only heard.</li>
        <li>Rate the thing in question, not the people you dislike there.</li>
        <li>One review for each entry. Correct it when things change.</li>
        <li>No threats, no hatred, no private details of others, no advertising, nothing against the law.</li>
        <li>Schools and their staff may write too, if they do not pretend to be students.</li>
      </ul>
      <p>
        You keep the rights to your words and allow us to show them here. An admin may delete a review that breaks these
        rules; nobody may change what you wrote.
      </p>
      <h2 id="anonymity">Anonymity</h2>
      <p>
        An anonymous review is shown without your name to everybody. We still know which account wrote it, so that you
        can edit or withdraw it and so that nobody can post twice; we do not publish that.
      </p>
      <h2>Your data</h2>
      <p>
        We store your username, email address, a hash of your password, your reviews and, if you fill it in, your
        profile. The address is used for passcodes and word about your account, for nothing else. Your profile is read
        by you alone and by the recommender when you ask it; a connected AI model gets its wishes without your name.
      </p>
      <h2>No guarantee</h2>
      <p>
        Reviews are opinions of their authors. Check what matters to you with the school before you decide. We do our
        best to keep this service running and nothing lost, and can promise neither.
      </p>
      <h2>Questions</h2>
      <p>
        See{' '}
        <PageLink to={PAGES.about.path} className="text-link">
          About
        </PageLink>
        , or write to{' '}
        <a href={`mailto:${supportEmail()}`} className="text-link">
          {supportEmail()}
        </a>
        .
      </p>
    </article>
  );
}
