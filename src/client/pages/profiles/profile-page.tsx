import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { accountAddress, PAGES } from '../../../contract/pages.ts';
import { getProfile, PROFILE_FIELDS, PROFILE_LABELS, type Profile } from '../../../contract/profiles.ts';
import { DisclosureCard } from '../../components/feedback/disclosure-card.tsx';
import { Button } from '../../components/form/button.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { StandaloneLink, TextLink } from '../../components/layout/page-link.tsx';
import { Loading } from '../../components/list/list-states.tsx';
import { passFocusOn } from '../../navigation.ts';
import { useRead } from '../../page.ts';
import { useSession } from '../../session.ts';
import { NameAndEmail, PasswordForm } from './account-forms.tsx';
import { BestMatch } from './best-match.tsx';
import { filledOf, ProfileForm, useProfileDraft } from './profile-form.tsx';
import { SavedSchools } from './saved-schools.tsx';
import { Sessions } from './sessions.tsx';
import { YourData } from './your-data.tsx';

export function Component() {
  const session = useSession();
  // The session may end while the page is open: the typed text stays and still belongs to this user.
  const [userId] = useState(session?.userId ?? 0);
  const form = useRef<HTMLFormElement>(null);
  const draft = useProfileDraft();
  // After any failure the page shows the sentence of spec §8 with a Retry button.
  const query = useRead(getProfile, { params: { userId } }, { enabled: session !== null, retry: false });
  const profile = query.data ?? null;

  /** Fills in the stored profile, unless the form has it already. Typed text stays. */
  function edit(): void {
    if (!profile) return;
    const { userId: _, ...stored } = profile;
    if (!draft.values.isUpdate) draft.change({ ...stored, ...filledOf(draft.values), isUpdate: true });
    form.current?.querySelector('input')?.focus();
  }

  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-8 py-10">
      <div>
        <PageHeading subtitle="Say what you are looking for, and find the school that fits it best.">
          Profile
        </PageHeading>
        {/* On narrow screens both sections are below a long form. The line has its height before the profile loads. */}
        <p className="no-print mt-2 flex min-h-touch flex-wrap gap-x-6 lg:hidden">
          {profile && (
            <>
              <a href="#best-match" className="text-link inline-flex min-h-touch items-center">
                Best Match
              </a>
              <a href="#your-profile" className="text-link inline-flex min-h-touch items-center">
                Your Profile
              </a>
            </>
          )}
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[3fr_2fr]">
        <ProfileForm ref={form} draft={draft} userId={userId} hasProfile={profile !== null} />
        <ProfileCard query={query} isSignedIn={session !== null} onEdit={edit} />
      </div>
      <BestMatch profile={profile} />
      <SavedSchools />
      <p>
        <StandaloneLink to={PAGES.myReviews.path}>{PAGES.myReviews.title}</StandaloneLink>
      </p>
      <div className="grid gap-3">
        <YourAccount />
        <YourData />
      </div>
    </div>
  );
}

/** Rarely used functions of an account, collapsed by default. */
function YourAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <DisclosureCard
      summary="Your account"
      className="no-print max-w-prose"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <div className="grid gap-8">
        <NameAndEmail />
        <PasswordForm />
        <Sessions isShown={isOpen} />
      </div>
    </DisclosureCard>
  );
}

interface ProfileCardProps {
  query: UseQueryResult<Profile | null>;
  isSignedIn: boolean;
  /** Copies the profile into the form. */
  onEdit: () => void;
}

function ProfileCard({ query, isSignedIn, onEdit }: ProfileCardProps) {
  const { data: profile } = query;

  function content(): ReactNode {
    if (profile) return <Preferences profile={profile} />;
    if (!isSignedIn) {
      return (
        <p className="text-ink-soft">
          <TextLink to={accountAddress(PAGES.login, { next: PAGES.profile.path })}>Log in</TextLink> to see your
          profile.
        </p>
      );
    }
    if (profile === null) {
      return <p className="text-ink-soft">You have no profile yet. Fill in the form and it appears here.</p>;
    }
    return query.isError ? null : <Loading>Loading profile...</Loading>;
  }

  return (
    <section id="your-profile" tabIndex={-1} aria-labelledby="profile-title" className="card p-5 sm:p-6">
      <h2 id="profile-title" className="mb-4 text-xl">
        Your University Profile
      </h2>
      {content()}
      <div aria-live="polite">
        {query.isError && (
          <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="font-semibold text-danger">Failed to fetch profile. Please try again.</p>
            <Button variant="quiet" ref={passFocusOn} isPending={query.isFetching} onClick={() => void query.refetch()}>
              Retry
            </Button>
          </div>
        )}
      </div>
      {profile && (
        <Button variant="quiet" className="mt-4" onClick={onEdit}>
          Edit
        </Button>
      )}
    </section>
  );
}

function Preferences({ profile }: { profile: Profile }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {PROFILE_FIELDS.map((field) => (
        <div key={field} className="min-w-0">
          <dt className="text-sm font-semibold text-ink-soft">{PROFILE_LABELS[field]}</dt>
          <dd dir="auto" className="leading-snug whitespace-pre-line wrap-anywhere">
            {profile[field] || <span className="text-ink-soft">Not given</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
