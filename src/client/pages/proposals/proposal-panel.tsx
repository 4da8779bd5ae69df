import { type FormEvent, type MouseEvent, useId, useRef, useState } from 'react';
import { CATEGORIES, findCategory } from '../../../contract/categories.ts';
import { inputLimits } from '../../../contract/fields.ts';
import { getOpenCounts } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { decideProposal, getProposals, type Proposal } from '../../../contract/proposals.ts';
import { invalidateReads, type Parts, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, FormError, Select, TextArea } from '../../components/form/fields.tsx';
import { PageLink } from '../../components/layout/page-link.tsx';
import { DecisionPanel, type QueuePosition } from '../../components/list/decision-panel.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { type FormProblem, readField, useFormProblem } from '../../form-problem.ts';
import { dateText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';

const limitsOf = (name: string) => inputLimits(decideProposal.body, name);

type Decision = NonNullable<Parts<typeof decideProposal>['body']>;

/** Sends the decision about a proposal. @param onDecided called before the queue is read again */
function useDecision(proposalId: number, onDecided: () => void) {
  const problem = useFormProblem();
  const { mutate, isPending, variables } = useGuardedMutation({
    mutationFn: (body: Decision) => request(decideProposal, { params: { id: proposalId }, body }),
    onSuccess: async ({ state, reviewNotPosted }) => {
      const words = state === 'accepted' ? 'Proposal accepted.' : 'Proposal refused.';
      notify.success(
        reviewNotPosted ? `${words} The review was not posted, because its author cannot post it there.` : words,
      );
      onDecided();
      await invalidateReads(getProposals, getOpenCounts);
    },
  });

  function send(body: Decision, form: HTMLFormElement): void {
    problem.clear();
    mutate(body, { onError: (error) => problem.fail(error, 'The decision was not taken: ', form) });
  }

  function accept(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const corrected = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
    send({ action: 'accept', ...corrected }, form);
  }

  function refuse(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const reason = readField(form, 'reason').trim();
    if (reason === '') problem.tell([{ field: 'reason', text: 'Please give a reason.' }], form);
    else send({ action: 'refuse', reason }, form);
  }

  return {
    accept,
    refuse,
    problem,
    isPending: (action: Decision['action']) => isPending && variables.action === action,
  };
}

interface ProposalPanelProps {
  item: Proposal;
  hasKeys: boolean;
  position: QueuePosition;
}

/** A proposal with the names it may duplicate, its fields to correct, and the decision. */
export function ProposalPanel({ item, hasKeys, position }: ProposalPanelProps) {
  const fields = useRef<HTMLFormElement>(null);
  const id = useId();
  const [isRefusing, setIsRefusing] = useState(false);
  const { accept, refuse, problem, isPending } = useDecision(item.id, position.onNext);
  const startRefusing = () => setIsRefusing(true);
  const askForReason = (event: MouseEvent) => {
    // The same button sends the refusal from now on: this press may not do so yet.
    event.preventDefault();
    startRefusing();
  };

  return (
    <DecisionPanel
      label="Proposal to decide about"
      about={<Subject item={item} />}
      position={position}
      hasKeys={hasKeys}
      keys={{ a: () => fields.current?.requestSubmit(), r: startRefusing }}
      buttons={
        <>
          <Button type="submit" form={`${id}-fields`} isPending={isPending('accept')}>
            Accept
          </Button>
          <Button
            variant="danger"
            aria-expanded={isRefusing}
            isPending={isPending('refuse')}
            {...(isRefusing ? { type: 'submit', form: `${id}-refusal` } : { type: 'button', onClick: askForReason })}
          >
            Refuse
          </Button>
        </>
      }
    >
      {item.isSchoolDeleted && (
        <p className="font-semibold">
          This school is deleted. Restore it under{' '}
          <PageLink to={pageAddress(PAGES.moderation, undefined, { state: 'deleted' })} className="text-link">
            Recently deleted
          </PageLink>{' '}
          first, or refuse the proposal.
        </p>
      )}
      {/* First, so that no duplicate is accepted unseen. */}
      <Similar item={item} />
      <form ref={fields} id={`${id}-fields`} method="post" noValidate onSubmit={accept} className="grid gap-3">
        <FormError>{problem.of()}</FormError>
        <Fields item={item} problem={problem} />
      </form>
      <ProposedReview item={item} />
      {isRefusing && (
        <form id={`${id}-refusal`} method="post" noValidate onSubmit={refuse}>
          <Field
            label="Reason"
            name="reason"
            help="The proposer reads it."
            {...limitsOf('reason')}
            required
            autoFocus
            error={problem.of('reason')}
          />
        </form>
      )}
    </DecisionPanel>
  );
}

/** What kind of thing is proposed, where, and when. The school is linked while it has a page. */
function Subject({ item }: { item: Proposal }) {
  return (
    <>
      {item.kind === 'school' ? (
        'A school'
      ) : (
        <>
          {findCategory(item.category)?.label} at{' '}
          {item.isSchoolDeleted ? (
            item.schoolName
          ) : (
            <PageLink to={pageAddress(PAGES.school, item.schoolId)} className="text-link">
              {item.schoolName}
            </PageLink>
          )}
        </>
      )}{' '}
      ·{' '}
      <time dateTime={item.createdAt} className="whitespace-nowrap">
        {dateText(item.createdAt)}
      </time>
    </>
  );
}

/** What is proposed, to be corrected. */
function Fields({ item, problem }: { item: Proposal; problem: FormProblem }) {
  const field = (label: string, name: string, value: string | undefined) => (
    <Field label={label} name={name} {...limitsOf(name)} required defaultValue={value} error={problem.of(name)} />
  );
  return (
    <>
      {item.kind === 'school' ? (
        <>
          {field('School name', 'schoolName', item.schoolName)}
          {field('Location', 'location', item.location)}
        </>
      ) : (
        <>
          {field('Name', 'name', item.name)}
          <Select label="Category" name="category" defaultValue={item.category} error={problem.of('category')}>
            {CATEGORIES.map(({ kind, label }) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </Select>
        </>
      )}
      <TextArea
        label="Description"
        name="description"
        rows={3}
        {...limitsOf('description')}
        defaultValue={item.description}
        error={problem.of('description')}
      />
    </>
  );
}

/** What the proposal may duplicate. */
function Similar({ item }: { item: Proposal }) {
  const category = findCategory(item.category);
  const pathOf = (id: number) =>
    category ? pageAddress(categoryPages(category).reviews, id) : pageAddress(PAGES.school, id);
  return (
    <section aria-label="Similar names">
      <h2 className="text-base">Similar names</h2>
      {item.similar.length === 0 ? (
        <p className="text-ink-soft">No existing name is similar.</p>
      ) : (
        <ul className="flex flex-wrap gap-x-6">
          {item.similar.map(({ id, name }) => (
            <li key={id}>
              <PageLink to={pathOf(id)} className="text-link inline-flex min-h-touch items-center wrap-anywhere">
                <bdi>{name}</bdi>
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The review that is posted with the entry: nobody but its author may change it. */
function ProposedReview({ item: { review } }: { item: Proposal }) {
  if (!review) return null;
  return (
    <section aria-label="Its first review" className="grid gap-2 border-l-4 border-brand pl-3">
      <h2 className="text-base">Its first review{review.isAnonymous && ', anonymous'}</h2>
      <p>
        <Stars value={review.rating} />
      </p>
      <p dir="auto" className="max-w-prose font-serif text-lg whitespace-pre-line wrap-anywhere">
        {review.review}
      </p>
    </section>
  );
}
