import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { starLabel } from '../../../contract/stars.ts';
import type { Voice as Quoted } from '../../../contract/voices.ts';
import { backgroundText } from '../../shared/reviews/background-texts.ts';
import { PageLink } from '../layout/page-link.tsx';

interface VoiceProps {
  voice: Quoted;
  /** The name of the quoted entry or school, where the page does not say it. */
  about?: string;
  className?: string;
}

/**
 * The words of one reviewer, in at most three lines, as a link to their review. It must not stand inside another link.
 */
export function Voice({ voice, about, className = '' }: VoiceProps) {
  const { reviewId, quote, rating } = voice;
  const background = backgroundText(voice);
  return (
    <figure className={`voice ${className}`}>
      <blockquote dir="auto">
        <PageLink to={pageAddress(PAGES.review, reviewId)} className="voice-quote lines-3">
          {`“${quote}”`}
        </PageLink>
      </blockquote>
      <figcaption className="text-sm wrap-anywhere text-ink-soft tabular-nums">
        <span role="img" aria-label={starLabel(rating)}>
          <span className="text-accent">★</span> {rating}
        </span>
        {background && <span>{` · ${background}`}</span>}
        {about && (
          <span>
            {' · '}
            <bdi>{about}</bdi>
          </span>
        )}
      </figcaption>
    </figure>
  );
}
