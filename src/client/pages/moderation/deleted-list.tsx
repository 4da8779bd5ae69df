import { type DeletedKind, type DeletedRecord, getDeleted, RESTORE_DAYS } from '../../../contract/deletions.ts';
import { PagedList } from '../../components/list/paged-list.tsx';
import { countText } from '../../format.ts';
import { passFocusOn } from '../../navigation.ts';
import { usePagedRead } from '../../page.ts';
import { RowButton, useRestore } from '../../shared/admin/row-actions.tsx';
import { whenText } from '../../shared/admin/table-dates.ts';

const KIND_LABELS: Record<DeletedKind, string> = { school: 'School', entry: 'Entry' };

/** Schools and entries that can still be restored. */
export function DeletedList() {
  const query = usePagedRead(getDeleted);
  const restore = {
    school: useRestore<DeletedRecord>('school', query.refetch),
    entry: useRestore<DeletedRecord>('entry', query.refetch),
  };
  return (
    <section tabIndex={-1} aria-label="Recently deleted" className="grid gap-4">
      <p className="max-w-prose text-ink-soft">
        What is deleted can be brought back for {RESTORE_DAYS} days, with its reviews. After that it is gone for good.
      </p>
      <PagedList query={query} empty="Nothing to bring back." failed="What was deleted could not be loaded.">
        {(rows) => (
          <ul className="border-t border-line">
            {rows.map((row) => {
              const nameId = `deleted-${row.kind}-${row.id}`;
              return (
                <li
                  key={nameId}
                  ref={passFocusOn}
                  className="flex flex-wrap items-center gap-x-6 border-b border-line py-2"
                >
                  <div className="min-w-0 grow basis-60">
                    <h2 id={nameId} dir="auto" className="text-lg leading-snug wrap-anywhere">
                      {row.name}
                    </h2>
                    <p className="text-sm text-ink-soft wrap-anywhere">{detailOf(row)}</p>
                  </div>
                  <RowButton
                    variant="quiet"
                    className="-mx-3"
                    nameId={nameId}
                    isBusy={restore[row.kind].isBusy(row)}
                    onClick={() => restore[row.kind].run(row)}
                  >
                    Restore
                  </RowButton>
                </li>
              );
            })}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

/** "School · 12 reviews · deleted by bob, 11/22/26, 3:04 AM UTC". */
function detailOf({ kind, reviews, deletedBy, deletedAt }: DeletedRecord): string {
  const by = deletedBy === '' ? '' : ` by ${deletedBy}`;
  return `${KIND_LABELS[kind]} · ${countText(reviews, 'review')} · deleted${by}, ${whenText(deletedAt)}`;
}
