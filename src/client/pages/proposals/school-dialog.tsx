import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { inputLimits } from '../../../contract/fields.ts';
import { foldSearch } from '../../../contract/folding.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { proposeSchool } from '../../../contract/proposals.ts';
import { listSchools } from '../../../contract/schools.ts';
import { searchSchools } from '../../../contract/search.ts';
import { callQuery, keyOf, queryClient, request } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/field-frame.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { readField, useFormProblem } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { AlreadyThere, SendRow, thank } from './proposal-form.tsx';

/** As many as fit beside a form. */
const SHOWN = 5;

const limitsOf = (name: string) => inputLimits(proposeSchool.body, name);

/** The schools that the search finds for what is typed. */
function useFoundSchools(typed: string) {
  const q = typed.trim();
  const isSearched = foldSearch(q) !== '';
  const { data } = useQuery({
    ...callQuery(searchSchools, { query: { q, limit: SHOWN } }),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  });
  const schools = isSearched ? (data?.schools ?? []) : [];
  return schools.map(({ id, schoolName, location }) => ({
    ...{ id, name: schoolName, detail: location },
    path: pageAddress(PAGES.school, id),
  }));
}

interface SchoolDialogProps {
  /** What the name begins with. */
  typed: string;
  onClose: () => void;
}

/** The form to propose a school. */
export function SchoolDialog({ typed, onClose }: SchoolDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const [name, setName] = useState(typed);
  const problem = useFormProblem();
  const propose = useGuardedMutation({
    mutationFn: (body: { schoolName: string; location: string; description: string }) =>
      request(proposeSchool, { body }),
    onSuccess: async ({ schoolId }) => {
      dialog.current?.close();
      thank(schoolId !== undefined);
      if (schoolId === undefined) return;
      await Promise.all(
        [listSchools, searchSchools].map((call) => queryClient.invalidateQueries({ queryKey: keyOf(call) })),
      );
      void navigate(pageAddress(PAGES.school, schoolId));
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const body = {
      schoolName: name.trim(),
      location: readField(form, 'location').trim(),
      description: readField(form, 'description').trim(),
    };
    if (body.schoolName === '') return problem.tell([{ field: 'schoolName', text: 'Please name the school.' }], form);
    if (body.location === '') return problem.tell([{ field: 'location', text: 'Please say where it is.' }], form);
    problem.clear();
    propose.mutate(body, { onError: (error) => problem.fail(error, 'The school was not sent: ', form) });
  }

  return (
    <Dialog ref={dialog} title="Add a missing school" onClose={onClose}>
      <form method="post" noValidate onSubmit={submit} className="grid gap-3">
        <FormError>{problem.of()}</FormError>
        <Field
          label="School name"
          name="schoolName"
          {...limitsOf('schoolName')}
          value={name}
          error={problem.of('schoolName')}
          onChange={(event) => setName(event.target.value)}
        />
        <AlreadyThere found={useFoundSchools(name)} />
        <Field
          label="Location"
          name="location"
          {...limitsOf('location')}
          help="City and country, such as Kiel, Germany"
          error={problem.of('location')}
        />
        <TextArea
          label="Description"
          name="description"
          rows={3}
          {...limitsOf('description')}
          help="If you like: what sort of school it is"
          error={problem.of('description')}
        />
        <SendRow isPending={propose.isPending} onCancel={() => dialog.current?.close()} />
      </form>
    </Dialog>
  );
}
