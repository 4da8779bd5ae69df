import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { PROFILE_LABELS, type Recommendation } from '../../../contract/profiles.ts';
import { starLabel } from '../../../contract/stars.ts';
import { PageLink } from '../../components/layout/page-link.tsx';

interface EvidenceProps {
  school: string;
  evidence: Recommendation['evidence'];
  /** The recommendation in words. What it already says is not repeated. */
  text: string;
}

type Item = Recommendation['evidence'][number];
type QuoteData = Item['quotes'][number];

const SILENT = 'No reviews speak to: ';

/**
 * The words of the preference that the school's own texts have, in quotes. A response that an earlier version cached has
 * none.
 */
function wordsNamed({ named = [] }: Partial<Item>): string {
  const byKey = new Map(named.map(({ word }) => [word.toLowerCase(), `“${word}”`]));
  return [...byKey.values()].join(', ');
}

/** What speaks for the recommended school: words in its own texts, and quotations from its reviews. */
export function Evidence({ school, evidence, text }: EvidenceProps) {
  const spoken = evidence.filter((item) => item.quotes.length > 0 || wordsNamed(item) !== '');
  const silent = evidence.filter((item) => !spoken.includes(item));
  return (
    <>
      {spoken.length > 0 && (
        <>
          <h3 className="mt-6 text-lg wrap-anywhere">
            {spoken.some(({ quotes }) => quotes.length > 0) ? `What reviews of ${school} say` : `Why ${school}`}
          </h3>
          <dl className="mt-2 grid items-start gap-x-10 gap-y-4 lg:grid-cols-2">
            {spoken.map((item) => (
              <SpokenField key={item.field} item={item} />
            ))}
          </dl>
        </>
      )}
      {spoken.length > 0 && silent.length > 0 && !text.includes(SILENT) && (
        <p className="mt-4 text-ink-soft">
          {`${SILENT}${silent.map(({ field }) => PROFILE_LABELS[field]).join(', ')}.`}
        </p>
      )}
    </>
  );
}

/** A field of the profile with one quotation, the others behind a disclosure. */
function SpokenField({ item }: { item: Item }) {
  const [first, ...more] = item.quotes;
  const words = wordsNamed(item);
  return (
    <div className="min-w-0">
      <dt className="wrap-anywhere">
        <span className="font-semibold">{`${PROFILE_LABELS[item.field]}: `}</span>
        <span className="text-ink-soft" dir="auto">
          {item.wish}
        </span>
      </dt>
      {words !== '' && <dd className="text-ink-soft wrap-anywhere">{`Its own words: ${words}`}</dd>}
      {first && (
        <dd className="mt-2">
          <Quote quote={first} />
        </dd>
      )}
      {more.length > 0 && (
        <dd className="mt-2">
          <details>
            <summary className="text-link inline-flex min-h-touch items-center">More evidence</summary>
            <div className="grid gap-2">
              {more.map((quote) => (
                <Quote key={quote.reviewId} quote={quote} />
              ))}
            </div>
          </details>
        </dd>
      )}
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
          className="font-serif wrap-anywhere text-brand hover:underline"
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
