import type { Tag } from '../../database/change-tags.ts';
import { schoolOf, tags } from './tags.ts';

/** With more changed schools than this, reading all of them is faster than reading single ones. */
const CHANGED_MAX = 2_000;

/** The schools that have changed since they were read into memory; all of them at first. */
export function createChangedSchools() {
  const ids = new Set<number>();
  let mayHaveNew = false;
  let areAllMarked = true;
  return {
    /** Whether every school is marked. */
    get areAllMarked(): boolean {
      return areAllMarked;
    },
    mark(changed: ReadonlySet<Tag>): void {
      // All schools will be read anyway.
      if (areAllMarked) return;
      for (const tag of changed) {
        const id = schoolOf(tag);
        if (id !== undefined) ids.add(id);
        if (tag === tags.schools) mayHaveNew = true;
      }
      if (ids.size > CHANGED_MAX) areAllMarked = true;
    },
    /** Marks every school, because it is unknown which ones have changed. */
    markAll(): void {
      areAllMarked = true;
    },
    /** Removes all marks. Called before all schools are read, so that changes during the reading are marked anew. */
    clear(): void {
      ids.clear();
      mayHaveNew = false;
      areAllMarked = false;
    },
    /**
     * Returns the marked schools, for the caller to read, and removes their marks.
     * @returns mayHaveNew: whether there may be schools that were never read
     */
    takeMarked() {
      const taken = { ids: [...ids], mayHaveNew };
      ids.clear();
      mayHaveNew = false;
      return taken;
    },
  };
}
