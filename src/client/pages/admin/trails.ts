import { PAGES } from '../../../contract/pages.ts';

/** The way to the list of schools, which is where every page about one begins. */
export const SCHOOLS_TRAIL = [
  { label: PAGES.adminUsers.title, to: PAGES.adminUsers.path },
  { label: PAGES.adminSchools.title, to: PAGES.adminSchools.path },
];
