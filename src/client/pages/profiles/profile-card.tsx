import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { accountAddress, PAGES } from '../../../contract/pages.ts';
import { PROFILE_FIELDS, PROFILE_LABELS, type Profile } from '../../../contract/profiles.ts';
import { Button } from '../../components/form/button.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { Loading } from '../../components/list/list-states.tsx';
import { passFocusOn } from '../../navigation.ts';

interface ProfileCardProps {
  query: UseQueryResult<Profile | null>;
  isSignedIn: boolean;
  /** Copies the profile into the form. */
  onEdit: () => void;
}

/** The stored profile. */
export function ProfileCard({ query, isSignedIn, onEdit }: ProfileCardProps) {
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
