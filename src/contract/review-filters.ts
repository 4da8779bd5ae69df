/** What somebody is to the school they review. */
export const RELATIONS = ['student', 'alumnus', 'parent', 'educator'] as const;
export type Relation = (typeof RELATIONS)[number];

/** The orders of a list of reviews; newest first where two are alike, and unless told. */
export const SORTS = ['newest', 'oldest', 'highest', 'lowest', 'helpful'] as const;
export type Sort = (typeof SORTS)[number];
