import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { SUBJECT_KINDS } from '../../../contract/audit.ts';
import { PAGES } from '../../../contract/pages.ts';
import { getUsers } from '../../../contract/users.ts';
import { callQuery } from '../../api.ts';
import { Select } from '../../components/form/fields.tsx';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { passFocusOn } from '../../navigation.ts';
import { type AuditFilter, filterAddress } from './audit-filter.ts';
import { ACTION_TEXTS, SUBJECT_KIND_TEXTS } from './audit-words.ts';

interface AuditFilterFormProps {
  filter: AuditFilter;
  /** The name of the chosen person, if a loaded entry contains it. */
  personName?: string;
  subjectName?: string;
}

/** Chooses the audit entries to show, by person, kind and subject. The choice is part of the address. */
export function AuditFilterForm({ filter, personName, subjectName }: AuditFilterFormProps) {
  const { userId, act, subjectKind, subjectId } = filter;
  const navigate = useNavigate();
  const { data: users = [] } = useQuery(callQuery(getUsers));
  const admins = users.filter(({ isAdmin }) => isAdmin);
  const choose = (change: AuditFilter) => void navigate(filterAddress({ ...filter, ...change }), { replace: true });
  const isListed = userId === undefined || admins.some(({ id }) => id === userId);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);

  return (
    <div className="no-print flex flex-wrap items-end gap-3">
      <Select
        label="Person"
        name="person"
        className="min-w-0 grow basis-32 sm:w-48 sm:grow-0 sm:basis-auto"
        value={userId ?? ''}
        onChange={({ target }) => choose({ userId: Number(target.value) || undefined })}
        options={[
          ['', 'Everyone'],
          ...(isListed ? [] : [[userId, personName ?? `User ${userId}`] as const]),
          ...admins.map(({ id, username }) => [id, username] as const),
        ]}
      />
      <Select
        label="Action"
        name="act"
        className="min-w-0 grow basis-32 sm:w-56 sm:grow-0 sm:basis-auto"
        value={act ?? ''}
        onChange={({ target }) => choose({ act: target.value || undefined })}
        options={[
          ['', 'Everything'],
          ...(act === undefined || ACTION_TEXTS.has(act) ? [] : [[act, act] as const]),
          ...ACTION_TEXTS,
        ]}
      />
      <Select
        label="Subject"
        name="subject"
        className="min-w-0 grow basis-32 sm:w-48 sm:grow-0 sm:basis-auto"
        value={subjectKind ?? ''}
        onChange={({ target }) =>
          choose({ subjectKind: SUBJECT_KINDS.find((kind) => kind === target.value), subjectId: undefined })
        }
        options={[['', 'All subjects'], ...SUBJECT_KINDS.map((kind) => [kind, SUBJECT_KIND_TEXTS[kind]] as const)]}
      />
      {isFiltered && (
        <p ref={passFocusOn} className="flex min-h-touch flex-wrap items-center gap-x-3">
          {subjectId !== undefined && <span>{`Only ${subjectName ?? `no. ${subjectId}`}`}</span>}
          <StandaloneLink to={PAGES.auditTrail.path}>Clear filters</StandaloneLink>
        </p>
      )}
    </div>
  );
}
