import { RecordForm, type RecordFormProps } from './record-form.tsx';
import { RecordTable, type RecordTableProps } from './record-table.tsx';
import type { TableRow } from './scrolling-table.tsx';
import type { Editor } from './use-record-editor.ts';

interface RecordEditorProps<Row> extends Pick<RecordFormProps, 'fields' | 'schema' | 'values'> {
  /** The name of the form: "Add School". */
  title: string;
  /** Whether the title is shown. Default: the page's own heading says the same. */
  showsTitle?: boolean;
  editor: Editor;
  table: Omit<RecordTableProps<Row>, 'mark'>;
}

/** A list of records with the form that adds one or updates a chosen one. On wide screens the form is beside it. */
export function RecordEditor<Row extends TableRow>(props: RecordEditorProps<Row>) {
  const { title, showsTitle = false, editor, table, ...form } = props;
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[20rem_1fr]">
      <div className="card grid gap-4 p-5 lg:sticky lg:top-20">
        {showsTitle && <h2 className="text-xl">{title}</h2>}
        <RecordForm key={editor.formKey} label={title} editor={editor} {...form} />
      </div>
      <RecordTable {...table} mark={editor.mark} />
    </div>
  );
}
