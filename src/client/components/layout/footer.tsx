import { PAGES } from '../../../contract/pages.ts';
import { siteName } from '../../site.ts';
import { PageLink } from './page-link.tsx';

const LINKS = [
  { page: PAGES.tos, label: 'Terms of Service' },
  { page: PAGES.allSchools, label: 'All Schools' },
  { page: PAGES.about, label: 'About' },
];

export function Footer() {
  return (
    <footer className="no-print mt-auto border-t border-line bg-sunken">
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-2 py-4 text-sm">
        <p className="font-serif font-semibold">{siteName()}</p>
        <ul className="flex flex-wrap gap-x-6">
          {LINKS.map(({ page, label }) => (
            <li key={page.path}>
              <PageLink to={page.path} className="text-link inline-flex min-h-touch items-center">
                {label}
              </PageLink>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
