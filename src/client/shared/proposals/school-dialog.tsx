import { keepPreviousData } from '@tanstack/react-query';
import { inputLimits } from '../../../contract/fields.ts';
import { foldSearch } from '../../../contract/folding.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { proposeSchool } from '../../../contract/proposals.ts';
import { listSchools } from '../../../contract/schools.ts';
import { searchSchools } from '../../../contract/search.ts';
import { request } from '../../api.ts';
import { Field, TextArea } from '../../components/form/fields.tsx';
import { useDraft } from '../../draft.tsx';
import { useRead } from '../../page.ts';
import { ProposalDialog, SIMILAR_MAX } from './proposal-dialog.tsx';

const limitsOf = (name: string) => inputLimits(proposeSchool.body, name);

/** The schools that the search finds for what is typed. */
function useFoundSchools(typed: string) {
  const q = typed.trim();
  const isSearched = foldSearch(q) !== '';
  const { data } = useRead(
    searchSchools,
    { query: { q, limit: SIMILAR_MAX } },
    { enabled: isSearched, placeholderData: keepPreviousData },
  );
  const schools = isSearched ? (data?.schools ?? []) : [];
  return schools.map(({ id, schoolName, location }) => ({
    ...{ id, name: schoolName, detail: location },
    path: pageAddress(PAGES.school, id),
  }));
}

interface SchoolDialogProps {
  /** The name of the form. */
  form: string;
  /** The name that the form is filled with at first. */
  typed: string;
  onClose: () => void;
}

/** The form to propose a school. */
export function SchoolDialog({ form, typed, onClose }: SchoolDialogProps) {
  const draft = useDraft(form, { schoolName: typed, location: '', description: '' });
  const { schoolName: name, location, description } = draft.values;
  const similar = useFoundSchools(name);
  return (
    <ProposalDialog
      draft={draft}
      title="Add a missing school"
      schema={proposeSchool.body}
      nameField={{ name: 'schoolName', label: 'School name', ...draft.text('schoolName') }}
      similar={similar}
      read={() => ({ schoolName: name.trim(), location: location.trim(), description: description.trim() })}
      check={(values) => {
        if (values.schoolName === '') return [{ field: 'schoolName', text: 'Please name the school.' }];
        return values.location === '' ? [{ field: 'location', text: 'Please say where it is.' }] : [];
      }}
      send={async (body) => {
        const { schoolId } = await request(proposeSchool, { body });
        return schoolId === undefined ? undefined : pageAddress(PAGES.school, schoolId);
      }}
      notSent="The school was not sent: "
      lists={[listSchools, searchSchools]}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Field
            label="Location"
            {...problem.field('location')}
            {...limitsOf('location')}
            {...draft.text('location')}
            help="City and country, such as Kiel, Germany"
          />
          <TextArea
            label="Description"
            {...problem.field('description')}
            rows={3}
            {...limitsOf('description')}
            {...draft.text('description')}
            help="If you like: what sort of school it is"
          />
        </>
      )}
    </ProposalDialog>
  );
}
