import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useNavigate } from 'react-router';
import type * as Type from 'typebox';
import type { Call } from '../../../contract/call.ts';
import { inputLimits } from '../../../contract/fields.ts';
import { failureText } from '../../api.ts';
import { FormDialog } from '../../components/feedback/dialog.tsx';
import { Field } from '../../components/form/fields.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { DraftNote, type FormDraft } from '../../draft.tsx';
import { type FormProblem, type Problem, useForm } from '../../form.ts';
import { proposalMode } from '../../site.ts';
import { showProposed } from './proposed-entries.ts';

/** How many similar names the form shows. */
export const SIMILAR_MAX = 5;

/** A school or entry that exists already and may be the one that the user means. */
interface SimilarItem {
  readonly id: number;
  readonly name: string;
  readonly detail?: string;
  readonly path: string;
}

interface ProposalDialogProps<Values> {
  draft: FormDraft;
  title: string;
  /** Says where the proposed school or entry is added. */
  about?: ReactNode;
  /** The body of the call. The limits of the name are read from it. */
  schema: Type.TSchema;
  nameField: Pick<ComponentProps<typeof Field>, 'name' | 'label' | 'help' | 'value' | 'onChange'>;
  /** The existing records with names like the one typed so far. */
  similar: readonly SimilarItem[];
  read: () => Values;
  check: (values: Values) => readonly Problem[];
  /** @returns the page of what was added; undefined when an admin decides first */
  send: (values: Values) => Promise<string | undefined>;
  /** The beginning of the message when the request did not arrive: "It was not sent: ". */
  notSent: string;
  /** The calls for the lists that change when the proposal is added without a decision. */
  lists: readonly Call[];
  /** A sentence above the buttons, after the one that says what happens next. */
  note?: ReactNode;
  onClose: () => void;
  /** The fields below the name. */
  children: (problem: FormProblem) => ReactNode;
}

/** The form to propose something: its name with what exists already, its other fields, and what happens next. */
export function ProposalDialog<Values>(props: ProposalDialogProps<Values>) {
  const { draft, title, about, schema, nameField, similar, note, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const form = useForm({
    read: props.read,
    check: props.check,
    draft,
    loginTo: 'send your proposal',
    send: props.send,
    onSent: async (path) => {
      dialog.current?.close();
      await showProposed(path, props.lists);
      if (path) void navigate(path);
    },
    failureOf: (error) => failureText(error, props.notSent),
  });

  return (
    <FormDialog ref={dialog} title={title} form={form} sendLabel="Send" onClose={onClose}>
      {about && <p className="-mt-3 text-ink-soft wrap-anywhere">{about}</p>}
      <DraftNote draft={draft} />
      <Field {...nameField} {...inputLimits(schema, nameField.name)} error={form.problem.errorOf(nameField.name)} />
      <SimilarNames similar={similar} />
      {children(form.problem)}
      <p className="text-sm text-ink-soft">
        <span>
          {proposalMode() === 'open'
            ? 'It is added at once. '
            : 'An admin looks at it first. We mail you what was decided, and you read it under Your reviews. '}
        </span>
        {note && <span>{note}</span>}
      </p>
    </FormDialog>
  );
}

function SimilarNames({ similar }: { similar: readonly SimilarItem[] }) {
  return (
    // Rendered before it has a text, so that screen readers announce the text.
    <div aria-live="polite">
      {similar.length > 0 && (
        <div className="rounded-sm border border-line bg-sunken p-3">
          <p className="font-semibold">Is it one of these?</p>
          <ul>
            {similar.map(({ id, name, detail, path }) => (
              <li key={id} className="flex min-h-touch flex-wrap items-center gap-x-2 wrap-anywhere">
                <TextLink to={path}>
                  <bdi>{name}</bdi>
                </TextLink>
                {detail && <bdi className="text-sm text-ink-soft">{detail}</bdi>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
