import { ACCOUNTS } from './plan-cases/accounts.ts';
import { ADMINISTRATION } from './plan-cases/administration.ts';
import { EVERY_CALL } from './plan-cases/every-call.ts';
import { READING } from './plan-cases/reading.ts';
import { WRITING } from './plan-cases/writing.ts';
import type { Case } from './plan-site.ts';

/** All requests that people wait for, and the work in the background, in the order of the test. */
export const CASES: Case[] = [...READING, ...WRITING, ...ACCOUNTS, ...ADMINISTRATION, ...EVERY_CALL];
