import type { ReactNode } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import { Breadcrumb, type Step } from '../../components/layout/breadcrumb.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';

const stepTo = ({ title, path }: { title: string; path: string }): Step => ({ label: title, to: path });

interface AdminPageProps {
  heading: string;
  /** The name for the document's title. Default: the title of the route. */
  title?: string | undefined;
  subtitle?: string | undefined;
  /** The ancestors of a page about a school, below the list of schools. Default: the page is below the admin panel. */
  inSchools?: readonly Step[];
  children: ReactNode;
}

/** A page for admins, below the admin panel: the way back, the heading, and the content. */
export function AdminPage({ heading, title, subtitle, inSchools, children }: AdminPageProps) {
  const trail = [stepTo(PAGES.adminUsers), ...(inSchools ? [stepTo(PAGES.adminSchools), ...inSchools] : [])];
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-6 pt-4 pb-10">
      <div className="min-w-0">
        <Breadcrumb trail={trail} />
        <PageHeading title={title} subtitle={subtitle}>
          {heading}
        </PageHeading>
      </div>
      {children}
    </div>
  );
}
