import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { CategoryField, Id, text } from './fields.ts';

export const PROFILE_FIELD_MAX = 2_000;

/** The eight preferences of a profile in the order of the form, with its labels (spec §2). */
export const PROFILE_LABELS = {
  location: 'Preferred Location',
  major: 'Preferred Major',
  academicLevel: 'Academic Level',
  campusSetting: 'Campus Setting',
  finance: 'Financial Considerations',
  goals: 'Academic or Career Goals',
  living: 'Living Preference',
  personal: 'Personal Preferences / Notes',
} as const;
export type ProfileField = keyof typeof PROFILE_LABELS;
export const PROFILE_FIELDS = Object.keys(PROFILE_LABELS) as ProfileField[];

const preference = (field: ProfileField) => text({ title: `The ${field}`, min: 0, max: PROFILE_FIELD_MAX });

const preferences = {
  location: preference('location'),
  major: preference('major'),
  academicLevel: preference('academicLevel'),
  campusSetting: preference('campusSetting'),
  finance: preference('finance'),
  goals: preference('goals'),
  living: preference('living'),
  personal: preference('personal'),
};

export const Profile = Type.Object({ userId: Id, ...preferences });
export type Profile = Type.Static<typeof Profile>;
export type Preferences = Omit<Profile, 'userId'>;

/** Every preference is optional. An absent one is stored as empty. */
const ProfileFields = Type.Object({ userId: Type.Optional(Id), ...Type.Partial(Type.Object(preferences)).properties });

export const getProfile = defineCall({
  name: 'getProfile',
  summary: "The caller's profile, or null",
  access: 'signed-in',
  refuses: [403],
  params: Type.Object({ userId: Id }),
  answer: Type.Union([Profile, Type.Null()]),
});

export const postProfile = defineCall({
  name: 'postProfile',
  method: 'POST',
  summary: "Create or replace the caller's profile",
  access: 'signed-in',
  status: 201,
  body: ProfileFields,
  answer: Profile,
});

/** The maximum length of a quotation in characters. */
export const QUOTE_MAX = 200;

/**
 * Where a word of a preference can be found: in a name of the school, also an alias, in its other texts, or in the name of
 * an entry.
 */
export const NAMED_IN = ['name', 'location', 'description', 'entry'] as const;

const NamedSchool = Type.Object({ id: Id, schoolName: Type.String() });

/** A recommendation with quotations from reviews. */
export const Recommendation = Type.Object({
  text: Type.String(),
  author: Type.Enum(['model', 'built-in']),
  school: NamedSchool,
  /** One item for each filled field of the profile. */
  evidence: Type.Array(
    Type.Object({
      field: Type.Enum(PROFILE_FIELDS),
      wish: Type.String(),
      /** Words of the preference in the school's own texts, as they are written there. */
      named: Type.Array(Type.Object({ in: Type.Enum([...NAMED_IN]), word: Type.String() })),
      /** Exact words from reviews of the school, at most three quotations. */
      quotes: Type.Array(
        Type.Object({
          reviewId: Id,
          category: CategoryField,
          entryId: Id,
          entryName: Type.String(),
          quote: Type.String({ maxLength: QUOTE_MAX }),
          rating: Type.Number(),
        }),
      ),
    }),
  ),
  /** The schools that fit next best. */
  others: Type.Array(NamedSchool),
});
export type Recommendation = Type.Static<typeof Recommendation>;

export const recommendSchool = defineCall({
  name: 'recommendSchool',
  method: 'POST',
  summary:
    'A few sentences naming the school that fits the stored profile best; asked for JSON alone, with quotes of its reviews',
  access: 'signed-in',
  refuses: [409],
  // Accepted and ignored, because a client can send anything: the stored profile and the schools in the database count.
  body: Type.Object({
    profile: Type.Optional(Type.Unknown()),
    schools: Type.Optional(Type.Unknown()),
  }),
  answer: Type.Union([Type.String(), Recommendation]),
});

export const PROFILE_CALLS = [getProfile, postProfile, recommendSchool];
