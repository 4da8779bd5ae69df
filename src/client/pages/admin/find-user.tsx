import { useNavigate } from 'react-router';
import { INVALID_EMAIL, looksLikeEmail } from '../../../contract/email.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { findUser } from '../../../contract/user-state.ts';
import { CallError, failureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, FormError } from '../../components/form/fields.tsx';
import { useForm } from '../../form.ts';
import { readField } from '../../form-problem.ts';

/** Opens the page of the person with an email, which is noted in the audit trail. */
export function FindUser() {
  const navigate = useNavigate();
  const { onSubmit, problem, isPending } = useForm({
    read: (form) => readField(form, 'email').trim(),
    check: (email) => (looksLikeEmail(email) ? [] : [{ text: INVALID_EMAIL, field: 'email' }]),
    send: (email) => request(findUser, { body: { email } }),
    onSuccess: ({ id }) => void navigate(pageAddress(PAGES.adminUser, id)),
    failureOf: (error) =>
      error instanceof CallError && error.status === 404
        ? 'No account has this email.'
        : failureText(error, 'The user was not found: '),
  });
  return (
    <form onSubmit={onSubmit} noValidate className="no-print flex flex-wrap items-end gap-2">
      <FormError>{problem.errorOf()}</FormError>
      <Field label="Find by email" {...problem.field('email')} type="email" autoComplete="off" className="w-56" />
      <Button type="submit" variant="quiet" isPending={isPending}>
        Find
      </Button>
    </form>
  );
}
