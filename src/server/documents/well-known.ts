import type { FastifyInstance } from 'fastify';
import { DAY } from '../../contract/durations.ts';
import { PAGES } from '../../contract/pages.ts';
import type { DocumentOptions } from './document-options.ts';

/** RFC 9116 §2.5.5 recommends less than a year. */
const EXPIRES_AFTER_DAYS = 180;

/** Serves the files that programs look for under well-known names (RFC 8615). */
export function serveWellKnown(app: FastifyInstance, { supportEmail, configuredUrl, now }: DocumentOptions): void {
  // https://w3c.github.io/webappsec-change-password-url/: password managers open it in a new tab. Sessions belong to
  // one tab, so nobody is signed in there, and /profile would redirect to the landing page.
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').redirect(PAGES.forgot.path, 302),
  );

  // RFC 9116.
  app.get('/.well-known/security.txt', (request, reply) => {
    const expires = new Date(Math.ceil(now() / DAY + EXPIRES_AFTER_DAYS) * DAY).toISOString();
    // Without PUBLIC_URL there is no canonical address: others may not reach the one that the server listens on.
    const canonical = configuredUrl && `Canonical: ${new URL(request.routeOptions.url ?? '', configuredUrl).href}`;
    const lines = [
      `Contact: mailto:${encodeURI(supportEmail)}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      canonical,
    ];
    return reply
      .header('Cache-Control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(`${lines.filter(Boolean).join('\n')}\n`);
  });
}
