import type { Random } from './random.ts';

/** With this exponent the best-known of 42,000 entries gets 10,639 of 400,000 reviews. */
const ZIPF_EXPONENT = 0.8;

/** How many reviews each entry gets: few get many, many get few (Zipf), in random order. The sum is exact. */
export function spreadReviews(reviews: number, entries: number, random: Random): Uint32Array {
  let weight = 0;
  for (let rank = 1; rank <= entries; rank += 1) weight += rank ** -ZIPF_EXPONENT;
  const counts = new Uint32Array(entries);
  let reached = 0;
  let given = 0;
  for (let rank = 1; rank <= entries; rank += 1) {
    reached += (rank ** -ZIPF_EXPONENT / weight) * reviews;
    const upTo = rank === entries ? reviews : Math.round(reached);
    counts[rank - 1] = upTo - given;
    given = upTo;
  }
  random.shuffle(counts);
  return counts;
}

/** How many of an entry's reviews are written in a term: evenly spread over the terms. The sum is exact. */
export function shareOfTerm(count: number, entry: number, term: number, terms: number): number {
  // Entries with one or two reviews would otherwise all get them in the same term.
  const offset = (entry * 7) % terms;
  return Math.floor((count * (term + 1) + offset) / terms) - Math.floor((count * term + offset) / terms);
}
