import { PAGES } from '../../../contract/pages.ts';

/** The breadcrumb of the list of schools, with which every page about one begins. */
export const SCHOOLS_TRAIL = [
  { label: PAGES.adminUsers.title, to: PAGES.adminUsers.path },
  { label: PAGES.adminSchools.title, to: PAGES.adminSchools.path },
];
