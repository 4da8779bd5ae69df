/** The author's relation to the school. */
export const RELATIONS = ['student', 'alumnus', 'parent', 'educator'] as const;
export type Relation = (typeof RELATIONS)[number];

/** The orders of a list of reviews. Default: newest first, which also decides between equal reviews. */
export const SORTS = ['newest', 'oldest', 'highest', 'lowest', 'helpful'] as const;
export type Sort = (typeof SORTS)[number];
