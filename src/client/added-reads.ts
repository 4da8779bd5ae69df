/**
 * The reads that specified pages make in addition to the specified ones. Each has a field that its answer must have, or
 * null if the answer must be a list. A test may answer every call that it does not know with `{}`: the page then leaves
 * out what was added, and does not break on that answer. Browsers do not load the schemas of answers.
 */
const REQUIRED_FIELDS: Readonly<Record<string, string | null>> = {
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

/** The required field of an added read that exists once for each category. */
function requiredFieldOf(name: string): string | undefined {
  if (/^getMy\w+Review$/.test(name)) return 'id';
  return /^get\w+Entry$/.test(name) ? 'schoolName' : undefined;
}

/** Whether an answer has the field that the pages rely on. Answers to specified reads are not checked. */
export function hasExpectedShape(name: string, answer: unknown): boolean {
  const field = name in REQUIRED_FIELDS ? REQUIRED_FIELDS[name] : requiredFieldOf(name);
  if (field === undefined) return true;
  if (field === null) return Array.isArray(answer);
  // One's own review is null if there is none.
  if (answer === null) return field === 'id';
  return typeof answer === 'object' && field in answer;
}
