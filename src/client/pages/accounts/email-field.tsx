import { INVALID_EMAIL, looksLikeEmail } from '../../../contract/email.ts';
import { Field } from '../../components/form/fields.tsx';
import type { FormProblem, Problem } from '../../form-problem.ts';

interface EmailFieldProps {
  problem: FormProblem;
  /** What a browser or password manager fills in. */
  autoComplete?: 'email' | 'username';
}

/** The field for an email address. */
export function EmailField({ problem, autoComplete = 'email' }: EmailFieldProps) {
  return (
    <Field
      label="Email"
      {...problem.field('email')}
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      required
    />
  );
}

/** The error of an email address. @param isValid a stricter check, for creating an account */
export function emailProblems(email: string, isValid: (email: string) => boolean = looksLikeEmail): Problem[] {
  return isValid(email) ? [] : [{ text: INVALID_EMAIL, field: 'email', isAlert: true }];
}
