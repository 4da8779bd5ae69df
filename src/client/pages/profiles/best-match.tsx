import { Fragment } from 'react';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { PROFILE_LABELS, type Profile, type Recommendation, recommendSchool } from '../../../contract/profiles.ts';
import { listSchools, type SchoolName } from '../../../contract/schools.ts';
import { starLabel } from '../../../contract/stars.ts';
import { isExplained, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { DRAWINGS, Drawing } from '../../components/layout/drawing.tsx';
import { PageLink, TextLink } from '../../components/layout/page-link.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { useHistoryState } from '../../history-state.ts';
import { passFocusOn } from '../../navigation.ts';
import { useRead } from '../../page.ts';

/** The request names only some schools, to stay small: the server knows all of them. */
const HINTED_SCHOOLS_MAX = 100;

const NO_RECOMMENDATION = 'No recommendation received.';

/** The text of an answer, which the specification calls its data; empty if it has none. */
function textOf(answer: unknown): string {
  const text = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer;
  return typeof text === 'string' ? text.trim() : '';
}

/** @param isEnglish whether it is English even where it begins with a name in Hebrew; a model may write as it was asked */
function RecommendedText({ isEnglish = false, children }: { isEnglish?: boolean; children: string }) {
  return (
    <p className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere" dir={isEnglish ? 'ltr' : 'auto'}>
      {children || NO_RECOMMENDATION}
    </p>
  );
}

/** The school, the recommendation in words, quotations from reviews and the next best schools. */
function Recommended({ answer }: { answer: string | Recommendation | null | undefined }) {
  if (typeof answer !== 'object' || !answer?.school) return <RecommendedText>{textOf(answer)}</RecommendedText>;
  const { school, text, author, evidence, others } = answer;
  return (
    <>
      <h3 className="mt-6 text-lg wrap-anywhere">
        <SchoolLink {...school} />
      </h3>
      <RecommendedText isEnglish={author === 'built-in'}>{text}</RecommendedText>
      <Evidence school={school.schoolName} evidence={evidence} text={text} />
      {others.length > 0 && (
        <p className="mt-6 text-sm wrap-anywhere">
          <span>Next best: </span>
          {others.map((other, index) => (
            <Fragment key={other.id}>
              {index > 0 && <span>, </span>}
              <SchoolLink {...other} />
            </Fragment>
          ))}
        </p>
      )}
    </>
  );
}

function SchoolLink({ id, schoolName }: Recommendation['school']) {
  return (
    <TextLink to={pageAddress(PAGES.school, id)} state={{ name: schoolName }}>
      <bdi>{schoolName}</bdi>
    </TextLink>
  );
}

/** Asks for the school that fits the stored profile best. */
export function BestMatch({ profile }: { profile: Profile | null }) {
  const { data: schools = [], isPending, isError } = useRead(listSchools, { query: { limit: HINTED_SCHOOLS_MAX } });
  // Its quotations are links: whoever follows one and comes back finds it as it was.
  const [given, setGiven] = useHistoryState<{ profile: Profile; answer: string | Recommendation | null } | null>(null);
  const matching = useGuardedMutation({
    onSuccess: (answer, { profile }) => setGiven({ profile, answer }),
    mutationFn: (hints: { profile: Profile; schools: readonly SchoolName[] }) =>
      request(recommendSchool, { body: hints }, { accept: 'application/json' }),
  });
  // The answer is about the profile that was sent. A profile that is refetched without a change stays the same object.
  const error = matching.variables?.profile === profile ? matching.error : null;
  const isAnswered = given !== null && given.profile === profile && !matching.isPending && !error;
  const canAsk = profile !== null && schools.length > 0;

  /** Why no recommendation can be asked for; null if it can, or while the schools are loading. */
  function findObstacle(): string | null {
    if (!profile) return 'Save a profile first.';
    if (isError) return 'The schools could not be loaded. Check your connection and open the page again.';
    return schools.length > 0 || isPending ? null : 'There are no schools to choose from yet.';
  }

  return (
    <section id="best-match" tabIndex={-1} aria-labelledby="match-title" className="card bg-brand-soft p-5 sm:p-6">
      <h2 id="match-title" className="text-xl">
        Find Your Best Match
      </h2>
      <p id="match-help" className="mt-1">
        {findObstacle() ?? 'Your profile is compared with every school and what its reviewers say.'}
      </p>
      <Button
        // A new one when it becomes disabled, as after an ended session: the focus would fall to the body.
        key={String(canAsk)}
        ref={passFocusOn}
        className="mt-4 max-w-full *:min-w-0 max-[16rem]:px-2"
        aria-describedby="match-help"
        disabled={!canAsk}
        isPending={matching.isPending}
        onClick={() => profile && canAsk && matching.mutate({ profile, schools })}
      >
        {matching.isPending ? 'Finding best match...' : 'Get Recommendation'}
      </Button>
      <div aria-live="polite">
        {isAnswered && <Recommended answer={given.answer} />}
        {error && (
          <div className="mt-4 text-danger">
            <p className="font-semibold">
              {/* The text has the specification's cross mark, which not every font can show: a drawing replaces it. */}
              <span className="text-[0px]">❌</span>
              <Drawing d={DRAWINGS.cross} className="mr-1 inline size-5 align-[-0.25em]" />
              {' Failed to get a recommendation. Please try again.'}
            </p>
            {isExplained(error) && <p>{error.message}</p>}
          </div>
        )}
      </div>
    </section>
  );
}

interface EvidenceProps {
  school: string;
  evidence: Recommendation['evidence'];
  /** The recommendation in words, whose quotations are not repeated. */
  text: string;
}

type Item = Recommendation['evidence'][number];

const NO_REVIEWS = 'No reviews speak to: ';

/** The words of the preference that occur in the school's own texts. Responses cached by an earlier release have none. */
function matchedWords({ named = [] }: Partial<Item>): string {
  const byKey = new Map(named.map(({ word }) => [word.toLowerCase(), `“${word}”`]));
  return [...byKey.values()].join(', ');
}

/** The evidence for the recommended school: words in its own texts, and quotations from its reviews. */
function Evidence({ school, evidence, text }: EvidenceProps) {
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

function Quote({ quote }: { quote: Item['quotes'][number] }) {
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
