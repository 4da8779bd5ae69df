import { getSavedSchools, saveSchool, unsaveSchool } from '../../../contract/saved-schools.ts';
import { actionFailureText, invalidateReads, request } from '../../api.ts';
import { useLoginFirst, useResumed } from '../../begun.ts';
import { Button, ToggleText } from '../../components/form/button.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { useRead } from '../../page.ts';
import { useSession } from '../../session.ts';

const SAVE = 'save';

/** Saves the school to the user's list or removes it. Visitors are led to the login page first. */
export function SaveButton({ schoolId }: { schoolId: number }) {
  const session = useSession();
  const loginFirst = useLoginFirst('Log in to save a school.');
  const saved = useRead(getSavedSchools, {}, { enabled: session !== null });
  const saving = useGuardedMutation({
    mutationFn: (save: boolean) => request(save ? saveSchool : unsaveSchool, { params: { schoolId } }),
    // Awaited: until the list is read again, the mutation is pending and the button shows its state.
    onSuccess: () => invalidateReads(getSavedSchools),
    onError: (error, save) =>
      notify.failure(actionFailureText(error, save ? 'The school was not saved.' : 'The school is still saved.')),
  });
  // Not while the list is being read: its answer may lack the school, and would replace the new state.
  useResumed((action) => {
    if (action !== SAVE) return false;
    saving.mutate(true, { onSuccess: () => notify.success('School saved.') });
    return true;
  }, !saved.isPending);
  const isListed = saved.data?.some(({ id }) => id === schoolId) ?? false;
  const isSaved = saving.isPending ? saving.variables : isListed;

  return (
    <Button
      variant="quiet"
      aria-pressed={isSaved}
      className="min-w-28"
      onClick={() => loginFirst(SAVE, () => saving.mutate(!isSaved))}
    >
      <ToggleText isOn={isSaved} on="Saved">
        Save
      </ToggleText>
    </Button>
  );
}
