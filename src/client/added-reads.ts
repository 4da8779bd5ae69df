/**
 * The reads that the specified pages make beside the specified ones, each with a field that its answer must have, or
 * none if it is a list. Whoever puts something else in the server's place, such as a test that answers every unknown call
 * with `{}`, then has the specified page without what was added: it would break on such an answer. The schemas of
 * answers, which say more, are left out of what browsers load.
 */
const ADDED: Readonly<Record<string, string | null>> = {
  getVoices: null,
  getSchoolVoices: null,
  getEntryVoices: null,
  getSchoolFigures: null,
  getSavedSchools: null,
  getMyHelpful: null,
  getEntrySummary: 'relations',
  getCategorySummary: 'relations',
  getSchoolSummary: 'coverage',
  searchSchools: 'countries',
  getSchoolTotals: 'reviewed',
  getOpenCounts: 'reports',
};

/** The field of an added read that each category has of its own. */
function fieldOfCategory(name: string): string | undefined {
  if (/^getMy\w+Review$/.test(name)) return 'id';
  return /^get\w+Entry$/.test(name) ? 'schoolName' : undefined;
}

/** Whether an answer has the outline that the pages rely on. Specified reads always count as having it. */
export function hasOutline(name: string, answer: unknown): boolean {
  const field = name in ADDED ? ADDED[name] : fieldOfCategory(name);
  if (field === undefined) return true;
  if (field === null) return Array.isArray(answer);
  // Nobody's own review is null.
  if (answer === null) return field === 'id';
  return typeof answer === 'object' && field in answer;
}
