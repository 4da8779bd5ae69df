import type { ReactNode } from 'react';
import { getMyProposals } from '../../../contract/proposals.ts';
import { keyOf, queryClient } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { notify } from '../../notices.ts';
import { proposalMode } from '../../site.ts';

/** Something that is there already. */
export interface There {
  readonly id: number;
  readonly name: string;
  readonly detail?: string;
  readonly path: string;
}

/** What is there that was perhaps meant, while a name is typed. */
export function AlreadyThere({ found }: { found: readonly There[] }) {
  return (
    // There before its text, so that screen readers announce it.
    <div aria-live="polite">
      {found.length > 0 && (
        <div className="rounded-sm border border-line bg-sunken p-3">
          <p className="font-semibold">Here already. Do you mean one of these?</p>
          <ul>
            {found.map(({ id, name, detail, path }) => (
              <li key={id} className="flex min-h-touch flex-wrap items-center gap-x-2 wrap-anywhere">
                <PageLink to={path} className="text-link">
                  <bdi>{name}</bdi>
                </PageLink>
                {detail && <bdi className="text-sm text-ink-soft">{detail}</bdi>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Says what happens next, above the buttons of the form. */
export function SendRow({ isPending, onCancel, also }: { isPending: boolean; onCancel: () => void; also?: ReactNode }) {
  return (
    <>
      <p className="text-sm text-ink-soft">
        {proposalMode() === 'open'
          ? 'It is added at once.'
          : 'An admin looks at it first. We mail you what was decided, and you read it under Your reviews.'}{' '}
        {also}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending}>
          Send
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}

/** Thanks the proposer, whose list is read again. */
export function thank(isAccepted: boolean): void {
  notify.success(isAccepted ? 'Thank you. It is added.' : 'Thank you. An admin will look at it and mail you.');
  void queryClient.invalidateQueries({ queryKey: keyOf(getMyProposals) });
}
