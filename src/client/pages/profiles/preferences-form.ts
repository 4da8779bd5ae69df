import { PROFILE_FIELDS, type ProfileField } from '../../../contract/profiles.ts';

/** A profile as typed. */
export type Preferences = Record<ProfileField, string>;

export function readPreferences(form: HTMLFormElement): Preferences {
  const typed = new FormData(form);
  // fromEntries forgets that the keys are the fields.
  return Object.fromEntries(PROFILE_FIELDS.map((field) => [field, String(typed.get(field))])) as Preferences;
}

export function fillPreferences(form: HTMLFormElement, preferences: Preferences): void {
  for (const field of PROFILE_FIELDS) {
    const input = form.elements.namedItem(field);
    if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.value = preferences[field];
  }
}
