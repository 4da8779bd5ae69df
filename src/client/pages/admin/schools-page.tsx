import { useState } from 'react';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import {
  deleteSchool,
  getSchool,
  listSchools,
  postSchool,
  type School,
  type SchoolName,
  updateSchool,
} from '../../../contract/schools.ts';
import { callQuery, request } from '../../api.ts';
import { notify } from '../../notices.ts';
import { useRead } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { RowButton, updateCachedList } from '../../shared/admin/row-actions.tsx';
import { ImportFile } from './import-file.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { type FormValues, RecordEditor, useRecordList } from './record-editor.tsx';
import { editColumn, idColumn, nameColumn } from './record-table.tsx';

const FIELDS = [
  { name: 'schoolName', label: 'School Name' },
  { name: 'description', label: 'Description', hasSeveralLines: true },
  { name: 'location', label: 'Location' },
  { name: 'aliases', label: 'Also known as', hasSeveralLines: true, help: 'One name a line.' },
] as const;

const { queryKey } = callQuery(listSchools);
const textOf = ({ id, schoolName }: SchoolName) => `${id} ${schoolName}`;

const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);
const isSameList = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n');

function save(
  { schoolName = '', description = '', location = '', aliases: typed = '' }: FormValues,
  school: School | null,
) {
  const aliases = linesOf(typed);
  // Unchanged aliases are not sent: another admin may have changed them meanwhile.
  const fields = { schoolName, description, location, ...(!isSameList(aliases, school?.aliases ?? []) && { aliases }) };
  return school ? request(updateSchool, { body: { id: school.id, ...fields } }) : request(postSchool, { body: fields });
}

const nameOf = ({ schoolName }: SchoolName) => schoolName;
const addressOf = ({ id }: SchoolName) => pageAddress(PAGES.adminChooser, id);

const valuesOf = ({ id, schoolName, description, location, aliases }: School) => ({
  id,
  schoolName,
  description,
  location,
  aliases: aliases?.join('\n'),
});

export function Component() {
  const query = useRead(listSchools);
  const { editor, update, remove } = useRecordList<SchoolName, School>({
    kind: 'school',
    noun: 'School',
    queryKey,
    reload: query.refetch,
    nameOf,
    // The list has only the names of schools, so the school is read. The specified answer has no id, so it is added.
    read: async ({ id }) => ({ ...(await request(getSchool, { params: { id } })), id }),
    save,
    deleteRow: ({ id }) => request(deleteSchool, { params: { id } }),
  });
  const { editing } = editor;
  const title = editing ? 'Update School' : 'Add School';

  const [merging, setMerging] = useState<SchoolName>();
  const showMerged = async (gone: SchoolName, into: School) => {
    notify.success(`${gone.schoolName} is part of ${into.schoolName} now.`);
    editor.stopEditing(gone);
    editor.stopEditing(into);
    await updateCachedList<SchoolName[]>(queryKey, (rows) => rows.filter(({ id }) => id !== gone.id));
    editor.show(into);
  };
  const mergeButton = (school: SchoolName, nameId: string) => (
    <RowButton variant="quiet" nameId={nameId} onClick={() => setMerging(school)}>
      Merge into …
    </RowButton>
  );

  return (
    <AdminPage heading={title}>
      <RecordEditor
        title={title}
        editor={editor}
        fields={FIELDS}
        schema={postSchool.body}
        values={editing ? valuesOf(editing) : undefined}
        table={{
          title: 'Schools List',
          nouns: ['school', 'schools'],
          query,
          empty: 'No schools found.',
          columns: [
            idColumn,
            nameColumn('Name', undefined, { addressOf, nameOf }),
            editColumn('w-80', { update, remove, between: mergeButton }),
          ],
          textOf,
        }}
      />
      <ImportFile onImported={query.refetch} />
      {merging && (
        <MergeDialog
          school={merging}
          onMerged={(into) => showMerged(merging, into)}
          onClose={() => setMerging(undefined)}
        />
      )}
    </AdminPage>
  );
}
