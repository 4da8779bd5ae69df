import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '../../../contract/pages.ts';
import { isWorthAnotherTry, refusalHeading, refusalText } from '../../../contract/refusal-texts.ts';
import type { Refusal } from './refusals.ts';

/** Escapes text for HTML, also within quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Addresses that only programs request. Their refusals are JSON. */
const FOR_PROGRAMS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Whether people open an address in a browser: any address except calls, files (their names have a dot) and addresses
 * for programs.
 * @param accept of the request: a browser that opens an address with a dot asks for a page
 */
export function isDocumentAddress(url: string, accept = ''): boolean {
  const [path = ''] = url.split('?', 1);
  const isFile = /\.|%2e/i.test(path) && !accept.includes('text/html');
  return !isFile && !/^\/auth(\/|$)/.test(path) && !FOR_PROGRAMS.has(path);
}

/** The content of a page for a refusal: whose page it is, what happened, and links to what the visitor can do. */
export function refusalContent(refusal: Refusal, siteName: string): string {
  const { status, message, headers } = refusal;
  const text = refusalText(status, message, Number(headers['Retry-After'] ?? 0));
  const offersAnotherTry = isWorthAnotherTry(status);
  const link = (href: string, label: string, look: string) =>
    `<a class="button button-${look}" href="${href}">${label}</a>`;
  return [
    '<div class="refusal bg-night text-on-night">',
    `<p class="page"><img src="/favicon.svg" alt="" width="28" height="28">${escapeHtml(siteName)}</p>`,
    `<main class="page"><h1>${escapeHtml(refusalHeading(status))}</h1>`,
    `<p>${escapeHtml(text)}</p>`,
    '<p>',
    // An empty address links to the current one, with its query.
    offersAnotherTry ? link('', status === 405 ? 'Open the page' : 'Try again', 'primary') : '',
    link(PAGES.dashboard.path, 'Find a school', offersAnotherTry ? 'quiet' : 'primary'),
    '</p></main></div>',
  ].join('');
}

/** Writes the page for a refusal. */
export type WriteRefusalPage = (refusal: Refusal) => string;

/**
 * Makes the function that writes pages for refusals. They need no script: a visitor who is asked to slow down must not
 * cause more requests.
 */
export function createRefusalPages(clientDir: string, siteName: string): WriteRefusalPage {
  const shell = readFileSync(join(clientDir, 'index.html'), 'utf8');
  const styles = shell.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  return (refusal) =>
    [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">',
      `<title>${escapeHtml(`${refusalHeading(refusal.status)} · ${siteName}`)}</title>`,
      `<link rel="icon" type="image/svg+xml" href="/favicon.svg">${styles.join('')}</head>`,
      `<body>${refusalContent(refusal, siteName)}</body></html>`,
    ].join('');
}
