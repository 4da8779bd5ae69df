/** Something that a commit changed, in the form in which it is compared and sent to other processes. */
export type Tag = string & { readonly isTag: true };

/** Makes a tag. Outside this file only `cache/tags.ts` calls it, which lists all tags. */
export const makeTag = (name: string, of?: number | string): Tag => (of === undefined ? name : `${name}:${of}`) as Tag;

/** Stands for all tags: anything may have changed. */
export const EVERYTHING = makeTag('*');

/** Separates tags in one text. */
export const TAG_SEPARATOR = ' ';

/** Tags as one text, for a message to other processes. */
export function writeTags(tags: Iterable<Tag>): string {
  return [...tags].join(TAG_SEPARATOR);
}

/** Reads what `writeTags` wrote. */
export function readTags(text: string): Set<Tag> {
  return new Set(text.split(TAG_SEPARATOR) as Tag[]);
}
