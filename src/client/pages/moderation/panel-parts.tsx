import { type FormEvent, useState } from 'react';
import { findCategory } from '../../../contract/categories.ts';
import type { ModerationItem } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { ReasonChoice } from '../../components/form/reason-choice.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { useDecisionForm } from '../../components/list/decision-panel.tsx';

/**
 * Hiding in two steps: the first press opens the reasons, the second one, or Enter in the reasons, hides.
 * @param initial the reason that is chosen at first
 */
export function useHideReasons(hide: (reason: ReasonKey) => void, initial: ReasonKey | undefined) {
  const form = useDecisionForm();
  const [reason, setReason] = useState(initial);
  const [problem, setProblem] = useState<string>();

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reason === undefined) setProblem('Please choose a reason.');
    else hide(reason);
  }

  function choose(chosen: ReasonKey): void {
    setReason(chosen);
    setProblem(undefined);
  }

  return { ...form, reason, submit, choose, problem, setProblem };
}

/** The reasons, once the form asks for one. */
export function HideReasons({ hiding }: { hiding: ReturnType<typeof useHideReasons> }) {
  if (!hiding.isOpen) return null;
  return (
    <form id={hiding.id} method="post" noValidate onSubmit={hiding.submit}>
      <ReasonChoice legend="Why is it hidden?" chosen={hiding.reason ?? ''} onChoose={hiding.choose} />
    </form>
  );
}

/** Links to the entry and the school of the review. */
export function Subject({
  item: { category: kind, entryId, entryName, schoolId, schoolName },
}: {
  item: ModerationItem;
}) {
  const category = findCategory(kind);
  return (
    <>
      {category && <TextLink to={pageAddress(categoryPages(category).reviews, entryId)}>{entryName}</TextLink>}
      <span>{` · ${category?.label} · `}</span>
      <TextLink to={pageAddress(PAGES.school, schoolId)}>{schoolName}</TextLink>
    </>
  );
}
