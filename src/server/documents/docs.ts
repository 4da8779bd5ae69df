import type { FastifyInstance } from 'fastify';
import type { Call } from '../../contract/call.ts';
import { CALLS } from '../../contract/calls.ts';
import type { Format } from '../http/cache/response-heads.ts';
import { escapeHtml } from '../http/refusals/refusal-pages.ts';
import { describeApi } from './api-document.ts';
import type { DocumentOptions } from './document-options.ts';
import { sendDocument } from './send-document.ts';

function listFields(part: unknown, where: string): string[] {
  const { properties = {}, required = [] } = part as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf']
      .filter((bound) => schema[bound] !== undefined)
      .map((bound) => `${bound} ${schema[bound]}`);
    const facts = [
      `in the ${where}`,
      String(schema.type ?? 'any type'),
      required.includes(name) && 'required',
      ...bounds,
    ];
    return `<li><code>${escapeHtml(name)}</code>: ${escapeHtml(facts.filter(Boolean).join(', '))}</li>`;
  });
}

function section(call: Call): string {
  const { params, query, body } = call;
  const fields = [...listFields(params, 'path'), ...listFields(query, 'query'), ...listFields(body, 'body')];
  const list = fields.length > 0 ? `<ul>${fields.join('')}</ul>` : '';
  return `<section id="${call.name}"><h2>${call.name}</h2><p>${call.method} ${escapeHtml(call.path)}</p><p>${escapeHtml(call.summary)}. Who may: ${call.access}. Answers ${call.status}.</p>${list}</section>`;
}

/** Serves `/openapi.json` and, for people, `/docs`: one page without a script, made from the same contract. */
export function serveDocs(app: FastifyInstance, { siteName, configuredUrl, cache }: DocumentOptions): void {
  const writeDocument = () => JSON.stringify(describeApi(siteName, configuredUrl?.href));
  const writePage = () =>
    [
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>API · ${escapeHtml(siteName)}</title></head><body><main>`,
      `<h1>API of ${escapeHtml(siteName)}</h1><p>JSON in, JSON out; the token of <code>POST /auth/login</code> goes into <code>Authorization: Bearer …</code>. Every failure is <code>{"error": "one sentence"}</code>. The same as data: <a href="/openapi.json">openapi.json</a>.</p>`,
      `<ul>${CALLS.map(({ name }) => `<li><p><a href="#${name}">${name}</a></p></li>`).join('')}</ul>`,
      ...CALLS.map(section),
      '</main></body></html>',
    ].join('\n');
  // Written at the first request: it takes a tenth of the processor time of a start, and most processes are never asked.
  function serveText(path: string, format: Format, write: () => string): void {
    let text: string | undefined;
    const make = async () => {
      text ??= write();
      return { route: path, text, format, tags: [] };
    };
    app.get(path, (_request, reply) => sendDocument(reply, cache, path, make));
  }
  serveText('/openapi.json', 'openapi', writeDocument);
  serveText('/docs', 'html', writePage);
}
