import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { SchoolSummary } from './comparison.ts';
import { SchoolId } from './fields.ts';

const ofSchool = { access: 'signed-in', params: Type.Object({ schoolId: SchoolId }) } as const;

export const saveSchool = defineCall({
  ...ofSchool,
  name: 'saveSchool',
  method: 'PUT',
  summary: "Put a school on the caller's list; one that is there stays where it is",
  refuses: [404, 409],
});

export const unsaveSchool = defineCall({
  ...ofSchool,
  name: 'unsaveSchool',
  method: 'DELETE',
  path: '/auth/saveSchool/:schoolId',
  summary: "Take a school off the caller's list",
  refuses: [404],
});

const { categories: _categories, ...summaryProperties } = SchoolSummary.properties;

/** A school in the user's list of saved schools. */
const SavedSchool = Type.Object(summaryProperties);
export type SavedSchool = Type.Static<typeof SavedSchool>;

export const getSavedSchools = defineCall({
  name: 'getSavedSchools',
  summary: "The caller's list of schools, the one saved last first",
  access: 'signed-in',
  answer: Type.Array(SavedSchool),
});

export const SAVED_SCHOOL_CALLS = [saveSchool, unsaveSchool, getSavedSchools];
