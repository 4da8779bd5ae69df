import { once } from 'node:events';
import { createServer, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page, Request } from 'playwright/test';
import { NAMES } from './names-table.ts';
import type { RunningProduct } from './rows.ts';

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

/** What is answered to every read that the specification does not name. */
export interface AddedAnswer {
  readonly status: number;
  readonly json: unknown;
}

/**
 * Serves a product as if it implemented only the specification: leaves only the specified fields. It is a server and no
 * route of the page: a page with a route takes nothing from the browser's cache.
 */
export async function serveAsSpecified({ url }: Pick<RunningProduct, 'url'>, added: AddedAnswer) {
  const { hostname, port } = new URL(url);
  const server = createServer((request, response) => {
    const [, folder, name = ''] = new URL(request.url ?? '', url).pathname.split('/');
    const isRead = request.method === 'GET' && folder === 'auth';
    const fields = SPECIFIED.get(name);
    if (isRead && !fields) {
      return response.writeHead(added.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(added.json));
    }
    const isDocument = request.headers.accept?.includes('text/html');
    const { 'accept-encoding': encodings, ...headers } = request.headers;
    if (!isRead && !isDocument) headers['accept-encoding'] = encodings;
    const { method, url: path } = request;
    const asked = requestOf({ hostname, port, method, path, headers }, async (answer) => {
      const { statusCode = 502, headers } = answer;
      const isChanged = statusCode !== 304 && (isRead || isDocument);
      if (!isChanged) return answer.pipe(response.writeHead(statusCode, headers));
      const body = await text(answer);
      // The documents carry whole answers, which their scripts must not find.
      const left = isRead
        ? JSON.stringify(pick(JSON.parse(body), fields ?? []))
        : body.replace('id="reads"', 'id="unread"');
      response.writeHead(statusCode, { ...headers, 'content-length': Buffer.byteLength(left) }).end(left);
    });
    request.pipe(asked);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** @returns how many calls of a page are not answered yet */
export function watchCalls(page: Page): () => number {
  const pending = new Set<Request>();
  page.on('request', (request) => request.url().includes('/auth/') && pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return () => pending.size;
}

/** The address of a page with a query that it does not know, so that the browser renders the page by itself. */
export const withUnknownQuery = (address: string) => `${address}?anew`;
