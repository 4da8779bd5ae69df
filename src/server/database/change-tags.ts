/** Names something that a commit changed, as it is compared and sent to other processes. */
export type Tag = string & { readonly isTag: true };

/** Makes a tag. Which there are is for `cache/tags.ts` to say, on one page: nothing else calls this. */
export const makeTag = (name: string, of?: number | string): Tag => (of === undefined ? name : `${name}:${of}`) as Tag;

/** In place of tags: anything may have changed. */
export const EVERYTHING = makeTag('*');

const SEPARATOR = ' ';

/** Tags as one text, for a message to other processes. */
export function writeTags(given: Iterable<Tag>): string {
  return [...given].join(SEPARATOR);
}

/** Reads what `writeTags` wrote. */
export function readTags(text: string): Set<Tag> {
  return new Set(text.split(SEPARATOR) as Tag[]);
}
