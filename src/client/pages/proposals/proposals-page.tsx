import { useId, useRef, useState } from 'react';
import type { BodyOf } from '../../../contract/call.ts';
import { CATEGORIES, findCategory } from '../../../contract/categories.ts';
import { inputLimits } from '../../../contract/fields.ts';
import { getOpenCounts } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { decideProposal, getProposals, type Proposal } from '../../../contract/proposals.ts';
import { failureText, invalidateReads, request } from '../../api.ts';
import { Checkbox, Field, FormError, Select, TextArea } from '../../components/form/fields.tsx';
import { StandaloneLink, TextLink } from '../../components/layout/page-link.tsx';
import {
  DecisionPanel,
  DecisionQueue,
  type QueuePosition,
  useDecisionForm,
} from '../../components/list/decision-panel.tsx';
import { PagedList } from '../../components/list/paged-list.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { type FormProblem, readField, useForm } from '../../form.ts';
import { dateText } from '../../format.ts';
import { notify } from '../../notices.ts';
import { usePagedRead } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';

const idOf = ({ id }: Proposal) => id;

function summaryOf({ kind, name, schoolName, location, category }: Proposal): readonly [string, string] {
  if (kind === 'school') return [schoolName, `School · ${location}`];
  return [name ?? '', `${findCategory(category)?.label} · ${schoolName}`];
}

/** The schools and entries that people propose, oldest first. */
export function Component() {
  const [hasKeys, setHasKeys] = useState(true);
  const query = usePagedRead(getProposals);
  return (
    <AdminPage heading={PAGES.proposals.title}>
      <Checkbox label="Keyboard shortcuts" checked={hasKeys} onChange={() => setHasKeys(!hasKeys)} />
      <PagedList query={query} empty="No open proposals." failed="The proposals could not be loaded.">
        {(items) => (
          <DecisionQueue items={items} idOf={idOf} summaryOf={summaryOf} hasKeys={hasKeys}>
            {(item, position) => <ProposalPanel key={item.id} item={item} position={position} />}
          </DecisionQueue>
        )}
      </PagedList>
    </AdminPage>
  );
}

const limitsOf = (name: string) => inputLimits(decideProposal.body, name);

/** The two forms that decide about a proposal. @param onDecided called before the queue is read again */
function useDecision(proposalId: number, onDecided: () => void) {
  const isDeciding = useRef(false);

  /** Sends a decision, unless one is in flight. */
  async function decide(body: BodyOf<typeof decideProposal>): Promise<void> {
    if (isDeciding.current) return;
    isDeciding.current = true;
    try {
      const { state, reviewNotPosted } = await request(decideProposal, { params: { id: proposalId }, body });
      const words = state === 'accepted' ? 'Proposal accepted.' : 'Proposal refused.';
      notify.success(
        reviewNotPosted ? `${words} The review was not posted, because its author cannot post it there.` : words,
      );
    } finally {
      isDeciding.current = false;
    }
    onDecided();
    await invalidateReads(getProposals, getOpenCounts);
  }

  const failureOf = (error: Error) => failureText(error, 'The decision was not taken: ');
  const accepting = useForm({
    read: (form) =>
      Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const)),
    check: () => [],
    send: (corrected) => decide({ action: 'accept', ...corrected }),
    failureOf,
  });
  const refusing = useForm({
    read: (form) => readField(form, 'reason').trim(),
    check: (reason) => (reason === '' ? [{ field: 'reason', text: 'Please give a reason.' }] : []),
    send: (reason) => decide({ action: 'refuse', reason }),
    failureOf,
  });
  return { accepting, refusing };
}

/** A proposal with the names it may duplicate, its fields to correct, and the decision. */
function ProposalPanel({ item, position }: { item: Proposal; position: QueuePosition }) {
  const fields = useRef<HTMLFormElement>(null);
  const id = useId();
  const refusal = useDecisionForm();
  const { accepting, refusing } = useDecision(item.id, position.onNext);

  return (
    <DecisionPanel
      label="Proposal to decide about"
      about={<Subject item={item} />}
      position={position}
      decisions={[
        {
          shortcut: 'A',
          run: () => fields.current?.requestSubmit(),
          type: 'submit',
          form: id,
          isPending: accepting.isPending,
          variant: 'primary',
          children: 'Accept',
        },
        { shortcut: 'R', ...refusal.button, isPending: refusing.isPending, variant: 'danger', children: 'Refuse' },
      ]}
    >
      {item.isSchoolDeleted && (
        <p className="font-semibold">
          This school is deleted. Restore it under{' '}
          <TextLink to={pageAddress(PAGES.moderation, undefined, { state: 'deleted' })}>Recently deleted</TextLink>{' '}
          first, or refuse the proposal.
        </p>
      )}
      {/* Similar names come first, so that no duplicate is accepted unseen. */}
      <SimilarNames item={item} />
      <form ref={fields} id={id} method="post" noValidate onSubmit={accepting.onSubmit} className="grid gap-3">
        <FormError>{accepting.problem.errorOf() ?? refusing.problem.errorOf()}</FormError>
        <Fields item={item} problem={accepting.problem} />
      </form>
      <ProposedReviews item={item} />
      {refusal.isOpen && (
        <form id={refusal.id} method="post" noValidate onSubmit={refusing.onSubmit}>
          <Field
            label="Reason"
            {...refusing.problem.field('reason')}
            help="The proposer reads it."
            {...limitsOf('reason')}
            required
            autoFocus
          />
        </form>
      )}
    </DecisionPanel>
  );
}

/** The kind, school and date of a proposal. The school is linked while it has a page. */
function Subject({ item }: { item: Proposal }) {
  return (
    <>
      {item.kind === 'school' ? (
        <span>A school</span>
      ) : (
        <>
          <span>{`${findCategory(item.category)?.label} at `}</span>
          {item.isSchoolDeleted ? (
            <span>{item.schoolName}</span>
          ) : (
            <TextLink to={pageAddress(PAGES.school, item.schoolId)}>{item.schoolName}</TextLink>
          )}
        </>
      )}
      <span> · </span>
      <time dateTime={item.createdAt} className="whitespace-nowrap">
        {dateText(item.createdAt)}
      </time>
    </>
  );
}

/** The proposed school or entry as fields, which the admin can correct. */
function Fields({ item, problem }: { item: Proposal; problem: FormProblem }) {
  const field = (label: string, name: string, value: string | undefined) => (
    <Field label={label} {...problem.field(name)} {...limitsOf(name)} required defaultValue={value} />
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
          <Select
            label="Category"
            {...problem.field('category')}
            defaultValue={item.category}
            options={CATEGORIES.map(({ kind, label }) => [kind, label])}
          />
        </>
      )}
      <TextArea
        label="Description"
        {...problem.field('description')}
        rows={3}
        {...limitsOf('description')}
        defaultValue={item.description}
      />
    </>
  );
}

/** The existing schools or entries that the proposal may duplicate. */
function SimilarNames({ item }: { item: Proposal }) {
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
              <StandaloneLink to={pathOf(id)} className="wrap-anywhere">
                <bdi>{name}</bdi>
              </StandaloneLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The reviews by all who proposed the entry, which are posted with it. Only their authors may change them. */
function ProposedReviews({ item: { review, reviews = review ? [review] : [] } }: { item: Proposal }) {
  return reviews.map(({ rating, review: text, isAnonymous }, index) => {
    const label = index === 0 ? 'Its first review' : 'Another review';
    return (
      <section
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids, and new ones come last.
        key={index}
        aria-label={label}
        className="grid gap-2 border-l-4 border-brand pl-3"
      >
        <h2 className="text-base">{isAnonymous ? `${label}, anonymous` : label}</h2>
        <p>
          <Stars value={rating} />
        </p>
        <p dir="auto" className="max-w-prose font-serif text-lg whitespace-pre-line wrap-anywhere">
          {text}
        </p>
      </section>
    );
  });
}
