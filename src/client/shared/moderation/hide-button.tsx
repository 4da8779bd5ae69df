import { lateDialog, useLateDialog } from '../../components/feedback/late-dialog.tsx';

const HideDialog = lateDialog(() => import('./hide-dialog.tsx').then(({ HideDialog }) => HideDialog));

interface HideButtonProps {
  reviewId: number;
  className: string;
  onHidden?: (() => void) | undefined;
  /** The id of the element that names the review in a table. */
  describedBy?: string;
}

/** Lets an admin hide a review where they read it. */
export function HideButton({ reviewId, className, onHidden, describedBy }: HideButtonProps) {
  const dialog = useLateDialog<true>();
  return (
    <>
      <button
        type="button"
        className={`aria-busy:opacity-60 ${className}`}
        aria-describedby={describedBy}
        aria-busy={dialog.isOpening(true) || undefined}
        onClick={() => dialog.open(true)}
      >
        Hide…
      </button>
      {dialog.opened && <HideDialog reviewId={reviewId} onHidden={onHidden} onClose={dialog.close} />}
    </>
  );
}
