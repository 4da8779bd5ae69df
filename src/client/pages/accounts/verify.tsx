import { useNavigate } from 'react-router';
import { resend, verify } from '../../../contract/accounts.ts';
import { PAGES } from '../../../contract/pages.ts';
import { request } from '../../api.ts';
import { notify } from '../../notices.ts';
import { PasscodeForm } from './passcode-form.tsx';

const LINKS = [
  { label: 'Use another email', to: PAGES.signup.path },
  { label: 'Back to login', to: PAGES.login.path },
];

export function Component() {
  const navigate = useNavigate();
  return (
    <PasscodeForm
      heading="Verify your account"
      submitLabel="Verify"
      codeName="verificationCode"
      resendCall={resend}
      links={LINKS}
      send={(email, verificationCode) => request(verify, { body: { email, verificationCode } })}
      onDone={() => {
        notify.success('Verification Successful');
        void navigate(PAGES.login.path);
      }}
    />
  );
}
