import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { type Category, type NameField, perCategory } from './categories.ts';
import { addedField, Id, IdParams, line, Mean, SchoolId, text } from './fields.ts';
import { DESCRIPTION_MAX } from './schools.ts';

export const ENTRY_NAME_MAX = 120;

/** An entry of any category. Its name is in the name field of its category. */
export type Entry = {
  id: number;
  description: string;
  schoolId: number;
  /** Null when there are no reviews. */
  averageRating: number | null | undefined;
  totalReviews: number | undefined;
  /** Only in lists: whether its figures count reviews that are being checked. */
  isBeingChecked?: boolean | undefined;
} & { [field in NameField]?: string };

/** An entry without its figures, with the name of its school. */
type EntryDetails = Omit<Entry, 'averageRating' | 'totalReviews' | 'isBeingChecked'> & { schoolName: string };

/** The body of a create or update, without the ids. */
type EntryFields = { description: string; schoolId?: number } & { [field in NameField]?: string };

/** The name of an entry, read from the name field of its category. */
export function entryName(category: Category, entry: { [field in NameField]?: string }): string {
  return entry[category.nameField] ?? '';
}

function entryProperties(category: Category) {
  return {
    [category.nameField]: line({ title: `The ${category.nameField}`, max: ENTRY_NAME_MAX }),
    description: text({ title: 'The description', max: DESCRIPTION_MAX }),
  };
}

/** The calls for the entries of one category (spec §7, "Category entries" and "Item name lookups"). */
function defineEntryCalls(category: Category) {
  const { calls, label, entryLabel } = category;
  const fields = entryProperties(category);
  // The name field is a computed key, whose type TypeScript widens to any string. `Entry` states the possible names.
  const properties = {
    id: Id,
    ...fields,
    // Empty if an imported file had none.
    description: Type.String({ title: 'The description' }),
    schoolId: SchoolId,
    averageRating: addedField(Mean),
    totalReviews: addedField(Type.Integer()),
  };
  const answer = Type.Unsafe<Entry>(Type.Object(properties));
  const listedEntry = Type.Unsafe<Entry>(Type.Object({ ...properties, isBeingChecked: addedField(Type.Boolean()) }));
  return {
    list: defineCall({
      name: calls.list,
      summary: `${label} of a school, by name, with the mean and number of their reviews`,
      access: 'everyone',
      refuses: [404],
      params: IdParams,
      answer: Type.Array(listedEntry),
    }),
    nameLookup: defineCall({
      name: calls.nameLookup,
      summary: `The name of one ${label} entry`,
      access: 'everyone',
      refuses: [404],
      params: IdParams,
      answer: Type.Unsafe<{ [field in NameField]?: string }>(Type.Object({ [category.nameField]: Type.String() })),
    }),
    details: defineCall({
      name: calls.details,
      summary: `One ${label} entry with the name of its school`,
      access: 'everyone',
      refuses: [404],
      params: IdParams,
      answer: Type.Unsafe<EntryDetails>(
        Type.Object({ id: Id, ...fields, schoolId: SchoolId, schoolName: Type.String() }),
      ),
    }),
    create: defineCall({
      name: calls.create,
      method: 'POST',
      summary: `Create one ${entryLabel} entry`,
      access: 'admin',
      refuses: [404],
      status: 201,
      body: Type.Unsafe<EntryFields & { schoolId: number }>(Type.Object({ ...fields, schoolId: SchoolId })),
      answer,
    }),
    update: defineCall({
      name: calls.update,
      method: 'PUT',
      summary: `Change one ${entryLabel} entry`,
      access: 'admin',
      refuses: category.updateOmitsSchoolId ? [404] : [404, 409],
      body: Type.Unsafe<EntryFields & { id: number }>(
        Type.Object({
          id: Id,
          ...fields,
          ...(category.updateOmitsSchoolId ? {} : { schoolId: Type.Optional(SchoolId) }),
        }),
      ),
      answer,
    }),
    remove: defineCall({
      name: calls.remove,
      method: 'DELETE',
      summary: `Delete one ${entryLabel} entry and its reviews`,
      access: 'admin',
      refuses: [404],
      params: IdParams,
    }),
  };
}

/** The entry calls of a category. Returns the same objects at every call. */
export const entryCalls = perCategory(defineEntryCalls);
