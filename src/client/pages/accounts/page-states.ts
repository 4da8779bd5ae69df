// What account pages hand to each other in the state of a navigation, which outlives a reload. No password and no code:
// browsers write it to disk.

/** For /login. */
export interface LoginState {
  /** The mailbox that was just verified. */
  readonly email: string;
}

/** For /verify. */
export interface PasscodeState {
  /** Whether there is no passcode that could be entered. */
  readonly needsResend: boolean;
}
