import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inputLimits } from '../../../contract/fields.ts';
import { foldSearch } from '../../../contract/folding.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { proposeSchool } from '../../../contract/proposals.ts';
import { listSchools } from '../../../contract/schools.ts';
import { searchSchools } from '../../../contract/search.ts';
import { callQuery, request } from '../../api.ts';
import { Field, TextArea } from '../../components/form/fields.tsx';
import { readField } from '../../form-problem.ts';
import { ProposalDialog, SIMILAR_MAX } from './proposal-dialog.tsx';

const limitsOf = (name: string) => inputLimits(proposeSchool.body, name);

/** The schools that the search finds for what is typed. */
function useFoundSchools(typed: string) {
  const q = typed.trim();
  const isSearched = foldSearch(q) !== '';
  const { data } = useQuery({
    ...callQuery(searchSchools, { query: { q, limit: SIMILAR_MAX } }),
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
  const [name, setName] = useState(typed);
  const similar = useFoundSchools(name);
  return (
    <ProposalDialog
      title="Add a missing school"
      schema={proposeSchool.body}
      nameField={{ name: 'schoolName', label: 'School name' }}
      name={name}
      onName={setName}
      similar={similar}
      read={(form) => ({
        schoolName: name.trim(),
        location: readField(form, 'location').trim(),
        description: readField(form, 'description').trim(),
      })}
      check={({ schoolName, location }) => {
        if (schoolName === '') return [{ field: 'schoolName', text: 'Please name the school.' }];
        return location === '' ? [{ field: 'location', text: 'Please say where it is.' }] : [];
      }}
      send={(body) => request(proposeSchool, { body })}
      notSent="The school was not sent: "
      pathOf={({ schoolId }) => (schoolId === undefined ? undefined : pageAddress(PAGES.school, schoolId))}
      lists={[listSchools, searchSchools]}
      onClose={onClose}
    >
      {(problem) => (
        <>
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
        </>
      )}
    </ProposalDialog>
  );
}
