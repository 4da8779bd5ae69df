import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../contract/pages.ts';
import { refusalHeading } from '../../contract/refusal-texts.ts';
import type { Tag } from '../database/change-tags.ts';
import { READ_ONLY } from '../http/maintenance.ts';
import { escapeHtml, refusalContent } from '../http/refusals/refusal-pages.ts';
import type { Refusal } from '../http/refusals/refusals.ts';
import type { DocumentOptions } from './document-options.ts';

/** The parts of one document. */
export interface DocumentParts {
  /** The address that the document was rendered for, with the parameters that the page added. */
  address: string;
  title: string;
  /** Markup after the title. It is already escaped. */
  markup: string;
  /** The server-rendered page, shown until hydration; empty when the page is client-only. */
  content: string;
  /** An inert script element with the answers to the reads of the page; empty without any. */
  data: string;
  /** The tags of the data that the document is made from. */
  tags: readonly Tag[];
}

/** The build writes this file (vite.config.ts). */
export const PAGE_SCRIPTS = 'page-scripts.json';
/** The element that contains the page. */
const ROOT_START = '<div id="root">';
const ROOT_END = '</div>';
/** Outside of the root, so that the browser's code leaves it alone. */
const BANNER = `<p class="maintenance">${READ_ONLY}</p>`;
/** Tells search engines not to index a document. */
export const NO_INDEX = '<meta name="robots" content="noindex">';

/** Reads the page shell and the lists of scripts once. */
export function openShell(options: DocumentOptions) {
  const fill = readShell(options);
  const scripts = readPageScripts(options.clientDir);
  return {
    /** The document of a page, whose content was rendered for this query. */
    page: ({ path }: Page, { title, markup, content, data }: DocumentParts, query: string): string =>
      fill(title, markup, openRoot(content, query, scripts.get(path)) + ROOT_END + data),
    /** The document that explains a refusal. Its script, once loaded, may say more or try again. */
    refusal: (refusal: Refusal): string =>
      fill(refusalHeading(refusal.status), NO_INDEX, ROOT_START + refusalContent(refusal, options.siteName) + ROOT_END),
  };
}

/** @returns the function that fills in the head and the root of the page shell */
function readShell({ clientDir, siteName, supportEmail, proposals, maintenance }: DocumentOptions) {
  const html = readFileSync(join(clientDir, 'index.html'), 'utf8')
    // Replaced by functions, because a name could contain `$&`, which has a meaning in a replacement text.
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, start) => start + escapeHtml(siteName))
    .replace(/(<meta name="support-email" content=")[^"]*/, (_, start) => start + escapeHtml(supportEmail))
    .replace(/(<meta name="proposals" content=")[^"]*/, `$1${proposals}`);
  const [before = '', rest = ''] = html.split('<!--head-->');
  const [head = '', body = ''] = (rest.split('<!--/head-->')[1] ?? '').split(ROOT_START + ROOT_END);
  return (title: string, markup: string, root: string) =>
    `${before}<title>${escapeHtml(`${title} · ${siteName}`)}</title>${markup}${head}${maintenance.isReadOnly() ? BANNER : ''}${root}${body}`;
}

/**
 * The scripts of each page by its path, in the form that `start.ts` reads. The page shell contains only the scripts of
 * all pages.
 */
function readPageScripts(clientDir: string): ReadonlyMap<string, string> {
  const file = join(clientDir, PAGE_SCRIPTS);
  const scripts: Record<string, string[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return new Map(Object.entries(scripts).map(([path, sources]) => [path, sources.join(' ')]));
}

/**
 * The opening tag of the root element, and its content.
 * @param content the server-rendered page
 * @param query the query it was rendered for: the browser hydrates the page only at an address with the same query
 */
function openRoot(content: string, query: string, scripts: string | undefined): string {
  const rendered = content && ` data-rendered="${escapeHtml(query)}"`;
  return `<div id="root"${rendered}${scripts ? ` data-scripts="${scripts}"` : ''}>${content}`;
}
