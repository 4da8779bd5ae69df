import type { FastifyInstance } from 'fastify';
import type { Call } from '../../contract/call.ts';
import { CALLS } from '../../contract/calls.ts';
import type { Format } from '../http/cache/response-heads.ts';
import { escapeHtml } from '../http/refusals/refusal-pages.ts';
import { describeApi } from './api-document.ts';
import type { DocumentOptions } from './document-options.ts';
import { sendDocument } from './send-document.ts';

function fieldRows(part: unknown, where: string): string {
  const { properties = {}, required = [] } = part as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties)
    .map(([name, schema]) => {
      const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf']
        .filter((bound) => schema[bound] !== undefined)
        .map((bound) => `${bound} ${schema[bound]}`);
      const cells = [
        name,
        where,
        String(schema.type ?? 'any'),
        required.includes(name) ? 'yes' : 'no',
        bounds.join(', '),
      ];
      return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
    })
    .join('');
}

function section(call: Call): string {
  const fields = [fieldRows(call.params, 'path'), fieldRows(call.query, 'query'), fieldRows(call.body, 'body')].join(
    '',
  );
  const table = fields
    ? `<table><thead><tr><th>Field</th><th>In</th><th>Type</th><th>Required</th><th>Limits</th></tr></thead><tbody>${fields}</tbody></table>`
    : '';
  return `<section id="${call.name}"><h2><code>${call.method} ${escapeHtml(call.path)}</code></h2><p>${escapeHtml(call.summary)}. Who may: ${call.access}. Answers ${call.status}.</p>${table}</section>`;
}

/** Serves `/openapi.json` and, for people, `/docs`: one page without a script, made from the same contract. */
export function serveDocs(app: FastifyInstance, { siteName, configuredUrl, cache }: DocumentOptions): void {
  const document = JSON.stringify(describeApi(siteName, configuredUrl?.href));
  const page = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>API · ${escapeHtml(siteName)}</title></head><body><main>`,
    `<h1>API of ${escapeHtml(siteName)}</h1><p>JSON in, JSON out; the token of <code>POST /auth/login</code> goes into <code>Authorization: Bearer …</code>. Every failure is <code>{"error": "one sentence"}</code>. The same as data: <a href="/openapi.json">openapi.json</a>.</p>`,
    `<ul>${CALLS.map((call) => `<li><a href="#${call.name}"><code>${call.method} ${escapeHtml(call.path)}</code></a></li>`).join('')}</ul>`,
    ...CALLS.map(section),
    '</main></body></html>',
  ].join('\n');
  function serveText(path: string, format: Format, text: string): void {
    const make = async () => ({ route: path, text, format, tags: [] });
    app.get(path, (_request, reply) => sendDocument(reply, cache, path, make));
  }
  serveText('/openapi.json', 'openapi', document);
  serveText('/docs', 'html', page);
}
