import { expect, test } from 'vitest';
import { backgroundText } from '../../src/client/shared/reviews/background-texts.ts';
import { BACKGROUND_FIELDS } from '../../src/contract/reviews.ts';
import { BACKGROUND } from '../support/review-requests.ts';

test.each(BACKGROUND_FIELDS)('what authors say as %s is shown', (field) => {
  const { [field]: _said, ...others } = BACKGROUND;
  expect(backgroundText(BACKGROUND)).not.toBe(backgroundText(others));
});
