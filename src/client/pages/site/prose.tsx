import type { ReactNode } from 'react';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { supportEmail } from '../../site.ts';

interface ProseProps {
  heading: string;
  subtitle: string;
  sections: readonly { id: string; title: string; content: ReactNode }[];
}

/** A page of text. On wide screens it has a table of contents in the margin. */
export function Prose({ heading, subtitle, sections }: ProseProps) {
  return (
    <div className="page grid gap-x-16 py-10 lg:grid-cols-[minmax(0,38rem)_1fr]">
      <article className="prose-page min-w-0">
        <PageHeading subtitle={subtitle}>{heading}</PageHeading>
        {sections.map(({ id, title, content }) => (
          <section key={id}>
            <h2 id={id} tabIndex={-1}>
              {title}
            </h2>
            {content}
          </section>
        ))}
      </article>
      <div className="no-print hidden lg:block">
        <div className="sticky top-24 border-l border-line pl-6">
          <p id="contents" className="text-sm font-semibold text-ink-soft">
            On this page
          </p>
          <ul aria-labelledby="contents" className="mt-1">
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="inline-flex min-h-9 items-center hover:underline">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}

/** The support address as a link. */
export function SupportLink() {
  return (
    <a href={`mailto:${supportEmail()}`} className="text-link wrap-anywhere">
      {supportEmail()}
    </a>
  );
}
