import type { Page, Request } from 'playwright/test';
import { NAMES } from './names-table.ts';

const PROFILE = ['location', 'major', 'academicLevel', 'campusSetting', 'finance', 'goals', 'living', 'personal'];

/**
 * The fields of every read that the specification names (§3, §7), by the name of its call: written out by hand, like
 * the table of names. All other reads are additions.
 */
const SPECIFIED: ReadonlyMap<string, readonly string[]> = new Map([
  ['schools', ['id', 'schoolName']],
  ['getSchool', ['schoolName', 'description', 'location']],
  ['getUsers', ['id', 'username', 'isAdmin']],
  ['getProfile', ['userId', ...PROFILE]],
  ...NAMES.flatMap((row): [string, string[]][] => [
    [row.list, ['id', row.nameField, 'description', 'schoolId']],
    [row.lookup, [row.nameField]],
    [row.reviews, ['id', 'review', 'rating', 'createdAt', 'username']],
    [row.average, ['averageRating']],
    [row.total, ['totalReviews']],
    [row.leaderboard, ['schoolName', 'averageRating']],
  ]),
]);

/** Leaves only some fields of an answer, or of each item of a list. */
function pick(answer: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(answer)) return answer.map((item) => pick(item, fields));
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => fields.includes(name)));
}

/**
 * Answers the calls of a page like a product that implements only the specification: leaves only the specified fields.
 * @param added the answer to every other read
 * @returns how many calls are not answered yet
 */
export async function answerAsSpecified(page: Page, added: { status: number; json: unknown }): Promise<() => number> {
  const pending = new Set<Request>();
  page.on('request', (request) => request.url().includes('/auth/') && pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  await page.route('**/auth/**', async (route) => {
    const fields = SPECIFIED.get(new URL(route.request().url()).pathname.split('/')[2] ?? '');
    if (route.request().method() !== 'GET') return route.continue();
    if (!fields) return route.fulfill(added);
    const response = await route.fetch();
    await route.fulfill({ response, json: pick(await response.json(), fields) });
  });
  // The documents carry whole answers, which their scripts must not find.
  await page.route(
    (url) => !url.pathname.includes('.'),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      const body = (await response.text()).replace('id="reads"', 'id="unread"');
      await route.fulfill({ response, body });
    },
  );
  return () => pending.size;
}

/** The address of a page with a query that it does not know, so that the browser renders the page by itself. */
export const withUnknownQuery = (address: string) => `${address}?anew`;
