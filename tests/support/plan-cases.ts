import { ACCOUNTS } from './plan-cases/accounts.ts';
import { ADMINISTRATION } from './plan-cases/administration.ts';
import { EVERY_CALL } from './plan-cases/every-call.ts';
import { READING } from './plan-cases/reading.ts';
import { WRITING } from './plan-cases/writing.ts';
import type { Case } from './plan-site.ts';

/** Everything that people wait for, and what runs by itself beside them, in the order in which it is done. */
export const CASES: Case[] = [...READING, ...WRITING, ...ACCOUNTS, ...ADMINISTRATION, ...EVERY_CALL];
