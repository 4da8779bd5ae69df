import { SUBJECT_KINDS, type SubjectKind } from '../../../contract/audit.ts';
import { PAGES } from '../../../contract/pages.ts';

/** Which entries the page shows, as its address says it. */
export interface AuditFilter {
  userId?: number;
  act?: string;
  subjectKind?: SubjectKind;
  subjectId?: number;
}

function idOf(text: string | null): number | undefined {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text ?? '') && Number.isSafeInteger(id) ? id : undefined;
}

/** The filter in the query of an address. What the call would refuse is passed over. */
export function readFilter(search: URLSearchParams): AuditFilter {
  const act = search.get('act')?.trim();
  const subjectKind = SUBJECT_KINDS.find((kind) => kind === search.get('subjectKind'));
  return {
    userId: idOf(search.get('userId')),
    act: act && act.length <= 64 ? act : undefined,
    subjectKind,
    // An id alone would mean a school, a user and more at once.
    subjectId: subjectKind && idOf(search.get('subjectId')),
  };
}

/** The address of the page with a filter. */
export function filterAddress(filter: AuditFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return search ? `${PAGES.auditTrail.path}?${search}` : PAGES.auditTrail.path;
}

/** The filter as the parts of both calls, without what is not set: they are its cache key. */
export function filterParts(filter: AuditFilter): { query: AuditFilter } {
  return { query: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) };
}
