import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { CategoryField, SchoolId } from './fields.ts';
import { backgroundProperties, locationProperties, reviewProperties } from './reviews.ts';

/** The longest quote, in code points. */
export const QUOTE_CODE_POINTS_MAX = 160;

/** How many voices of the whole site there are at most, each of another school. */
export const SITE_VOICES_MAX = 3;

const { id, rating, createdAt } = reviewProperties;

/** A quotation from a review of an entry. */
const Voice = Type.Object({
  reviewId: id,
  ...locationProperties,
  /** The beginning of the review: whole sentences if they fit, else whole words. Line breaks are spaces. */
  quote: Type.String(),
  rating,
  ...backgroundProperties,
  createdAt,
});
export type Voice = Type.Static<typeof Voice>;

const voicesCall = { access: 'everyone', answer: Type.Array(Voice) } as const;
const ofSchool = { ...voicesCall, params: Type.Object({ schoolId: SchoolId }), refuses: [404] } as const;

export const getSchoolVoices = defineCall({
  ...ofSchool,
  name: 'getSchoolVoices',
  summary: 'One quote for each category of a school: of its most helpful review of the last 24 months',
});

export const getEntryVoices = defineCall({
  ...ofSchool,
  name: 'getEntryVoices',
  summary: 'One quote for each entry of a category at a school, by the names of the entries',
  query: Type.Object({ category: CategoryField }),
});

export const getVoices = defineCall({
  ...voicesCall,
  name: 'getVoices',
  summary: `New quotes of up to ${SITE_VOICES_MAX} schools; additions may be a minute late`,
});

export const VOICE_CALLS = [getSchoolVoices, getEntryVoices, getVoices];
