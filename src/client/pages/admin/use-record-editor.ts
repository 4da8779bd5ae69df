import { useState } from 'react';
import { notDoneText, refusedField } from '../../api.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { expireAnswers } from './held-lists.ts';

const NOT_SAVED = 'Nothing was saved.';

export type FormValues = Readonly<Record<string, string>>;

interface RecordEditorOptions<Row> {
  /** Begins the notice of a success: "School" makes "School added!". */
  noun: string;
  /** Sends the values: as an update of the row, or as a new one when there is none. */
  save: (values: FormValues, row: Row | null) => Promise<{ id: number }>;
  reload: () => Promise<unknown>;
}

/** The two modes of an admin form (spec §4): adding, until a row is chosen; then updating it. */
export function useRecordEditor<Row extends { id: number }>({ noun, save, reload }: RecordEditorOptions<Row>) {
  const [editing, setEditing] = useState<Row | null>(null);
  const [round, setRound] = useState(0);
  const [mark, setMark] = useState<{ id: number } | null>(null);

  const saving = useGuardedMutation({
    mutationFn: ({ values, row }: { values: FormValues; row: Row | null; round: number }) => save(values, row),
    // A form begun while another is being saved is one of its own.
    keyOf: (sent) => sent.round,
    onSuccess: async ({ id }, { row }) => {
      notify.success(`${noun} ${row ? 'updated' : 'added'}!`);
      start(null);
      await expireAnswers();
      await reload();
      setMark({ id });
    },
    onError: (cause) => notify.failure(notDoneText(cause, NOT_SAVED)),
  });

  function start(row: Row | null): void {
    setEditing(row);
    setRound((current) => current + 1);
    saving.reset();
  }

  return {
    editing,
    /** Counts the forms begun: the key that makes each of them new. */
    round,
    /** The row being edited, or the one saved last. */
    mark: editing ?? mark,
    isSaving: saving.isPending,
    error: saving.error && {
      text: notDoneText(saving.error, NOT_SAVED),
      field: refusedField(saving.error),
    },
    edit: (row: Row) => start(row),
    clear: () => start(null),
    submit: (values: FormValues) => saving.mutate({ values, row: editing, round }),
    /** A row that is gone cannot be updated. */
    forget: ({ id }: { id: number }) => {
      if (editing?.id === id) start(null);
    },
  };
}
