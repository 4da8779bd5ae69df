import * as Type from 'typebox';

/** The reasons for which a review is reported or hidden, with their texts. */
export const REASONS = {
  personal: 'It names or attacks a person',
  hateful: 'It is hateful',
  spam: 'It is spam or advertising',
  fake: 'It is fake',
  offtopic: 'It is off topic',
  illegal: 'It is illegal',
  other: 'Something else',
} as const;

export type ReasonKey = keyof typeof REASONS;

const REASON_KEYS = Object.keys(REASONS) as ReasonKey[];

export const Reason = Type.Enum(REASON_KEYS, { title: 'The reason' });
