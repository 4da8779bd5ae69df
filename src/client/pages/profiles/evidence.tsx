import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { PROFILE_LABELS, type Recommendation } from '../../../contract/profiles.ts';
import { starLabel } from '../../../contract/stars.ts';
import { PageLink } from '../../components/layout/page-link.tsx';

interface EvidenceProps {
  school: string;
  evidence: Recommendation['evidence'];
}

type QuoteData = EvidenceProps['evidence'][number]['quotes'][number];

/** Quotations from reviews of the recommended school for each filled field of the profile. */
export function Evidence({ school, evidence }: EvidenceProps) {
  if (evidence.length === 0) return null;
  return (
    <div className="mt-6 max-w-prose">
      <h3 className="text-lg wrap-anywhere">{`What reviews of ${school} say`}</h3>
      <dl className="mt-2 grid gap-4">
        {evidence.map(({ field, wish, quotes }) => (
          <div key={field}>
            <dt className="wrap-anywhere">
              <span className="font-semibold">{PROFILE_LABELS[field]}:</span>{' '}
              <span className="text-ink-soft" dir="auto">
                {wish}
              </span>
            </dt>
            {quotes.length === 0 && <dd className="text-ink-soft">No reviews speak to this.</dd>}
            {quotes.map((quote) => (
              <dd key={quote.reviewId} className="mt-2">
                <Quote quote={quote} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </div>
  );
}

function Quote({ quote }: { quote: QuoteData }) {
  return (
    <figure className="border-l-2 border-brand pl-4">
      <blockquote dir="auto">
        {/* A colour and no underline: several lines underlined are hard to read. */}
        <PageLink
          to={pageAddress(PAGES.review, quote.reviewId)}
          className="lines-2 font-serif wrap-anywhere text-brand hover:underline"
        >
          {quote.quote}
        </PageLink>
      </blockquote>
      <figcaption className="text-sm text-ink-soft">
        {quote.entryName}, {starLabel(quote.rating)}
      </figcaption>
    </figure>
  );
}
