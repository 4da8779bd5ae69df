const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

/** An instant as the reader's browser writes it, short enough for one line beside others. */
export function whenText(instant: string): string {
  return WHEN.format(new Date(instant));
}
