import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '../../contract/pages.ts';
import { escapeHtml } from './html.ts';
import type { Refusal } from './refusals.ts';

/** Addresses that programs ask, which take what is refused as JSON. */
const FOR_PROGRAMS = new Set(['/healthz', '/readyz', '/metrics']);

/** What a refusal is called on its page. */
const HEADINGS: Readonly<Record<number, string>> = {
  400: 'This address does not work',
  403: 'Not allowed from there',
  404: 'Page not found',
  405: 'Nothing was sent',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available right now',
};
const OTHER_HEADING = 'This did not work';

/** Statuses at which the same address may answer later, or when opened as a page. */
const WORTH_ANOTHER_TRY = new Set([405, 429, 500, 503]);

/** Whether people open an address in a browser: all but calls, files, which have a dot, and what programs ask. */
export function isDocumentAddress(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return !/^\/auth(\/|$)/.test(path) && !/\.|%2e/i.test(path) && !FOR_PROGRAMS.has(path);
}

function waitText(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

export function refusalHeading({ status }: Refusal): string {
  return HEADINGS[status] ?? OTHER_HEADING;
}

/** What a refusal looks like in the middle of a page: what happened, and links to what can be done. */
export function refusalContent(refusal: Refusal): string {
  const wait =
    refusal.status === 429 ? ` You can try again in ${waitText(Number(refusal.headers['Retry-After']))}.` : '';
  const isWorthAnotherTry = WORTH_ANOTHER_TRY.has(refusal.status);
  const link = (href: string, label: string, look: string) =>
    `<a class="button button-${look}" href="${href}">${label}</a>`;
  return [
    `<main class="page refusal"><h1>${escapeHtml(refusalHeading(refusal))}</h1>`,
    `<p>${escapeHtml(refusal.message)}${wait}</p>`,
    '<p>',
    // An empty address is that of the page itself, question mark and all, which need not be written down here.
    isWorthAnotherTry ? link('', refusal.status === 405 ? 'Open the page' : 'Try again', 'primary') : '',
    link(PAGES.dashboard.path, 'Find a school', isWorthAnotherTry ? 'quiet' : 'primary'),
    '</p></main>',
  ].join('');
}

/** Writes the page of a refusal. */
export type WriteRefusalPage = (refusal: Refusal) => string;

/**
 * Makes the function that writes pages of refusals: complete without a script, so that whoever is asked to slow down
 * does not come back for one.
 */
export function createRefusalPages(clientDir: string, siteName: string): WriteRefusalPage {
  const shell = readFileSync(join(clientDir, 'index.html'), 'utf8');
  const styles = shell.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  return (refusal) =>
    [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">',
      `<title>${escapeHtml(`${refusalHeading(refusal)} · ${siteName}`)}</title>`,
      `<link rel="icon" type="image/svg+xml" href="/favicon.svg">${styles.join('')}</head>`,
      `<body>${refusalContent(refusal)}</body></html>`,
    ].join('');
}
