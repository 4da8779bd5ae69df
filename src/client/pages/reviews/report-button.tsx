import { lazy, Suspense, useState } from 'react';
import { useLoginFirst } from '../accounts/use-login-first.ts';

// Loaded on demand, because few readers report.
const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })));

/** Reports a review. Visitors are led to the login page first. */
export function ReportButton({ reviewId }: { reviewId: number }) {
  const loginFirst = useLoginFirst('Log in to report a review.');
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
