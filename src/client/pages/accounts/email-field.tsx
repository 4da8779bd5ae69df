import { INVALID_EMAIL, isTypedEmail } from '../../../contract/email.ts';
import { Field } from '../../components/field.tsx';
import type { FormProblem, Problem } from '../../form-problem.ts';

/** Where somebody enters the address of their mailbox. */
export function EmailField({ problem }: { problem: FormProblem }) {
  return (
    <Field
      label="Email"
      name="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      required
      error={problem.of('email')}
    />
  );
}

/** What is wrong with it. @param isRight more than a typed address must be, where an account is made with it */
export function emailProblems(email: string, isRight: (email: string) => boolean = isTypedEmail): Problem[] {
  return isRight(email) ? [] : [{ text: INVALID_EMAIL, field: 'email', isAlert: true }];
}
