import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ADMIN_PASSWORD_ADVISED, createAdmin, grantAdmin, revokeAdmin } from '../accounts/admins.ts';
import type { Database } from '../database/database.ts';
import { readAdminPassword, type Settings } from '../settings/settings.ts';
import { type CommandHelp, openForCommand, print, runCommand, wrongUsage } from './command.ts';

const HELP: CommandHelp = {
  usage: 'npm run admin -- create EMAIL USERNAME | grant EMAIL | revoke EMAIL',
  about: 'Makes admins. Each change is noted in the audit trail.',
  parts: {
    'create EMAIL USERNAME': 'a new, verified admin, with ADMIN_PASSWORD or a generated password',
    'grant EMAIL': 'makes somebody with an account an admin',
    'revoke EMAIL': 'makes an admin a user again',
  },
};

/** 128 bits, in characters that need no quoting in a shell or a mail. */
const GENERATED_BYTES = 16;

type Action = (database: Database, names: string[], settings: Settings) => Promise<void>;

const create: Action = async (database, [email = '', username = ''], { siteName }) => {
  const given = readAdminPassword();
  const password = given ?? randomBytes(GENERATED_BYTES).toString('base64url');
  await createAdmin(database, { email, username, password }, { siteName, now: Date.now() });
  print(`Created the admin ${username} <${email}>.`);
  print(given ? 'The password is the one in ADMIN_PASSWORD.' : `Password: ${password}`);
  if (password.length < ADMIN_PASSWORD_ADVISED) {
    print(`For an admin ${ADMIN_PASSWORD_ADVISED} characters or more are better: reset it when you can.`);
  }
};

const grant: Action = async (database, [email = '']) => {
  const username = await grantAdmin(database, email, Date.now());
  print(username ? `${username} <${email}> is an admin now.` : `${email} is an admin already.`);
};

const revoke: Action = async (database, [email = '']) => {
  const username = await revokeAdmin(database, email, Date.now());
  print(username ? `${username} <${email}> is no longer an admin.` : `${email} is no admin.`);
};

const ACTIONS: Record<string, { run: Action; names: number }> = {
  create: { run: create, names: 2 },
  grant: { run: grant, names: 1 },
  revoke: { run: revoke, names: 1 },
};

await runCommand(HELP, async (settings, args) => {
  const [verb = '', ...names] = parseArgs({ args, allowPositionals: true }).positionals;
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
  if (!action || names.length !== action.names) throw wrongUsage(HELP);
  const database = await openForCommand(settings);
  try {
    await action.run(database, names, settings);
  } finally {
    await database.close();
  }
});
