export const WORDS = ['label', 'leaderboardLabel', 'entryLabel', 'nameField', 'nameLabel', 'itemKey'] as const;
const CALLS = [
  ...(['list', 'post', 'put', 'delete', 'lookup', 'reviews', 'average', 'total'] as const),
  ...(['postReview', 'putReview', 'deleteReview', 'mine', 'leaderboard'] as const),
];
const PAGES = ['page', 'reviewPage', 'adminPage', 'adminReviewPage'] as const;
export const FLAGS = ['updateOmitsSchoolId', 'submitAlwaysEnabled', 'requiresReviewText', 'showsProgramAreas'] as const;

/** For each category its words, its calls and its pages in the order above, and the flags that it has. `_` is a space. */
const TABLE = `
Athletics Athletics Athletics category Category athletics
  getAthletics postAthletics updateAthletics deleteAthletics getCategory getAthleticsReview getAthleticsAverageRating getAthleticsTotalReviews postAthleticsReview updateAthleticsReview deleteAthleticsReview getMyAthleticsReview getAllSchoolsAthleticsAverage
  /athletics /athleticsreview /AA /AAR
Clubs Clubs Club clubName Category clubs
  getClubs postClubs updateClubs deleteClubs getClubName getClubsReview getClubsAverageRating getClubsTotalReviews postClubsReview updateClubsReview deleteClubsReview getMyClubsReview getAllSchoolsClubsAverage
  /clubs /clubsreview /AC /ACR updateOmitsSchoolId requiresReviewText
Housing Housing Housing type Type housing
  getHousing postHousing updateHousing deleteHousing getHousingType getHousingReview getHousingAverageRating getHousingTotalReviews postHousingReview updateHousingReview deleteHousingReview getMyHousingReview getAllSchoolsHousingAverage
  /housing /housingreview /AH /AHR requiresReviewText
Jobs Jobs Job category Category jobs
  getJobs postJobs updateJobs deleteJobs getJobsCategory getJobsReview getJobsAverageRating getJobsTotalReviews postJobsReview updateJobsReview deleteJobsReview getMyJobsReview getAllSchoolsJobsAverage
  /jobs /jobsreview /AJ /AJR submitAlwaysEnabled
LifeStyles Lifestyle Lifestyle category Category lifeStyle
  getLifeStyles postLifeStyles updateLifeStyles deleteLifeStyles getLifeStylesCategory getLifeStylesReview getLifeStylesAverageRating getLifeStylesTotalReviews postLifeStylesReview updateLifeStylesReview deleteLifeStylesReview getMyLifeStylesReview getAllSchoolsLifeStyleAverage
  /lifestyles /lifestylesreview /AL /ALR requiresReviewText
Majors Majors Major majorName Category major
  getMajors postMajors updateMajors deleteMajors getMajorsName getMajorsReview getMajorsAverageRating getMajorsTotalReviews postMajorsReview updateMajorsReview deleteMajorsReview getMyMajorsReview getAllSchoolsMajorsAverage
  /majors /majorsreview /AM /AMR showsProgramAreas
Other Others Other category Category other
  getOthers postOthers updateOthers deleteOthers getOthersCategory getOthersReview getOthersAverageRating getOthersTotalReviews postOthersReview updateOthersReview deleteOthersReview getMyOthersReview getAllSchoolsOthersAverage
  /others /othersreview /AO /AOR
`;

type Name = (typeof WORDS)[number] | (typeof CALLS)[number] | (typeof PAGES)[number];
type Names = Readonly<Record<Name, string> & Record<(typeof FLAGS)[number], boolean>>;

/**
 * Every irregular name of the specification (§2, §3, §4, §5, §7), written by hand and not made from the registry, so
 * that a mistake in the registry makes a test fail.
 */
export const NAMES: readonly Names[] = TABLE.trim()
  .split(/\n(?=\S)/)
  .map((row) => {
    const cells = row.split(/\s+/).map((word) => word.replaceAll('_', ' '));
    const flags = cells.slice(WORDS.length + CALLS.length + PAGES.length);
    const unknown = flags.filter((flag) => !FLAGS.some((one) => one === flag));
    if (unknown.length > 0 || cells.at(-1) === undefined) throw new Error(`nobody knows ${unknown} of ${cells[0]}`);
    const names = [...WORDS, ...CALLS, ...PAGES].map((name, index) => [name, cells[index]]);
    return Object.fromEntries([...names, ...FLAGS.map((flag) => [flag, cells.includes(flag)])]);
  });
