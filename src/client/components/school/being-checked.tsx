import { PAGES } from '../../../contract/pages.ts';
import { PageLink } from '../layout/page-link.tsx';

/** Says beside a figure that it counts reviews that are being checked, and links to what that means. */
export function BeingChecked({ className = '' }: { className?: string }) {
  return (
    <PageLink
      to={`${PAGES.scores.path}#left-out`}
      className={`text-link inline-block text-sm leading-6 whitespace-nowrap ${className}`}
    >
      being checked
    </PageLink>
  );
}
