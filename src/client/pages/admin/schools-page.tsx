import { useQuery } from '@tanstack/react-query';
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
import { callQuery, queryClient, request } from '../../api.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { notify } from '../../notices.ts';
import { changeHeldList } from './held-lists.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { RecordForm } from './record-form.tsx';
import { RecordTable } from './record-table.tsx';
import { RowButton } from './row-button.tsx';
import type { Column } from './scrolling-table.tsx';
import { useBringBack } from './use-bring-back.ts';
import { type FormValues, useRecordEditor } from './use-record-editor.ts';
import { useRowAction } from './use-row-action.ts';

const FIELDS = [
  { name: 'schoolName', label: 'School Name' },
  { name: 'description', label: 'Description', hasSeveralLines: true },
  { name: 'location', label: 'Location' },
  { name: 'aliases', label: 'Also known as', hasSeveralLines: true, help: 'One name a line.' },
] as const;

const schoolsQuery = callQuery(listSchools);
const textOf = ({ id, schoolName }: SchoolName) => `${id} ${schoolName}`;

export const loader = () => {
  void queryClient.prefetchQuery(schoolsQuery);
};

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

export function Component() {
  const query = useQuery(schoolsQuery);
  const editor = useRecordEditor<School>({ noun: 'School', save, reload: query.refetch });
  const { editing } = editor;
  const title = editing ? 'Update School' : 'Add School';

  // The list has only names; the form needs the whole school.
  const update = useRowAction<SchoolName>('The school could not be loaded.', async ({ id }) => {
    editor.edit(await request(getSchool, { params: { id } }));
  });
  const remove = useRowAction<SchoolName>('The school was not deleted.', async (school) => {
    await request(deleteSchool, { params: { id: school.id } });
    await changeHeldList<SchoolName[]>(schoolsQuery.queryKey, (rows) => rows.filter(({ id }) => id !== school.id));
    notify.success(`${school.schoolName} was deleted.`, { label: 'Undo', run: () => bringBack.run(school) });
    editor.forget(school);
  });
  const bringBack = useBringBack<SchoolName>(() => 'school', query.refetch);

  const [merging, setMerging] = useState<SchoolName>();
  const showMerged = async (gone: SchoolName, into: School) => {
    notify.success(`${gone.schoolName} is part of ${into.schoolName} now.`);
    editor.forget(gone);
    editor.forget(into);
    await changeHeldList<SchoolName[]>(schoolsQuery.queryKey, (rows) => rows.filter(({ id }) => id !== gone.id));
    editor.show(into);
  };

  const columns: Column<SchoolName>[] = [
    { head: 'ID', width: 'w-18', cell: ({ id }) => <span className="text-ink-soft tabular-nums">{id}</span> },
    {
      head: 'Name',
      isRowHead: true,
      inNarrow: 'first line',
      cell: ({ id, schoolName }) => (
        <PageLink to={pageAddress(PAGES.adminChooser, id)} className="text-link inline-flex min-h-touch items-center">
          <bdi>{schoolName}</bdi>
        </PageLink>
      ),
    },
    {
      head: 'Update/Delete',
      width: 'w-80',
      inNarrow: 'end',
      cell: (school, nameId) => (
        <div className="-mx-3 flex flex-wrap justify-end @2xl:justify-start">
          <RowButton variant="quiet" nameId={nameId} isBusy={update.isBusy(school)} onClick={() => update.run(school)}>
            Update
          </RowButton>
          <RowButton variant="quiet" nameId={nameId} onClick={() => setMerging(school)}>
            Merge into …
          </RowButton>
          <RowButton variant="danger" nameId={nameId} isBusy={remove.isBusy(school)} onClick={() => remove.run(school)}>
            Delete
          </RowButton>
        </div>
      ),
    },
  ];

  return (
    <div className="page grid gap-6 pt-4 pb-10">
      <div>
        <Breadcrumb trail={[{ label: PAGES.adminUsers.title, to: PAGES.adminUsers.path }]} />
        <PageHeading>{title}</PageHeading>
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[20rem_1fr]">
        <div className="card p-5 lg:sticky lg:top-20">
          <RecordForm
            key={editor.round}
            label={title}
            fields={FIELDS}
            schema={postSchool.body}
            values={editing ? { ...editing, aliases: editing.aliases.join('\n') } : undefined}
            isSaving={editor.isSaving}
            error={editor.error}
            takesFocus={editor.round > 0}
            onSubmit={editor.submit}
            onClear={editor.clear}
          />
        </div>
        <RecordTable
          title="Schools List"
          nouns={['school', 'schools']}
          query={query}
          empty="No schools found."
          columns={columns}
          textOf={textOf}
          mark={editor.mark}
        />
      </div>
      {merging && (
        <MergeDialog
          school={merging}
          onMerged={(into) => showMerged(merging, into)}
          onClose={() => setMerging(undefined)}
        />
      )}
    </div>
  );
}
