import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { isAcceptedEmail } from '../../contract/email.ts';
import { foldCase } from '../../contract/folding.ts';
import { csvOfNumbers } from '../../contract/site-numbers.ts';
import {
  describeUserState,
  MAIL_STATE_TEXTS,
  MAIL_TEXTS,
  momentText,
  REFUSAL_REASON_TEXTS,
} from '../../contract/user-sentences.ts';
import type { AccountTools } from '../accounts/account-tools.ts';
import { requireUser } from '../accounts/admins.ts';
import { deleteAccount, readMyData } from '../accounts/mine/own-data.ts';
import { markVerified, setPassword } from '../accounts/queries.ts';
import { deleteSessions } from '../accounts/session-queries.ts';
import { MAIL_NAMES } from '../accounts/state/queries.ts';
import { mailVerification, readUserState, unlockAccount } from '../accounts/state/user-state.ts';
import { recordCommand } from '../audit/queries.ts';
import type { Commit, Connection, Database } from '../database/database.ts';
import type { UserRow } from '../database/tables.ts';
import { clientBlock } from '../http/limits/addresses.ts';
import { createThrottles } from '../http/limits/throttle.ts';
import { MAINTENANCE_MODES, writeMode } from '../http/maintenance.ts';
import { insertMail, listQueued, makeDue } from '../mail/queries.ts';
import { countReviewedSchools, listNumbers } from '../numbers/queries.ts';
import { hashPassword } from '../security/passwords.ts';
import { keyedHash, openKeys, pseudonym } from '../security/secrets.ts';
import { MAINTENANCE_FILE, type Settings } from '../settings/settings.ts';
import { CommandError } from './command.ts';

/** The output of an action: lines for people, or a value for scripts. */
interface ActionOutput {
  readonly lines: readonly string[];
  readonly json: unknown;
}

interface ActionOptions {
  readonly settings: Settings;
  readonly days: number;
  readonly env: NodeJS.ProcessEnv | undefined;
}

export type Action = (tools: AccountTools, operands: string[], options: ActionOptions) => Promise<ActionOutput>;

const outputOf = (line: string, json: object = {}): ActionOutput => ({ lines: [line], json });

/** The tools that the functions of accounts need, for a command: it only queues mails, and a server sends them. */
export function toolsForCommand(database: Database, settings: Settings): AccountTools {
  const { siteName, supportEmail, tokenSecret, previousTokenSecret, dataDir } = settings;
  const keys = openKeys(tokenSecret, dataDir, previousTokenSecret);
  const now = Date.now;
  return {
    ...{ database, keys, siteName, supportEmail, now },
    throttles: createThrottles((...hashed) => keyedHash(keys.throttle, ...hashed), settings.rateLimit),
    outbox: { queue: (db, _commit, mail) => insertMail(db, mail, now()) },
  };
}

/** Makes an action that does something for the owner of a mailbox and records it in the audit trail. */
function forPerson<T>(
  act: string,
  work: (tools: AccountTools, db: Connection, user: UserRow, commit: Commit) => Promise<T>,
  say: (user: UserRow, result: T) => ActionOutput,
): (tools: AccountTools, operands: string[]) => Promise<ActionOutput> {
  return async (tools, [email = '']) => {
    const { user, result } = await tools.database.write(async (db, commit) => {
      const found = await requireUser(db, email);
      await recordCommand(db, act, found.id, tools.now());
      return { user: found, result: await work(tools, db, found, commit) };
    });
    return say(user, result);
  };
}

const explain = forPerson('admin explain', readUserState, ({ email }, state) => ({
  lines: [
    `${state.username} <${email}>, user ${state.id}`,
    ...describeUserState(state),
    ...state.refusedLogins.map(
      ({ at, reason }) => `  ${momentText(at)}  login refused: ${REFUSAL_REASON_TEXTS[reason]}`,
    ),
    ...state.mails.map(
      (mail) => `  ${momentText(mail.at)}  ${MAIL_TEXTS[mail.purpose]}: ${MAIL_STATE_TEXTS[mail.state]}`,
    ),
  ],
  json: state,
}));

const unlock = forPerson('admin unlock', unlockAccount, ({ email }) => outputOf(`${email} is not locked any more.`));

const passcode = forPerson(
  'admin passcode',
  (tools, db, user, commit) => mailVerification(tools, db, commit, user),
  ({ email }) => outputOf(`A passcode to ${email} waits for the server, which mails it within 15 seconds.`),
);

const verify = forPerson(
  'admin verify',
  async ({ now }, db, user) => {
    if (user.verified_at === null) await markVerified(db, user, now());
    return user.verified_at === null;
  },
  ({ email, is_contested: isContested }, isNew) =>
    outputOf(
      isNew
        ? `${email} is verified now.${isContested === 1 ? ' It has no password until its owner sets one with "Forgot password".' : ''}`
        : `${email} is verified already.`,
      { isNew },
    ),
);

const logout = forPerson(
  'admin logout',
  (_tools, db, { id }) => deleteSessions(db, id),
  ({ email }) => outputOf(`${email} is logged out everywhere.`),
);

/** 128 bits, in characters that need no quoting in a shell or a mail. */
const GENERATED_BYTES = 16;

export const generatePassword = () => randomBytes(GENERATED_BYTES).toString('base64url');

const password: Action = async (tools, operands) => {
  const generated = generatePassword();
  const hash = await hashPassword(generated);
  const set = forPerson(
    'admin password',
    async (_tools, db, user) => {
      await setPassword(db, user.id, hash);
      await deleteSessions(db, user.id);
      await unlockAccount(tools, db, user);
    },
    ({ email }) => ({
      lines: [
        `${email} has a new password and is logged out everywhere. Tell them to change it.`,
        `Password: ${generated}`,
      ],
      json: { password: generated },
    }),
  );
  return set(tools, operands);
};

const exportPerson = forPerson(
  'admin export',
  ({ now }, db, { id, username, created_at, is_admin }) => {
    const caller = { userId: id, username, tokenUsername: username, isAdmin: is_admin === 1, joinedAt: created_at };
    return readMyData(db, { ...caller, sessionId: '' }, now());
  },
  (_user, data) => ({ lines: [JSON.stringify(data, null, 2)], json: data }),
);

const deletePerson: Action = async (tools, [email = '']) => {
  const user = await requireUser(tools.database.read, email);
  await deleteAccount(tools, user, 'keep', (db) => recordCommand(db, 'admin delete', user.id, tools.now()));
  return outputOf(`${user.username} <${user.email}> is deleted. Their reviews stay, without a name.`);
};

/**
 * The recipient of a mail about an account. For a mail about a review it is left out, because it would reveal the
 * author.
 */
const recipientOf = ({ purpose, userId }: { purpose: string; userId: number }) =>
  Object.hasOwn(MAIL_NAMES, purpose) ? { userId } : {};

const outbox: Action = async ({ database, now }) => {
  const mails = (await listQueued(database.read)).map(({ id, purpose, userId, createdAt, dueAt, attempts }) => ({
    ...{ id, purpose, ...recipientOf({ purpose, userId }), attempts },
    createdAt: new Date(createdAt).toISOString(),
    dueAt: new Date(dueAt).toISOString(),
  }));
  const lines = mails.map(({ id, purpose, userId, attempts, createdAt, dueAt }) => {
    const tries = `since ${momentText(createdAt)}, ${attempts} tries, next ${momentText(dueAt)}`;
    // A mail that sums up an hour is stored as created at the end of that hour.
    const waits = Date.parse(createdAt) > now() ? `not before ${momentText(dueAt)}` : tries;
    return `${id}  ${purpose}${userId ? ` to user ${userId}` : ''}, ${waits}`;
  });
  return { lines: lines.length > 0 ? lines : ['No mail waits.'], json: mails };
};

const resend: Action = async ({ database, now }, [id = '']) => {
  const recipient = await database.write(async (db) => {
    const mail = await makeDue(db, Number(id), now());
    if (!mail) throw new CommandError(`No mail ${id} waits. "outbox" lists those that do.`);
    const shown: { userId?: number } = recipientOf(mail);
    await recordCommand(db, 'admin resend', shown.userId ?? null, now());
    return shown;
  });
  return outputOf(`Mail ${id} is tried again within 15 seconds.`, recipient);
};

const maintenance: Action = async (_tools, [mode = ''], { settings: { dataDir } }) => {
  const known = MAINTENANCE_MODES.find((one) => one === mode);
  if (!known) throw new CommandError(`The mode is "${mode}". Allowed: ${MAINTENANCE_MODES.join(', ')}.`);
  writeMode(join(dataDir, MAINTENANCE_FILE), known);
  return outputOf(
    mode === 'read'
      ? 'Within a second nothing can be saved, and pages say so.'
      : 'Within a second all can be saved again.',
    { mode },
  );
};

/** Prints the pseudonym of an account or an address in the log. */
const key: Action = async ({ keys }, [subject = '']) => {
  if (!isAcceptedEmail(subject) && !isIP(subject))
    throw new CommandError(`"${subject}" is neither an email nor an address.`);
  const [kind, value] = isAcceptedEmail(subject)
    ? (['account', foldCase(subject)] as const)
    : (['address', clientBlock(subject)] as const);
  const mark = pseudonym(keys, kind, value);
  return outputOf(`"${kind}":"${mark}"`, { [kind]: mark });
};

const numbers: Action = async ({ database: { read }, now }, _operands, { days }) => {
  const rows = await listNumbers(read, { days, schools: await countReviewedSchools(read) }, now());
  return { lines: csvOfNumbers(rows).trimEnd().split('\r\n'), json: rows };
};

/** The actions besides those that make admins, each with its arguments. */
export const PERSON_ACTIONS: Readonly<Record<string, { run: Action; operands: readonly string[]; about: string }>> = {
  explain: { run: explain, operands: ['EMAIL'], about: 'says whether somebody can log in, and if not, why' },
  unlock: { run: unlock, operands: ['EMAIL'], about: 'forgets the wrong passwords and passcodes that lock an account' },
  passcode: { run: passcode, operands: ['EMAIL'], about: 'mails a new passcode to somebody who has not verified' },
  verify: { run: verify, operands: ['EMAIL'], about: 'makes an account verified without a passcode' },
  logout: { run: logout, operands: ['EMAIL'], about: 'ends all sessions of an account' },
  password: { run: password, operands: ['EMAIL'], about: 'sets and prints a new password' },
  export: { run: exportPerson, operands: ['EMAIL'], about: 'prints everything that is stored about somebody' },
  delete: {
    run: deletePerson,
    operands: ['EMAIL'],
    about: 'deletes an account for good; its reviews stay without a name',
  },
  outbox: { run: outbox, operands: [], about: 'lists the mails that wait' },
  resend: { run: resend, operands: ['ID'], about: 'tries a mail that waits again at once' },
  numbers: { run: numbers, operands: [], about: 'prints how many signed up, posted and so on, day by day; --days N' },
  maintenance: { run: maintenance, operands: ['read|off'], about: 'lets the site be read alone, or used again' },
  key: { run: key, operands: ['EMAIL|ADDRESS'], about: 'prints what stands for an account or address in the log' },
};
