// Dates in lists for admins have the browser's format (spec §9). They are in UTC, as on public pages: in the admin's
// own time zone, a review would have another date here than where everyone reads it.

const DATE = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC' });
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' });

/** The day of an instant: "11/22/2026". */
export function tableDate(instant: string): string {
  return DATE.format(new Date(instant));
}

/** An instant, short enough for one line beside other text: "11/22/26, 3:04 AM UTC". */
export function whenText(instant: string): string {
  return `${WHEN.format(new Date(instant))} UTC`;
}
