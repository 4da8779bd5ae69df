import { useMemo } from 'react';
import { foldAccents } from '../../../contract/folding.ts';
import type { SchoolName } from '../../../contract/schools.ts';

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The index of the first name with an initial, in a list in the order of names; -1 if there is none. */
function findInitial(schools: readonly SchoolName[], letter: string): number {
  const initial = letter.toLowerCase();
  let [from, to] = [0, schools.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (foldAccents(schools[middle]?.schoolName ?? '') < initial) from = middle + 1;
    else to = middle;
  }
  return foldAccents(schools[from]?.schoolName ?? '').startsWith(initial) ? from : -1;
}

interface LettersProps {
  /** In the order of their names. While they are loading, the first ones. */
  schools: readonly SchoolName[];
  /** Called with the index of the first school of a letter. */
  onJump: (index: number) => void;
}

/** The letters that schools begin with. Each leads to its first school. */
export function Letters({ schools, onJump }: LettersProps) {
  const initials = useMemo(() => ALPHABET.map((letter) => [letter, findInitial(schools, letter)] as const), [schools]);
  return (
    <nav
      aria-label="Schools by letter"
      className="no-print needs-script z-10 mb-2 grid grid-cols-13 bg-paper sm:sticky sm:top-14 sm:grid-cols-26"
    >
      {initials.map(([letter, index]) => (
        <button
          key={letter}
          type="button"
          disabled={index < 0}
          className="min-h-touch rounded-sm font-semibold not-disabled:hover:bg-sunken disabled:text-ink-soft"
          onClick={() => onJump(index)}
        >
          {letter}
        </button>
      ))}
    </nav>
  );
}
