import { skeletonOf } from '../database/skeletons.ts';
import { refusals } from '../http/refusals/refusals.ts';

/** Names that readers would take for the site itself or for no person at all. */
const RESERVED = [
  'admin',
  'administrator',
  'anonymous',
  'moderator',
  'root',
  'staff',
  'support',
  'system',
  'deleted',
  'null',
  'undefined',
];

/** Characters and pairs, of those allowed in a username, that look like the letter given with them. */
const LOOK_ALIKES: readonly (readonly [alike: RegExp, letter: string])[] = [
  [/0/g, 'o'],
  // A capital I, a small L and the digit look the same in most fonts.
  [/[l1]/g, 'i'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/** Reduces a name to what readers notice: its skeleton without spaces and punctuation. */
function fold(name: string): string {
  const letters = skeletonOf(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
  return LOOK_ALIKES.reduce((folded, [alike, letter]) => folded.replaceAll(alike, letter), letters);
}

/** @throws a 400 for a username that readers would take for the site, for its operators, or for no person at all */
export function requireUnreservedName(username: string, siteName: string): void {
  const folded = fold(username);
  if (folded !== '' && [...RESERVED, siteName].some((name) => fold(name) === folded)) {
    throw refusals.badInput('This username could be mistaken for somebody else. Please choose another.', 'username');
  }
}
