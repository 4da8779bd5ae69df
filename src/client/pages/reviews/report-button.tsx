import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { PAGES } from '../../../contract/pages.ts';
import { useSession } from '../../session.ts';
import { rememberReturnPlace } from '../accounts/return-place.ts';

// Loaded on demand, because few readers report.
const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })));

/** Reports a review. Visitors are led to the login page first. */
export function ReportButton({ reviewId }: { reviewId: number }) {
  const session = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [isOpen, setIsOpen] = useState(false);

  function open(): void {
    if (session) {
      setIsOpen(true);
      return;
    }
    rememberReturnPlace(`${pathname}${search}`, null, 'Log in to report a review.');
    void navigate(PAGES.login.path);
  }

  return (
    <>
      <button type="button" className="text-button no-print needs-script" onClick={open}>
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
