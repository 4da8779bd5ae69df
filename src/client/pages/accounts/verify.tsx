import { useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { resend, verify } from '../../../contract/accounts.ts';
import { PAGES } from '../../../contract/pages.ts';
import { request } from '../../api.ts';
import { PasscodeForm, type VerifyLocationState } from './passcode-form.tsx';

const LINKS = [
  { label: 'Use another email', to: PAGES.signup.path },
  { label: 'Back to login', to: PAGES.login.path },
];

export function Component() {
  const state: VerifyLocationState | null = useLocation().state;
  const [needsResend, setNeedsResend] = useState(false);
  // After the first rendering, which must match the server's: the state outlives a reload.
  useLayoutEffect(() => setNeedsResend(state?.needsResend === true), [state]);
  return (
    <PasscodeForm
      heading="Verify your account"
      intro={(email, isSentAgain) => (
        <>
          <span className="block">
            {needsResend && !isSentAgain
              ? 'Press Resend for a new passcode.'
              : 'Enter the passcode from your email, or press Resend.'}
          </span>
          {email !== undefined && <span className="block wrap-anywhere">{email}</span>}
        </>
      )}
      codeName="verificationCode"
      resendCall={resend}
      links={LINKS}
      send={(email, verificationCode) => request(verify, { body: { email, verificationCode } })}
    />
  );
}
