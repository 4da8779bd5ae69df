import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { addedField, Id, IdParams, line, text } from './fields.ts';

export const SCHOOL_NAME_MAX = 200;
/** How many schools the page of all schools shows while the whole list is loading. */
export const FIRST_SCHOOL_COUNT = 40;
export const DESCRIPTION_MAX = 5_000;
const LOCATION_MAX = 200;
export const ALIASES_MAX = 20;

export const schoolProperties = {
  schoolName: line({ title: 'The school name', max: SCHOOL_NAME_MAX }),
  description: text({ title: 'The description', max: DESCRIPTION_MAX }),
  location: text({ title: 'The location', max: LOCATION_MAX }),
};

/** Other names by which people search for the school. */
const Aliases = Type.Array(line({ title: 'Each of the aliases', max: SCHOOL_NAME_MAX }), {
  title: 'The aliases',
  maxItems: ALIASES_MAX,
});

/** If `aliases` is left out, a new school has none and an update leaves the stored ones unchanged. */
export const SchoolFields = Type.Object({ ...schoolProperties, aliases: Type.Optional(Aliases) });
export type SchoolFields = Type.Static<typeof SchoolFields>;

export const School = Type.Object({
  id: Id,
  ...schoolProperties,
  /** Empty if an imported file had none. */
  description: Type.String({ title: 'The description' }),
  /** Without a maximum: a merge can add names to a full list. */
  aliases: addedField(Type.Array(Type.String(), { title: 'The aliases' })),
  /**
   * True for a school that was added with PROPOSALS=open, until an admin changes it. Web addresses in its description
   * are not links until then.
   */
  isUnchecked: Type.Optional(Type.Boolean()),
});
export type School = Type.Static<typeof School>;

export const SchoolName = Type.Object({
  id: Id,
  schoolName: Type.String(),
  /** The part of the location after the last comma, or all of it if there is no comma. */
  country: addedField(Type.String()),
});
export type SchoolName = Type.Static<typeof SchoolName>;

export const listSchools = defineCall({
  name: 'schools',
  summary: 'All schools by name, or those whose name begins with a prefix',
  access: 'everyone',
  query: Type.Object({
    prefix: Type.Optional(Type.String({ title: 'The prefix', maxLength: SCHOOL_NAME_MAX })),
    limit: Type.Optional(Type.Integer({ title: 'The limit', minimum: 1, maximum: 100_000 })),
  }),
  answer: Type.Array(SchoolName),
});

export const getSchool = defineCall({
  name: 'getSchool',
  summary: 'One school',
  access: 'everyone',
  refuses: [301, 404],
  params: IdParams,
  answer: School,
});

export const postSchool = defineCall({
  name: 'postSchool',
  method: 'POST',
  summary: 'Create a school',
  access: 'admin',
  status: 201,
  body: SchoolFields,
  answer: School,
});

export const updateSchool = defineCall({
  name: 'updateSchool',
  method: 'PUT',
  summary: 'Change a school; aliases left out stay as they are',
  access: 'admin',
  refuses: [404],
  body: Type.Object({ id: Id, ...SchoolFields.properties }),
  answer: School,
});

export const deleteSchool = defineCall({
  name: 'deleteSchool',
  method: 'DELETE',
  summary: 'Delete a school with its entries and their reviews',
  access: 'admin',
  refuses: [404],
  params: IdParams,
});

export const SCHOOL_CALLS = [listSchools, getSchool, postSchool, updateSchool, deleteSchool];
