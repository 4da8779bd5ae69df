import { PAGES } from '../../../contract/pages.ts';
import { PageHeading } from '../layout/page-heading.tsx';
import { PageLink } from '../layout/page-link.tsx';

/** Replaces a page when nothing has the id in its address. */
export function NotFoundMessage() {
  return (
    <div className="page py-16">
      <PageHeading title="Page not found" subtitle="It may have been removed, or the address is mistyped.">
        Page not found
      </PageHeading>
      <p className="mt-8 flex flex-wrap gap-3">
        <PageLink to={PAGES.dashboard.path} className="button button-primary">
          Find a school
        </PageLink>
        <PageLink to={PAGES.allSchools.path} className="button button-quiet">
          See all schools
        </PageLink>
      </p>
    </div>
  );
}
