import { expect, test } from 'vitest';
import { dateText } from '../../src/client/date-text.ts';

const IN_UTC = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
const INSTANTS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 3 * month + 1)).toISOString());

test.each([...INSTANTS, '1999-12-31T23:59:59.999Z', '2028-02-29T00:00:00.000Z'])(
  '%s is written as Intl writes it in English and UTC',
  (instant) => {
    expect(dateText(instant)).toBe(IN_UTC.format(new Date(instant)));
  },
);
