import { PROFILE_FIELDS, type ProfileField } from '../../../contract/profiles.ts';

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
