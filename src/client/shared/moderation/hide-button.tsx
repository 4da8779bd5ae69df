import { Suspense, useState } from 'react';
import { lateDialog } from '../../components/feedback/late-dialog.tsx';

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
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-describedby={describedBy} onClick={() => setIsOpen(true)}>
        Hide…
      </button>
      {isOpen && (
        <Suspense>
          <HideDialog reviewId={reviewId} onHidden={onHidden} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
