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

const NO_REVIEWS = 'No reviews speak to: ';

/** The words of the preference that occur in the school's own texts. Responses cached by an earlier release have none. */
function matchedWords({ named = [] }: Partial<Item>): string {
  const byKey = new Map(named.map(({ word }) => [word.toLowerCase(), `“${word}”`]));
  return [...byKey.values()].join(', ');
}

/** What speaks for the recommended school: words in its own texts, and quotations from its reviews. */
export function Evidence({ school, evidence, text }: EvidenceProps) {
  const supported = evidence.filter((item) => item.quotes.length > 0 || matchedWords(item) !== '');
  const unsupported = evidence.filter((item) => !supported.includes(item));
  return (
    <>
      {supported.length > 0 && (
        <>
          <h3 className="mt-6 text-lg wrap-anywhere">
            {supported.some(({ quotes }) => quotes.length > 0) ? `What reviews of ${school} say` : `Why ${school}`}
          </h3>
          <dl className="mt-2 grid items-start gap-x-10 gap-y-4 lg:grid-cols-2">
            {supported.map((item) => (
              <SupportedField key={item.field} item={item} />
            ))}
          </dl>
        </>
      )}
      {supported.length > 0 && unsupported.length > 0 && !text.includes(NO_REVIEWS) && (
        <p className="mt-4 text-ink-soft">
          {`${NO_REVIEWS}${unsupported.map(({ field }) => PROFILE_LABELS[field]).join(', ')}.`}
        </p>
      )}
    </>
  );
}

/** A field of the profile with one quotation, the others behind a disclosure. */
function SupportedField({ item }: { item: Item }) {
  const [first, ...more] = item.quotes;
  const words = matchedWords(item);
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
