import { useRef, useState } from 'react';
import { type MergePreview, mergeSchools, previewMerge } from '../../../contract/merging.ts';
import type { School, SchoolName } from '../../../contract/schools.ts';
import { actionFailureText, failureText, request } from '../../api.ts';
import { ConfirmDialog } from '../../components/feedback/dialog.tsx';
import { SchoolSearch } from '../../components/school/school-search.tsx';
import { countText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { useRead } from '../../page.ts';

interface MergeDialogProps {
  school: SchoolName;
  onMerged: (into: School) => Promise<void>;
  onClose: () => void;
}

/** Asks which school another one is merged into, and says what will happen. */
export function MergeDialog({ school, onMerged, onClose }: MergeDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [into, setInto] = useState<SchoolName>();
  const [problem, setProblem] = useState<string>();
  const preview = useRead(
    previewMerge,
    { query: { from: school.id, into: into?.id ?? 0 } },
    { enabled: into !== undefined, staleTime: 0 },
  );
  const merge = useGuardedMutation({
    mutationFn: (chosen: SchoolName) => request(mergeSchools, { body: { from: school.id, into: chosen.id } }),
    onSuccess: async (merged) => {
      dialog.current?.close();
      await onMerged(merged);
    },
    onError: (cause) => setProblem(failureText(cause, 'The schools were not merged: ')),
  });

  function choose(chosen: SchoolName): void {
    setProblem(undefined);
    setInto(chosen);
  }

  return (
    <ConfirmDialog
      ref={dialog}
      title={`Merge ${school.schoolName} into …`}
      error={problem}
      confirmLabel="Merge schools"
      isPending={merge.isPending}
      // Disabled until the effects of the merge are shown.
      isDisabled={into !== undefined && !preview.data}
      onConfirm={() => (into ? merge.mutate(into) : setProblem('Please choose the school that stays.'))}
      onClose={onClose}
    >
      {/* Reserves space for the suggestions, which would otherwise make the dialog scroll. */}
      <div className="grid min-h-74 content-start gap-4">
        <p>Choose the school that stays. Entries, reviews and addresses of this one (no. {school.id}) go to it.</p>
        <SchoolSearch label="Merge into" excludedId={school.id} onChoose={choose} />
        <div aria-live="polite" className="grid gap-2">
          {into && (
            <p>
              <bdi className="font-semibold">{school.schoolName}</bdi> becomes part of{' '}
              <bdi className="font-semibold">{into.schoolName}</bdi>
              <span>{into.country ? ` (no. ${into.id}, ${into.country}).` : ` (no. ${into.id}).`}</span>
            </p>
          )}
          {preview.data && <Consequences preview={preview.data} name={school.schoolName} />}
          {preview.error && <p>{actionFailureText(preview.error, 'What would happen could not be loaded.')}</p>}
        </div>
      </div>
    </ConfirmDialog>
  );
}

function Consequences({ preview, name }: { preview: MergePreview; name: string }) {
  return (
    <ul className="grid list-disc gap-1 pl-5">
      {consequenceTexts(preview).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      <li>
        “<bdi>{name}</bdi>” is added to the other names.
      </li>
      <li>This has no Undo.</li>
    </ul>
  );
}

/** The effects of the merge on entries and reviews: a sentence for each that occurs. */
function consequenceTexts({ moving, joining, reviews }: MergePreview): string[] {
  return [
    moving > 0 ? `${countText(moving, 'entry moves as it is', 'entries move as they are')}.` : [],
    joining > 0 ? `${countText(joining, 'entry becomes', 'entries become')} one with an entry of the same name.` : [],
    reviews > 0 ? `${countText(reviews, 'review moves', 'reviews move')}.` : [],
    joining > 0 && reviews > 0 ? 'Where one person reviewed both, the newer review stays.' : [],
  ].flat();
}
