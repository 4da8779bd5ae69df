import type { RefObject } from 'react';
import {
  getProfile,
  PROFILE_FIELD_MAX,
  PROFILE_FIELDS,
  PROFILE_LABELS,
  type Preferences,
  type ProfileField,
  postProfile,
} from '../../../contract/profiles.ts';
import { invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, TextArea } from '../../components/form/fields.tsx';
import { DraftNote, useDraft } from '../../draft.tsx';
import { useForm } from '../../form.ts';
import { notify } from '../../notices.ts';
import { isNotFound } from '../../page.ts';

/** The fields for which people tend to write more than one line. */
const HAS_SEVERAL_LINES: Partial<Record<ProfileField, true>> = {
  finance: true,
  goals: true,
  living: true,
  personal: true,
};

const EXAMPLES: Record<ProfileField, string> = {
  location: 'A country, a region, or "by the sea".',
  major: 'One subject or several.',
  academicLevel: 'Undergraduate, graduate, exchange …',
  campusSetting: 'City, suburb or countryside; large or small.',
  finance: 'What you can spend, scholarships, work beside your studies.',
  goals: 'Where you want to be afterwards.',
  living: 'A hall, a flat, with a family, quiet or lively.',
  personal: 'Sports, food, faith, climate, anything else that matters.',
};

// Safe: fromEntries loses the type of the keys, which are the fields.
const NO_PREFERENCES = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, ''])) as Preferences;

/** The values of the form, and whether it began with the stored profile, to be changed. */
export const useProfileDraft = () => useDraft('profile', { ...NO_PREFERENCES, isUpdate: false });

/** The preferences that are not blank. */
export const filledOf = (preferences: Preferences): Partial<Preferences> =>
  Object.fromEntries(
    PROFILE_FIELDS.map((field) => [field, preferences[field]] as const).filter(([, text]) => text.trim() !== ''),
  );

/**
 * The values to store for a form that did not begin with the stored profile. A save replaces the whole profile, so the
 * fields that were left empty keep their stored values. Read again, because another tab may have saved since. If none
 * is left empty nothing is read, so that a whole profile can be saved while the stored one cannot be loaded.
 */
async function addToStored(userId: number, preferences: Preferences): Promise<Preferences> {
  const filled = filledOf(preferences);
  if (PROFILE_FIELDS.every((field) => field in filled)) return preferences;
  const stored = await request(getProfile, { params: { userId } }).catch((error) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  return { ...NO_PREFERENCES, ...stored, ...filled };
}

interface ProfileFormProps {
  ref: RefObject<HTMLFormElement | null>;
  draft: ReturnType<typeof useProfileDraft>;
  userId: number;
  hasProfile: boolean;
}

export function ProfileForm({ ref, draft, userId, hasProfile }: ProfileFormProps) {
  const { onSubmit, problem, isPending } = useForm({
    draft,
    loginTo: 'save your profile',
    read: () => draft.values,
    // The first profile may be empty: the specification requires no field (§5).
    check: ({ isUpdate, ...preferences }) =>
      hasProfile && !isUpdate && Object.keys(filledOf(preferences)).length === 0
        ? [{ field: PROFILE_FIELDS[0], text: 'Fill in at least one field.' }]
        : [],
    send: async ({ isUpdate, ...preferences }) =>
      request(postProfile, {
        body: { ...(isUpdate ? preferences : await addToStored(userId, preferences)), userId },
      }),
    onSent: (_profile, { isUpdate }) => {
      notify.success(isUpdate ? 'Profile updated successfully!' : 'Profile created successfully!');
      void invalidateReads(getProfile);
    },
    failureOf: () => 'Failed to save profile.',
    keepsFocus: true,
  });

  return (
    <section aria-labelledby="profile-form-title" className="card p-5 sm:p-6">
      <h2 id="profile-form-title" className="text-xl">
        Create Your University Profile
      </h2>
      <p className="mt-1 text-ink-soft">Leave out what does not matter to you. Only you can see it.</p>
      <form
        method="post"
        ref={ref}
        aria-labelledby="profile-form-title"
        noValidate
        onSubmit={onSubmit}
        className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2"
      >
        <DraftNote draft={draft} />
        {PROFILE_FIELDS.map((field) => {
          const Input = HAS_SEVERAL_LINES[field] ? TextArea : Field;
          return (
            <Input
              key={field}
              label={PROFILE_LABELS[field]}
              {...problem.field(field)}
              help={EXAMPLES[field]}
              maxLength={PROFILE_FIELD_MAX}
              {...draft.text(field)}
              autoComplete="off"
              {...(HAS_SEVERAL_LINES[field] && { rows: 2, className: 'sm:col-span-2' })}
            />
          );
        })}
        <Button type="submit" className="justify-self-start" isPending={isPending}>
          {draft.values.isUpdate ? 'Update Profile' : 'Save Profile'}
        </Button>
      </form>
    </section>
  );
}
