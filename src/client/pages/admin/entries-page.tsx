import { useCallback } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryCalls, entryName } from '../../../contract/entries.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { getSchool } from '../../../contract/schools.ts';
import { request } from '../../api.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { notify } from '../../notices.ts';
import { useCategory, usePageId } from '../../page.ts';
import { usePageRead, usePageReadKey } from '../../page-reads.ts';
import { changeHeldList } from './held-lists.ts';
import { RecordForm } from './record-form.tsx';
import { RecordTable } from './record-table.tsx';
import { RowButton } from './row-button.tsx';
import type { Column } from './scrolling-table.tsx';
import { SCHOOLS_TRAIL } from './trails.ts';
import { useBringBack } from './use-bring-back.ts';
import { type FormValues, useRecordEditor } from './use-record-editor.ts';
import { useRowAction } from './use-row-action.ts';

function save(category: Category, schoolId: number, values: FormValues, entry: Entry | null) {
  const fields = { [category.nameField]: values[category.nameField], description: values.description ?? '' };
  const calls = entryCalls(category);
  if (!entry) return request(calls.create, { body: { ...fields, schoolId } });
  const school = category.updateOmitsSchoolId ? {} : { schoolId };
  return request(calls.update, { body: { id: entry.id, ...fields, ...school } });
}

export function Component() {
  const schoolId = usePageId();
  const category = useCategory();
  const { list } = entryCalls(category);
  const query = usePageRead(list);
  const listKey = usePageReadKey(list);
  const { data: school } = usePageRead(getSchool);
  const editor = useRecordEditor<Entry>({
    noun: category.entryLabel,
    save: (values, entry) => save(category, schoolId, values, entry),
    reload: query.refetch,
  });
  const { editing } = editor;
  const formTitle = `${editing ? 'Update' : 'Add'} ${category.entryLabel}`;

  const remove = useRowAction<Entry>('The entry was not deleted.', async (entry) => {
    await request(entryCalls(category).remove, { params: { id: entry.id } });
    await changeHeldList<Entry[]>(listKey, (rows) => rows.filter(({ id }) => id !== entry.id));
    notify.success(`${entryName(category, entry)} was deleted.`, { label: 'Undo', run: () => bringBack.run(entry) });
    editor.forget(entry);
  });
  const bringBack = useBringBack<Entry>(() => 'entry', query.refetch);

  const textOf = useCallback(
    (entry: Entry) => `${entry.id} ${entryName(category, entry)} ${entry.description}`,
    [category],
  );
  const columns: Column<Entry>[] = [
    { head: 'ID', width: 'w-16', cell: ({ id }) => <span className="text-ink-soft tabular-nums">{id}</span> },
    {
      head: category.nameLabel,
      width: 'w-1/4',
      isRowHead: true,
      inNarrow: 'first line',
      cell: (entry) => (
        <PageLink
          to={pageAddress(categoryPages(category).adminReviews, entry.id)}
          className="text-link inline-flex min-h-touch items-center"
        >
          <bdi>{entryName(category, entry)}</bdi>
        </PageLink>
      ),
    },
    {
      head: 'Description',
      inNarrow: 'first line',
      cell: ({ description }) => (
        <p dir="auto" className="pb-1 whitespace-pre-line @2xl:py-1">
          {description}
        </p>
      ),
    },
    {
      head: 'Update/Delete',
      width: 'w-48',
      inNarrow: 'end',
      cell: (entry, nameId) => (
        <div className="-mx-3 flex">
          <RowButton variant="quiet" nameId={nameId} onClick={() => editor.edit(entry)}>
            Update
          </RowButton>
          <RowButton variant="danger" nameId={nameId} isBusy={remove.isBusy(entry)} onClick={() => remove.run(entry)}>
            Delete
          </RowButton>
        </div>
      ),
    },
  ];

  const trail = [
    ...SCHOOLS_TRAIL,
    { label: school?.schoolName ?? PAGES.adminChooser.title, to: pageAddress(PAGES.adminChooser, schoolId) },
  ];
  return (
    <div className="page grid gap-6 pt-4 pb-10">
      <div>
        <Breadcrumb trail={trail} />
        <PageHeading title={school && `${category.label}: ${school.schoolName}`}>{category.label}</PageHeading>
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[20rem_1fr]">
        <div className="card grid gap-4 p-5 lg:sticky lg:top-20">
          <h2 className="text-xl">{formTitle}</h2>
          <RecordForm
            key={editor.round}
            label={formTitle}
            fields={[
              { name: category.nameField, label: category.nameLabel },
              { name: 'description', label: 'Description', hasSeveralLines: true },
            ]}
            schema={entryCalls(category).create.body}
            values={editing ?? undefined}
            isSaving={editor.isSaving}
            error={editor.error}
            takesFocus={editor.round > 0}
            onSubmit={editor.submit}
            onClear={editor.clear}
          />
        </div>
        <RecordTable
          title="Entries"
          nouns={['entry', 'entries']}
          query={query}
          empty="No entries found."
          columns={columns}
          textOf={textOf}
          mark={editor.mark}
        />
      </div>
    </div>
  );
}
