import { PageLink } from './page-link.tsx';

interface BreadcrumbProps {
  /** The way down to this page, from the top; the page itself is not part of it. */
  trail: readonly { label: string; to: string }[];
}

/** Where a page stands. A plain list: the menu is the page's one navigation landmark. */
export function Breadcrumb({ trail }: BreadcrumbProps) {
  return (
    <ol aria-label="Breadcrumb" className="no-print flex flex-wrap items-center gap-x-2 text-sm">
      {trail.map(({ label, to }, index) => (
        <li key={to} className="flex items-center gap-2">
          {index > 0 && (
            <span aria-hidden="true" className="text-ink-soft">
              /
            </span>
          )}
          <PageLink to={to} className="text-link inline-flex min-h-touch items-center">
            {label}
          </PageLink>
        </li>
      ))}
    </ol>
  );
}
