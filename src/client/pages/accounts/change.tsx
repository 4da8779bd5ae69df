import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { resendForgot, resetPassword } from '../../../contract/accounts.ts';
import { PAGES } from '../../../contract/pages.ts';
import { CallError, request } from '../../api.ts';
import { notify } from '../../notices.ts';
import { readField } from './form-problem.ts';
import { NewPasswordFields, readNewPassword } from './new-password-fields.tsx';
import { PasscodeForm } from './passcode-form.tsx';
import { heldPassword, holdPassword } from './pending-password.ts';

export function Component() {
  const navigate = useNavigate();
  const [held, setHeld] = useState(heldPassword);
  // The memory outlives the page only as long as the page needs it.
  useEffect(() => () => holdPassword(undefined), []);

  async function reset(email: string, forgotCode: string, form: HTMLFormElement): Promise<void> {
    const newPassword = held ?? readField(form, 'newPassword');
    try {
      await request(resetPassword, { body: { email, forgotCode, newPassword } });
    } catch (error) {
      // A password the server will not take has to be typed anew, and here is the only place for it.
      if (error instanceof CallError && error.status === 400 && error.message.includes('password')) setHeld(undefined);
      throw error;
    }
  }

  return (
    <PasscodeForm
      heading="Change your password"
      submitLabel="Verify"
      resendCall={resendForgot}
      extra={
        held === undefined
          ? {
              fields: (problem) => <NewPasswordFields problem={problem} />,
              read: (form, problem) => readNewPassword(form, problem) !== undefined,
            }
          : undefined
      }
      send={reset}
      onDone={() => {
        notify.success('Verification Successful');
        void navigate(PAGES.login.path);
      }}
    />
  );
}
