import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { getProfile } from '../../../contract/profiles.ts';
import { callQuery, queryClient } from '../../api.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { readSession, useSession } from '../../session.ts';
import { BestMatch, schoolsQuery } from './best-match.tsx';
import { PasswordAndSessions } from './password-and-sessions.tsx';
import { ProfileCard } from './profile-card.tsx';
import { fillForm, ProfileForm } from './profile-form.tsx';

const profileQuery = (userId: number) => ({
  ...callQuery(getProfile, { params: { userId } }),
  // Whatever the reason, the words are the page's (spec §8), and Retry stands beside them.
  retry: false,
  throwOnError: false,
});

export const loader = () => {
  const session = readSession();
  if (session) void queryClient.prefetchQuery(profileQuery(session.userId));
  void queryClient.prefetchQuery(schoolsQuery);
};

export function Component() {
  const session = useSession();
  const form = useRef<HTMLFormElement>(null);
  // A session may end while the page stands: what was typed stays, and nothing is asked for in nobody's name.
  const query = useQuery({ ...profileQuery(session?.userId ?? 0), enabled: session !== null });
  const profile = query.data ?? null;
  return (
    <div className="page grid gap-8 py-10">
      <PageHeading subtitle="Say what you are looking for, and find the school that fits it best.">Profile</PageHeading>
      <div className="grid items-start gap-8 lg:grid-cols-[3fr_2fr]">
        <ProfileForm ref={form} userId={session?.userId} />
        <div className="grid gap-8">
          <ProfileCard
            query={query}
            isSignedIn={session !== null}
            onEdit={() => profile && form.current && fillForm(form.current, profile)}
          />
          <BestMatch profile={profile} />
        </div>
      </div>
      <PasswordAndSessions />
    </div>
  );
}
