import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { PAGES } from '../../../contract/pages.ts';
import { getSavedSchools, saveSchool, unsaveSchool } from '../../../contract/saved-schools.ts';
import { callQuery, keyOf, notDoneText, queryClient, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { useSession } from '../../session.ts';
import { rememberReturnPlace } from '../accounts/return-place.ts';

/** Puts the school on the user's list, or takes it off; visitors log in first. */
export function SaveButton({ schoolId }: { schoolId: number }) {
  const session = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const saved = useQuery({ ...callQuery(getSavedSchools), enabled: session !== null, throwOnError: false });
  const change = useGuardedMutation({
    mutationFn: (save: boolean) => request(save ? saveSchool : unsaveSchool, { params: { schoolId } }),
    // Waited for: until the list is there, the button shows what was asked for.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(getSavedSchools) }),
    onError: (error, save) =>
      notify.failure(notDoneText(error, save ? 'The school was not saved.' : 'The school is still saved.')),
  });
  const isListed = saved.data?.some(({ id }) => id === schoolId) ?? false;
  const isSaved = change.isPending ? change.variables : isListed;

  function toggle(): void {
    if (session) {
      change.mutate(!isSaved);
      return;
    }
    rememberReturnPlace(pathname, null, 'Log in to save a school.');
    void navigate(PAGES.login.path);
  }

  return (
    <Button variant="quiet" aria-pressed={isSaved} className="min-w-28" onClick={toggle}>
      Save
    </Button>
  );
}
