import { UNVERIFIED_CODE } from '../../../contract/accounts.ts';
import type { Category } from '../../../contract/categories.ts';
import { BLOCKED_CODE } from '../../../contract/users.ts';
import { type RatePolicy, rateHeaders } from '../limits/rate-headers.ts';
import { MAINTENANCE_CODE, READ_ONLY } from '../maintenance.ts';

/** A call that is refused: the status and the sentence the caller gets. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> = {};
  /** The name of its log event, if it may be an attack. */
  readonly event?: string;
  /** The user of the token because of which the request was refused. */
  readonly userId?: number | undefined;
  /** The limit that was reached. */
  readonly limit?: string;
  /** The field of the call that it is about. A nested one has a path: "review.rating". */
  readonly field?: string;
  /** Distinguishes it from refusals with the same status that a client handles differently. */
  readonly code?: string;
  /** Further properties of the answer, for programs. */
  readonly extraFields: Readonly<Record<string, number | boolean>> = {};

  constructor(status: number, sentence: string, details: RefusalDetails = {}) {
    super(sentence);
    this.status = status;
    Object.assign(this, details);
  }

  /** The body of the answer. */
  toJson(): string {
    return JSON.stringify({ error: this.message, field: this.field, code: this.code, ...this.extraFields });
  }
}

type RefusalDetails = Partial<Pick<Refusal, 'headers' | 'event' | 'userId' | 'limit' | 'code' | 'extraFields'>> & {
  readonly field?: string | undefined;
};

/** The status that is counted for a request whose client has disconnected, as in nginx. It is never sent. */
export const CLIENT_CLOSED_REQUEST = 499;

/** The word for an entry of a category in a 404. */
export const entryWord = ({ entryLabel }: Category) => `${entryLabel} entry`;

const retryAfter = (seconds: number) => ({ 'Retry-After': String(Math.max(1, Math.ceil(seconds))) });

/** Ends an admin's text with a full stop. */
const asSentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`);

const BEARER = { 'WWW-Authenticate': 'Bearer' };

/** Every expected failure in one place, so that the same failure always has the same words. */
export const refusals = {
  /** The school was merged into another one. @param address the same call for the other school */
  merged: (id: number, address: string) =>
    new Refusal(301, `This school was merged into another one, which has the id ${id}.`, {
      headers: { Location: address },
    }),
  badInput: (sentence: string, field?: string) => new Refusal(400, sentence, { field }),
  wrongPasscode: (field: string) =>
    new Refusal(400, 'This passcode is wrong, used up or expired. Check it or ask for a new one.', {
      event: 'passcode-failed',
      field,
    }),
  notSignedIn: () => new Refusal(401, 'Please log in first.', { headers: BEARER }),
  noMetricsToken: () => new Refusal(401, 'Metrics are read with METRICS_TOKEN.', { headers: BEARER }),
  invalidToken: (details: RefusalDetails = {}) =>
    new Refusal(401, 'Your session has ended. Please log in again.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      ...details,
    }),
  /**
   * The same for every reason: a contested account has no password until its owner resets it, and only the owner may
   * know that.
   */
  wrongLogin: () => new Refusal(401, 'The email or the password is wrong.'),
  wrongCurrentPassword: (field = 'currentPassword') => new Refusal(401, 'The current password is wrong.', { field }),
  /** @param hasPasscode whether a mailed passcode can still be entered, or is on its way */
  notVerified: (hasPasscode: boolean) =>
    new Refusal(403, 'This account is not verified yet. Enter the passcode from your email first.', {
      code: UNVERIFIED_CODE,
      extraFields: { hasPasscode },
    }),
  blocked: (reason: string, supportEmail: string) =>
    new Refusal(
      403,
      `Your account is blocked. Reason: ${asSentence(reason)} If you think that this is a mistake, please write to ${supportEmail}.`,
      { code: BLOCKED_CODE },
    ),
  /** The client learns from the header (RFC 6750 §3.1) that the token is one of an admin who was demoted. */
  notAdmin: () =>
    new Refusal(403, 'Only an admin may do this.', {
      event: 'forbidden',
      headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
    }),
  notYours: (thing: string, field?: string) => new Refusal(403, `This ${thing} belongs to somebody else.`, { field }),
  forbidden: (sentence: string) => new Refusal(403, sentence),
  crossSite: () => new Refusal(403, 'Requests from other sites may not change anything here.', { event: 'cross-site' }),
  notFound: (thing: string) => new Refusal(404, `There is no such ${thing}.`),
  /** For the page shown instead of the requested one. */
  pageNotFound: () => new Refusal(404, 'It may have been removed, or the address is mistyped.'),
  /** For a form that is submitted before its script runs, or without a script. The input is not stored. */
  methodNotAllowed: () =>
    new Refusal(405, 'Forms here need JavaScript: nothing was saved. Switch it on, open the page again and send it.', {
      headers: { Allow: 'GET, HEAD' },
    }),
  conflict: (sentence: string, field?: string) => new Refusal(409, sentence, { field }),
  /** A 409 with the ids of what exists already. */
  alreadyExists: (sentence: string, ids: Readonly<Record<string, number>>) =>
    new Refusal(409, sentence, { extraFields: ids }),
  tooLarge: () => new Refusal(413, 'The request is too large. Please send less at once.'),
  /** The connection is closed, because a request that can be read in two ways may hide another one. */
  twoHosts: () => new Refusal(400, 'The request names more than one host.'),
  tooManyPieces: () => new Refusal(400, 'The body comes in too many small pieces.'),
  invalidJson: () => new Refusal(400, 'The body is not valid JSON.'),
  tooDeep: (levels: number) => new Refusal(400, `The body must not be nested more than ${levels} levels deep.`),
  /** The client disconnected before its request was complete, so nobody reads this. */
  clientClosedRequest: () => new Refusal(CLIENT_CLOSED_REQUEST, 'The request was not sent to its end.'),
  notJson: () => new Refusal(415, 'The body must be JSON, sent as application/json.'),
  contentEncoded: () => new Refusal(415, 'The body must be sent as it is, without compression.'),
  tooManyRequests: (sentence: string, retryAfterSeconds: number, policy: RatePolicy) =>
    new Refusal(429, sentence, {
      headers: { ...retryAfter(retryAfterSeconds), ...rateHeaders([{ policy, left: 0, seconds: retryAfterSeconds }]) },
      event: 'limited',
      limit: policy.name,
    }),
  /** For /readyz, which operators and supervisors read. */
  notReady: (reason: string) => new Refusal(503, reason, { headers: retryAfter(2) }),
  readOnly: () =>
    new Refusal(503, `${READ_ONLY} Please try again later.`, { headers: retryAfter(60), code: MAINTENANCE_CODE }),
  unavailable: () =>
    new Refusal(503, 'The service cannot do this right now. Please try again shortly.', { headers: retryAfter(2) }),
};

/** @returns what was found @throws a 404 when nothing was */
export function requireFound<Found>(found: Found | undefined, thing: string): Found {
  if (found === undefined) throw refusals.notFound(thing);
  return found;
}
