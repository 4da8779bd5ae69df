import { lazy, Suspense, useState } from 'react';

// Loaded on demand, because few readers are admins.
const HideDialog = lazy(() => import('./hide-dialog.tsx').then(({ HideDialog }) => ({ default: HideDialog })));

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
