import { SUBJECT_KINDS, type SubjectKind } from '../../../contract/audit.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';

/** The filter of the page, as part of its address. */
export interface AuditFilter {
  userId?: number;
  /** The name of a call or command. */
  act?: string;
  subjectKind?: SubjectKind;
  subjectId?: number;
}

function idOf(text: string | null): number | undefined {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text ?? '') && Number.isSafeInteger(id) ? id : undefined;
}

/** Reads the filter from the query of an address. Values that the call would refuse are ignored. */
export function readFilter(search: URLSearchParams): AuditFilter {
  const act = search.get('act')?.trim();
  const subjectKind = SUBJECT_KINDS.find((kind) => kind === search.get('subjectKind'));
  return {
    userId: idOf(search.get('userId')),
    act: act && act.length <= 64 ? act : undefined,
    subjectKind,
    // Without a kind an id would be ambiguous: a school and a user can have the same one.
    subjectId: subjectKind && idOf(search.get('subjectId')),
  };
}

export function filterAddress(filter: AuditFilter): string {
  const chosen = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pageAddress(PAGES.auditTrail, undefined, Object.fromEntries(chosen));
}
