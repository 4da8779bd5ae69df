import { type ChangeEvent, useRef, useState } from 'react';
import {
  checkImport,
  encodingOf,
  IMPORT_MAX_BYTES,
  IMPORT_MAX_MB,
  type ImportResult,
  runImport,
} from '../../../contract/imports.ts';
import { CallError, failureText, request } from '../../api.ts';
import { DisclosureCard } from '../../components/feedback/disclosure-card.tsx';
import { Button } from '../../components/form/button.tsx';
import { FieldFrame, FormError } from '../../components/form/fields.tsx';
import { countText, numberText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { passFocusOn } from '../../navigation.ts';
import { notify } from '../../notices.ts';

/** How many refused rows are listed. A file with more has one mistake, not hundreds. */
const LISTED_MAX = 100;

/** A file as text, and what its rows would do. */
interface CheckedFile {
  readonly csv: string;
  readonly result: ImportResult;
}

/** Decodes a file in UTF-8, or in UTF-16 with a byte order mark, which can take twice the bytes for the same text. */
async function readText(file: File): Promise<string> {
  if (file.size > 2 * IMPORT_MAX_BYTES) throw new Error(`The file is larger than ${IMPORT_MAX_MB} MB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** Adds the schools or entries of a CSV file, after a look at what each row would do. */
export function ImportFile({ onImported }: { onImported: () => unknown }) {
  const [checked, setChecked] = useState<CheckedFile>();
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const check = useGuardedMutation({
    mutationFn: async (file: File) => {
      const csv = await readText(file);
      return { csv, result: await request(checkImport, { body: { csv } }) };
    },
    onSuccess: setChecked,
    onError: (cause) => setProblem(failureText(cause, 'The file was not checked: ')),
  });
  const run = useGuardedMutation({
    mutationFn: ({ csv, result }: CheckedFile) => request(runImport, { body: { csv, digest: result.digest } }),
    onSuccess: async ({ adds }) => {
      notify.success(`${countText(adds, 'row')} added.`);
      setChecked(undefined);
      await onImported();
    },
    onError: (cause) => {
      setChecked(undefined);
      const failure = failureText(cause, '');
      // Only a refusal proves that nothing was added. An error of 500 or more may be a proxy's answer for a server that
      // died on the way, or that is still importing.
      const isRefused = cause instanceof CallError && cause.status >= 400 && cause.status < 500;
      const outcome = isRefused ? failure : `The file was not imported to its end: ${failure}`;
      setProblem(`${outcome} Choose it again to see what is there already.`);
    },
  });

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    setChecked(undefined);
    setProblem(undefined);
    const [file] = target.files ?? [];
    if (file) check.mutate(file);
  }

  return (
    <DisclosureCard summary="Import a file">
      <div className="grid max-w-prose gap-4">
        <p>
          A CSV file of schools (schoolName, description, location, aliases) or of entries (school, category, name,
          description), as a spreadsheet exports it. Its first line names the columns. Nothing is added before you have
          seen what each row does.
        </p>
        <FieldFrame label="File">
          {(props) => (
            <input
              {...props}
              ref={input}
              type="file"
              name="file"
              accept=".csv,.tsv,.txt,text/csv"
              onChange={choose}
              // Emptied, so that the same file can be chosen again after it was corrected.
              onClick={({ currentTarget }) => {
                currentTarget.value = '';
              }}
              className="max-w-full file:me-3 file:min-h-touch file:rounded-sm file:border file:border-line-strong file:bg-surface file:px-5 file:font-semibold"
            />
          )}
        </FieldFrame>
        {/* Rendered before it has a text, so that screen readers announce the text. */}
        <div aria-live="polite" className="empty:-mt-4">
          {check.isPending && <p>Checking...</p>}
          <FormError>{problem}</FormError>
          {checked && <Preview {...checked.result} />}
        </div>
        {checked && checked.result.adds > 0 && (
          <Button
            ref={(button) => passFocusOn(button, () => input.current)}
            className="justify-self-start"
            isPending={run.isPending}
            onClick={() => run.mutate(checked)}
          >
            {`Add ${countText(checked.result.adds, 'row')}`}
          </Button>
        )}
      </div>
    </DisclosureCard>
  );
}

function Preview({ adds, same, refused, rows }: ImportResult) {
  const refusedRows = rows.filter(({ result }) => result === 'refused');
  return (
    <div className="grid gap-2">
      <p className="font-semibold">
        {`${numberText(adds)} to add, ${numberText(same)} there already, ${numberText(refused)} refused.`}
      </p>
      {refusedRows.length > 0 && (
        <ul className="grid gap-1">
          {refusedRows.slice(0, LISTED_MAX).map(({ row, reason }) => (
            <li key={row} className="wrap-anywhere">
              <span className="text-ink-soft tabular-nums">{`Line ${row}: `}</span>
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {refusedRows.length > LISTED_MAX && <p>{`And ${numberText(refusedRows.length - LISTED_MAX)} more.`}</p>}
    </div>
  );
}
