import { createHash, timingSafeEqual } from 'node:crypto';
import {
  CHECK_LIFE_MINUTES,
  checkImport,
  IMPORT_MAX_BYTES,
  type ImportedRow,
  type ImportResult,
  runImport,
} from '../../../contract/imports.ts';
import { recordAdmin } from '../../audit/queries.ts';
import { writeInBatches } from '../../database/batches.ts';
import type { Connection, Database } from '../../database/database.ts';
import { BOUNDS } from '../../http/limits/bounds.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import { type LimitedTools, spend } from '../../http/limits/throttle.ts';
import { Refusal, refusals } from '../../http/refusals/refusals.ts';
import type { Caller, Serve } from '../../http/serve/serve.ts';
import { type Keys, keyedHash } from '../../security/secrets.ts';
import { readImportText } from './import-file.ts';
import { batchesOf, countResults, createImportPlan, planRows, writeRows } from './import-rows.ts';

interface ImportTools extends LimitedTools {
  readonly database: Database;
  readonly keys: Pick<Keys, 'checkedFile'>;
}

/** The body may be larger than the file, because JSON writes a line break or a quote as two bytes. */
const BODY = { bodyMax: BOUNDS.importFile.max };

/** Serves the import of files by admins. */
export function serveImports(serve: Serve, { database, keys, throttles, now }: ImportTools): void {
  const digestOf = ({ userId }: Pick<Caller, 'userId'>, csv: string, checkedAt: number) => {
    const content = createHash('sha256').update(csv).digest('base64url');
    return `${checkedAt}.${keyedHash(keys.checkedFile, String(userId), content, String(checkedAt))}`;
  };

  /** Whether the caller got the digest for this file by a check that is still valid. */
  function isChecked(caller: Caller, csv: string, digest: string): boolean {
    const checkedAt = Number.parseInt(digest, 10);
    const [given, right] = [digest, digestOf(caller, csv, checkedAt)].map((text) =>
      createHash('sha256').update(text).digest(),
    ) as [Buffer, Buffer];
    const age = now() - checkedAt;
    return timingSafeEqual(given, right) && age >= 0 && age < CHECK_LIFE_MINUTES * 60_000;
  }

  serve(
    checkImport,
    async ({ body: { csv }, caller }) => {
      requireSize(csv);
      await database.write((db) => spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now()));
      const plan = createImportPlan();
      const rows: ImportedRow[] = [];
      for await (const batch of rowsOf(csv)) rows.push(...(await planRows(database.read, batch, plan)));
      return answerOf(digestOf(caller, csv, now()), rows);
    },
    BODY,
  );

  serve(
    runImport,
    async ({ body: { csv, digest }, caller }) => {
      requireSize(csv);
      if (!isChecked(caller, csv, digest)) {
        throw refusals.conflict('This file was not checked, or more than an hour ago. Check it again.', 'digest');
      }
      const note = (db: Connection, reason: string) =>
        recordAdmin(db, caller, runImport, { kind: 'user', id: caller.userId }, now(), { reason });
      await database.write(async (db) => {
        await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
        // If the process is killed before the end, this is the only audit entry for the rows that were added.
        await note(db, 'begun');
      });
      const rows: ImportedRow[] = [];
      await writeInBatches(database, rowsOf(csv), writeRows, (written) => {
        for (const { results } of written) rows.push(...results);
      });
      const { adds, same, refused } = countResults(rows);
      await database.write((db) => note(db, `${adds} added, ${same} there already, ${refused} refused`));
      return answerOf(digest, rows);
    },
    BODY,
  );
}

/** The rows of a file, in batches. @throws a 400 when the whole file is unreadable */
async function* rowsOf(csv: string) {
  try {
    yield* batchesOf(readImportText(csv));
  } catch (error) {
    throw error instanceof Refusal ? refusals.badInput(error.message, 'csv') : error;
  }
}

function requireSize(csv: string): void {
  if (Buffer.byteLength(csv) > IMPORT_MAX_BYTES) throw refusals.tooLarge();
}

const answerOf = (digest: string, rows: ImportedRow[]): ImportResult => ({ digest, ...countResults(rows), rows });
