import { useCallback } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryCalls, entryName } from '../../../contract/entries.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { getSchool } from '../../../contract/schools.ts';
import { request } from '../../api.ts';
import { useCategory, useDeclaredKey, useDeclaredRead, usePageId } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { type FormValues, RecordEditor, useRecordList } from './record-editor.tsx';
import { editColumn, idColumn, nameColumn, textColumn } from './record-table.tsx';

/** An entry as the form reads and saves it. */
type EditableEntry = Omit<Entry, 'isBeingChecked'>;

function save(category: Category, schoolId: number, values: FormValues, entry: EditableEntry | null) {
  const fields = { [category.nameField]: values[category.nameField], description: values.description ?? '' };
  const calls = entryCalls(category);
  if (!entry) return request(calls.create, { body: { ...fields, schoolId } });
  const school = category.updateOmitsSchoolId ? {} : { schoolId };
  return request(calls.update, { body: { id: entry.id, ...fields, ...school } });
}

export function Component() {
  const schoolId = usePageId();
  const category = useCategory();
  const { list, create, remove: removal } = entryCalls(category);
  const query = useDeclaredRead(list);
  const { data: school } = useDeclaredRead(getSchool);
  const nameOf = useCallback((entry: Entry) => entryName(category, entry), [category]);
  const { editor, update, remove } = useRecordList<Entry, EditableEntry>({
    kind: 'entry',
    noun: category.entryLabel,
    queryKey: useDeclaredKey(list),
    reload: query.refetch,
    nameOf,
    read: async ({ isBeingChecked: _, ...entry }) => entry,
    save: (values, entry) => save(category, schoolId, values, entry),
    deleteRow: ({ id }) => request(removal, { params: { id } }),
  });
  const textOf = useCallback((entry: Entry) => `${entry.id} ${nameOf(entry)} ${entry.description}`, [nameOf]);
  const addressOf = ({ id }: Entry) => pageAddress(categoryPages(category).adminReviews, id);

  return (
    <AdminPage
      heading={category.label}
      title={school && `${category.label}: ${school.schoolName}`}
      inSchools={[
        { label: school?.schoolName ?? PAGES.adminChooser.title, to: pageAddress(PAGES.adminChooser, schoolId) },
      ]}
    >
      <RecordEditor
        title={`${editor.editing ? 'Update' : 'Add'} ${category.entryLabel}`}
        showsTitle
        editor={editor}
        fields={[
          { name: category.nameField, label: category.nameLabel },
          { name: 'description', label: 'Description', hasSeveralLines: true },
        ]}
        schema={create.body}
        values={editor.editing ?? undefined}
        table={{
          title: 'Entries',
          nouns: ['entry', 'entries'],
          query,
          empty: 'No entries found.',
          columns: [
            idColumn,
            nameColumn(category.nameLabel, 'w-1/4', { addressOf, nameOf }),
            textColumn<Entry>('Description', ({ description }) => description),
            editColumn('w-48', { update, remove }),
          ],
          textOf,
        }}
      />
    </AdminPage>
  );
}
