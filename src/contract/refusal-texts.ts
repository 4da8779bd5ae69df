/** The titles of refused pages by status, for the server's documents and the browser's own pages. */
const HEADINGS: Readonly<Record<number, string>> = {
  400: 'This address does not work',
  403: 'Not allowed from there',
  404: 'Page not found',
  405: 'Nothing was sent',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available right now',
};
const OTHER_HEADING = 'This did not work';

/** Statuses after which a retry, or opening the address as a page, may succeed. */
const WORTH_ANOTHER_TRY = new Set([405, 429, 500, 503]);

export function refusalHeading(status: number): string {
  return HEADINGS[status] ?? OTHER_HEADING;
}

export function isWorthAnotherTry(status: number): boolean {
  return WORTH_ANOTHER_TRY.has(status);
}

function durationText(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** The sentence of a refusal; for a 429 also when to try again, unless the server has not said it (0 seconds). */
export function refusalText(status: number, sentence: string, retryAfterSeconds: number): string {
  return status === 429 && retryAfterSeconds > 0
    ? `${sentence} You can try again in ${durationText(retryAfterSeconds)}.`
    : sentence;
}
