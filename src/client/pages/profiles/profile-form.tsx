import { type FormEvent, type RefObject, useEffect } from 'react';
import {
  getProfile,
  PROFILE_FIELD_MAX,
  PROFILE_FIELDS,
  PROFILE_LABELS,
  type Profile,
  type ProfileField,
  postProfile,
} from '../../../contract/profiles.ts';
import { invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, TextArea } from '../../components/form/fields.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { clearPreferencesDraft, readPreferencesDraft } from './preferences-draft.ts';

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

interface ProfileFormProps {
  ref: RefObject<HTMLFormElement | null>;
  userId: number;
  /** Whether the stored profile is in the form, to be changed. */
  isUpdate: boolean;
  onSaved: () => void;
}

export function ProfileForm({ ref, userId, isUpdate, onSaved }: ProfileFormProps) {
  const saving = useGuardedMutation({ mutationFn: (body: Profile) => request(postProfile, { body }) });

  useEffect(() => {
    const draft = readPreferencesDraft(userId);
    if (draft && ref.current) fillPreferences(ref.current, draft);
  }, [ref, userId]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    saving.mutate(
      { userId, ...readPreferences(form) },
      {
        onSuccess: () => {
          notify.success(isUpdate ? 'Profile updated successfully!' : 'Profile created successfully!');
          onSaved();
          form.reset();
          clearPreferencesDraft();
          void invalidateReads(getProfile);
        },
        onError: () => notify.failure('Failed to save profile.'),
      },
    );
  }

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
        onSubmit={submit}
        className="mt-5 grid gap-4 sm:grid-cols-2"
      >
        {PROFILE_FIELDS.map((field) => {
          const FieldKind = HAS_SEVERAL_LINES[field] ? TextArea : Field;
          return (
            <FieldKind
              key={field}
              label={PROFILE_LABELS[field]}
              name={field}
              help={EXAMPLES[field]}
              maxLength={PROFILE_FIELD_MAX}
              autoComplete="off"
              {...(HAS_SEVERAL_LINES[field] && { rows: 2, className: 'sm:col-span-2' })}
            />
          );
        })}
        <Button type="submit" className="justify-self-start" isPending={saving.isPending}>
          {isUpdate ? 'Update Profile' : 'Save Profile'}
        </Button>
      </form>
    </section>
  );
}

/** The values of the form's fields. */
export type Preferences = Record<ProfileField, string>;

export function readPreferences(form: HTMLFormElement): Preferences {
  const typed = new FormData(form);
  // Safe: fromEntries loses the type of the keys, which are the fields.
  return Object.fromEntries(PROFILE_FIELDS.map((field) => [field, String(typed.get(field))])) as Preferences;
}

export function fillPreferences(form: HTMLFormElement, preferences: Preferences): void {
  for (const field of PROFILE_FIELDS) {
    const input = form.elements.namedItem(field);
    if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.value = preferences[field];
  }
}
