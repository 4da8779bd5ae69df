const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

/** An instant in the reader's language, short enough for one line beside other text. */
export function whenText(instant: string): string {
  return WHEN.format(new Date(instant));
}
