import { getMyReviews, type MyReview } from '../../../contract/my-reviews.ts';
import { PAGES } from '../../../contract/pages.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { PagedList } from '../../components/list/paged-list.tsx';
import { usePagedRead } from '../../page.ts';
import { useSession } from '../../session.ts';
import { MyProposals } from '../../shared/proposals/my-proposals.tsx';
import { MyReviewItem } from './my-review-item.tsx';

const needsAttention = ({ isHidden, isWithdrawn }: MyReview) => isHidden && !isWithdrawn;

/** The heading of the only list, for screen readers alone: the page's heading says the same. */
const ALL_REVIEWS = 'All reviews';

/** The user's own reviews with their state: hidden ones first. */
export function Component() {
  const session = useSession();
  const query = usePagedRead(getMyReviews, {}, { enabled: session !== null });
  return (
    <div className="page grid grid-cols-[minmax(0,48rem)] gap-8 py-10">
      <PageHeading>Your reviews</PageHeading>
      <PagedList
        query={query}
        loading="Loading reviews..."
        empty={
          <span>
            <span>You have not written a review yet.</span> <TextLink to={PAGES.dashboard.path}>Find a school</TextLink>
          </span>
        }
        failed="Your reviews could not be loaded."
      >
        {(reviews) => {
          const hidden = reviews.filter(needsAttention);
          const others = reviews.filter((review) => !needsAttention(review));
          return (
            <>
              <Reviews title="Hidden" reviews={hidden} />
              <Reviews title={hidden.length > 0 ? 'All others' : ALL_REVIEWS} reviews={others} />
            </>
          );
        }}
      </PagedList>
      <MyProposals />
    </div>
  );
}

function Reviews({ title, reviews }: { title: string; reviews: readonly MyReview[] }) {
  if (reviews.length === 0) return null;
  return (
    <section aria-label={title} className="grid gap-2">
      <h2 className={title === ALL_REVIEWS ? 'sr-only' : 'text-xl'}>{title}</h2>
      <ul className="border-t border-line">
        {reviews.map((review) => (
          <li key={review.id} className="border-b border-line py-5">
            <MyReviewItem review={review} />
          </li>
        ))}
      </ul>
    </section>
  );
}
