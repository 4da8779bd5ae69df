import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { NUMBERS_DAYS } from '../../contract/site-numbers.ts';
import { ADMIN_PASSWORD_ADVISED, createAdmin, grantAdmin, revokeAdmin } from '../accounts/admins.ts';
import { readSecretFingerprint } from '../security/secrets.ts';
import { readAdminPassword, type Settings } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  createCommand,
  openForCommand,
  print,
  runAsProcess,
  wrongUsage,
} from './command.ts';
import { type Action, generatePassword, PERSON_ACTIONS, toolsForCommand } from './person-actions.ts';

const create: Action = async ({ database }, [email = '', username = ''], { settings: { siteName }, env }) => {
  const given = readAdminPassword(env);
  const password = given ?? generatePassword();
  await createAdmin(database, { email, username, password }, { siteName, now: Date.now() });
  const advice = `For an admin ${ADMIN_PASSWORD_ADVISED} characters or more are better: reset it when you can.`;
  return {
    lines: [
      `Created the admin ${username} <${email}>.`,
      given ? 'The password is the one in ADMIN_PASSWORD.' : `Password: ${password}`,
      ...(password.length < ADMIN_PASSWORD_ADVISED ? [advice] : []),
    ],
    json: { username, email, ...(!given && { password }) },
  };
};

const grant: Action = async ({ database }, [email = '']) => {
  const username = await grantAdmin(database, email, Date.now());
  const line = username ? `${username} <${email}> is an admin now.` : `${email} is an admin already.`;
  return { lines: [line], json: { isNew: username !== undefined } };
};

const revoke: Action = async ({ database }, [email = '']) => {
  const username = await revokeAdmin(database, email, Date.now());
  const line = username ? `${username} <${email}> is no longer an admin.` : `${email} is no admin.`;
  return { lines: [line], json: { wasAdmin: username !== undefined } };
};

const ACTIONS: typeof PERSON_ACTIONS = {
  create: {
    run: create,
    operands: ['EMAIL', 'USERNAME'],
    about: 'a new, verified admin, with ADMIN_PASSWORD or a generated password',
  },
  grant: { run: grant, operands: ['EMAIL'], about: 'makes somebody with an account an admin' },
  revoke: { run: revoke, operands: ['EMAIL'], about: 'makes an admin a user again' },
  ...PERSON_ACTIONS,
};

const HELP: CommandHelp = {
  usage: 'npm run admin -- ACTION [EMAIL …] [--json]',
  about: 'Makes admins and helps one person. Each act is noted in the audit trail.',
  parts: {
    ...Object.fromEntries(
      Object.entries(ACTIONS).map(([verb, { operands, about }]) => [[verb, ...operands].join(' '), about]),
    ),
    '--days N': `of how many days the numbers are, at most ${NUMBERS_DAYS.max}`,
    '--json': 'prints the result for a script',
  },
};

/** Requires that the database exists. With wrong settings a command would create one, and find no account in it. */
function requireDatabase({ database, dataDir }: Settings): void {
  if (!('sqlite' in database) || existsSync(database.sqlite)) return;
  throw new CommandError(`There is no database in ${dataDir}. Run this with the server's DATA_DIR or DATABASE_URL.`);
}

/** Requires that the secret exists: with a new one, a command would not find the limits that the server has stored. */
function requireSecret({ tokenSecret, dataDir }: Settings): void {
  if (readSecretFingerprint(tokenSecret, dataDir) !== undefined) return;
  throw new CommandError(`There is no token-secret in ${dataDir}. Run this with the server's TOKEN_SECRET.`);
}

export const run = createCommand(HELP, async (settings, args, env) => {
  const options = { json: { type: 'boolean', default: false }, days: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
  const [verb = '', ...operands] = positionals;
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
  const days = Number(values.days ?? NUMBERS_DAYS.usual);
  if (!action || operands.length !== action.operands.length) throw wrongUsage(HELP);
  if (!Number.isInteger(days) || days < 1 || days > NUMBERS_DAYS.max) {
    throw new CommandError(`--days is "${values.days}". Allowed: a whole number from 1 to ${NUMBERS_DAYS.max}.`);
  }
  // The first admin may be made before the first start.
  if (verb !== 'create') requireDatabase(settings);
  if (Object.hasOwn(PERSON_ACTIONS, verb)) requireSecret(settings);
  await using database = await openForCommand(settings);
  const { lines, json } = await action.run(toolsForCommand(database, settings), operands, { settings, days, env });
  if (values.json) print(JSON.stringify(json));
  else for (const line of lines) print(line);
});

if (import.meta.main) await runAsProcess(run);
