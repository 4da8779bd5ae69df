export const name = '036-schools-of-proposals';

/** What the rows of a proposal refer to, so that they follow it when its school is merged. */
export const indexes = ['create unique index proposals_of_school on proposals (id, school_id)'];
