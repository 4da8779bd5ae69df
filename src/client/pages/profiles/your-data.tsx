import { useNavigate } from 'react-router';
import { deleteMyAccount, downloadMyData } from '../../../contract/my-account.ts';
import { PAGES } from '../../../contract/pages.ts';
import { actionFailureText, request } from '../../api.ts';
import { DisclosureCard } from '../../components/feedback/disclosure-card.tsx';
import { Button } from '../../components/form/button.tsx';
import { FieldError, FormError } from '../../components/form/fields.tsx';
import { missingPasswordProblems, readField, useForm } from '../../form.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { saveFile } from '../../save-file.ts';
import { endSession } from '../../session.ts';
import { PasswordField } from '../../shared/accounts/password-fields.tsx';

/** Lets users download their data and delete their account. */
export function YourData() {
  return (
    <DisclosureCard summary="Your data" className="no-print max-w-prose">
      <div className="grid gap-8">
        <Download />
        <DeleteAccount />
      </div>
    </DisclosureCard>
  );
}

function Download() {
  const download = useGuardedMutation({
    mutationFn: () => request(downloadMyData),
    onSuccess: (data) => saveFile('my-data.json', `${JSON.stringify(data, null, 2)}\n`, 'application/json'),
    onError: (cause) => notify.failure(actionFailureText(cause, 'Your data was not downloaded.')),
  });
  return (
    <section aria-labelledby="download-title" className="grid justify-items-start gap-3">
      <h2 id="download-title" className="text-lg">
        Take it with you
      </h2>
      <p>
        One file (JSON) with all that is stored about you: account, profile, reviews, appeals, reports, proposals, saved
        schools, helpful marks and sessions.
      </p>
      <Button variant="quiet" isPending={download.isPending} onClick={() => download.mutate()}>
        Download your data
      </Button>
    </section>
  );
}

const CHOICES = { keep: 'Keep my reviews, without my name', delete: 'Delete my reviews' } as const;
type Choice = keyof typeof CHOICES;

const isChoice = (value: string): value is Choice => value in CHOICES;

function DeleteAccount() {
  const navigate = useNavigate();
  const { problem, onSubmit, isPending } = useForm({
    read: (form) => ({ reviews: readField(form, 'reviews'), password: readField(form, 'password') }),
    check: ({ reviews, password }) => [
      ...(isChoice(reviews) ? [] : [{ text: 'Please choose what becomes of your reviews.', field: 'reviews' }]),
      ...missingPasswordProblems(password),
    ],
    // Safe: the check lets nothing else through.
    send: ({ reviews, password }) => request(deleteMyAccount, { body: { password, reviews: reviews as Choice } }),
    onSent: () => {
      endSession('logout');
      notify.success('Your account is deleted.');
      navigate(PAGES.dashboard.path);
    },
    failureOf: (error) => actionFailureText(error, 'Your account was not deleted.'),
  });
  const choiceProblem = problem.errorOf('reviews');
  return (
    <form method="post" noValidate aria-labelledby="leave-title" onSubmit={onSubmit} className="grid gap-4">
      <h2 id="leave-title" className="text-lg">
        Leave for good
      </h2>
      <p>
        This deletes the account, without Undo. You are logged out everywhere, and your profile, saved schools, helpful
        marks, appeals and proposals that wait go with it.
      </p>
      <FormError>{problem.errorOf()}</FormError>
      <fieldset aria-describedby={choiceProblem ? 'choice-problem' : undefined}>
        <legend className="font-semibold">Your reviews</legend>
        <p className="text-sm text-ink-soft">
          Kept reviews are nobody's: you can neither edit nor delete them afterwards. Deleted ones no longer count.
        </p>
        {Object.entries(CHOICES).map(([value, label]) => (
          <label key={value} className="flex min-h-touch cursor-pointer items-center gap-3">
            <input type="radio" name="reviews" value={value} className="radio" />
            {label}
          </label>
        ))}
        <FieldError id="choice-problem">{choiceProblem}</FieldError>
      </fieldset>
      <PasswordField label="Password" {...problem.field('password')} autoComplete="current-password" />
      <Button type="submit" variant="danger" className="justify-self-start" isPending={isPending}>
        Delete my account
      </Button>
    </form>
  );
}
