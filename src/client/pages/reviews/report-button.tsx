import { lazy, Suspense, useState } from 'react';

// Loaded on demand, because few readers report.
const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })));

interface ReportButtonProps {
  reviewId: number;
  /** Runs an action for a signed-in user, and leads a visitor to the login page instead. */
  loginFirst: (action: () => void) => void;
}

/** Reports a review. */
export function ReportButton({ reviewId, loginFirst }: ReportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <button
        type="button"
        className="text-button no-print needs-script"
        onClick={() => loginFirst(() => setIsOpen(true))}
      >
        Report
      </button>
      {isOpen && (
        <Suspense>
          <ReportDialog reviewId={reviewId} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
