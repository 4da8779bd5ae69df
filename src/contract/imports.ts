import * as Type from 'typebox';
import { defineCall } from './call.ts';

/** The largest file that the import page accepts. */
export const IMPORT_MAX_MB = 5;
export const IMPORT_MAX_BYTES = IMPORT_MAX_MB * 1024 * 1024;

/** How long after a check the checked file can be imported. */
export const CHECK_LIFE_MINUTES = 60;

/** The outcome for a row. `add`: it is new; `same`: it exists already, and stays as it is. */
const ImportedRow = Type.Object({
  /** The line of the file on which it begins, from 1. */
  row: Type.Integer({ minimum: 1 }),
  result: Type.Enum(['add', 'same', 'refused']),
  /** Why it is refused. */
  reason: Type.Optional(Type.String()),
});
export type ImportedRow = Type.Static<typeof ImportedRow>;

const Count = Type.Integer({ minimum: 0 });

export const ImportResult = Type.Object({
  /** Identifies the checked file, the admin and the time, for `runImport`. */
  digest: Type.String(),
  adds: Count,
  same: Count,
  refused: Count,
  rows: Type.Array(ImportedRow),
});
export type ImportResult = Type.Static<typeof ImportResult>;

/** The decoded text of the file, not trimmed. The server refuses a text that is too large with a 413. */
const Csv = Type.String({ title: 'The csv', minLength: 1 });

export const checkImport = defineCall({
  name: 'checkImport',
  method: 'POST',
  summary: 'Say what an import of schools or entries from CSV would do with each row; changes nothing',
  access: 'admin',
  body: Type.Object({ csv: Csv }),
  answer: ImportResult,
});

export const runImport = defineCall({
  name: 'runImport',
  method: 'POST',
  summary: 'Add the schools or entries of a CSV that the caller has checked within the hour',
  access: 'admin',
  refuses: [409],
  body: Type.Object({ csv: Csv, digest: Type.String({ title: 'The digest', minLength: 1, maxLength: 200 }) }),
  answer: ImportResult,
});

export const IMPORT_CALLS = [checkImport, runImport];

/** The encoding of a text file: UTF-8 unless it begins with the mark of UTF-16. */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
