import { PROFILE_FIELDS, type ProfileField } from '../../../contract/profiles.ts';

/** A profile as typed. */
export type Wishes = Record<ProfileField, string>;

export function readWishes(form: HTMLFormElement): Wishes {
  const typed = new FormData(form);
  // fromEntries forgets that the keys are the fields.
  return Object.fromEntries(PROFILE_FIELDS.map((field) => [field, String(typed.get(field))])) as Wishes;
}

export function fillWishes(form: HTMLFormElement, wishes: Wishes): void {
  for (const field of PROFILE_FIELDS) {
    const input = form.elements.namedItem(field);
    if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.value = wishes[field];
  }
}

/** In memory: what was typed when the session ended, for its writer alone, to be there again after logging in. */
let draft: { userId: number; wishes: Wishes } | undefined;

export function keepDraft(userId: number, wishes: Wishes): void {
  draft = { userId, wishes };
}

export function readDraft(userId: number): Wishes | undefined {
  return draft?.userId === userId ? draft.wishes : undefined;
}

export function forgetWishes(): void {
  draft = undefined;
}
