import type { Case } from './case.ts';

/** Files that lie beside the built product, or that attackers look for there. */
const FILES = [
  ...['/.env', '/.git/HEAD', '/.git/config', '/.gitignore', '/.npmrc', '/.ssh/id_rsa', '/.htaccess', '/.DS_Store'],
  ...['/package.json', '/package-lock.json', '/tsconfig.json', '/exec.cmd', '/src/server/main.ts', '/bin/start.mjs'],
  ...['/node_modules/fastify/package.json', '/data/school-reviews.sqlite', '/data/mail/1.eml', '/index.html.map'],
  ...['/assets/index.js.map', '/server-status.php', '/wp-login.php', '/cgi-bin/test.cgi', '/web.config', '/backup.zip'],
];

/** Paths that try to leave the folder of the product. */
const TRAVERSALS = [
  ...['/../package.json', '/assets/../../package.json', '/./../package.json', '/.../package.json'],
  ...['/%2e%2e/package.json', '/%2e%2e%2fpackage.json', '/..%2fpackage.json', '/..%5cpackage.json'],
  ...['/..\\package.json', '/assets\\..\\x.json', '/%252e%252e/package.json', '/%252e%252e%252fpackage.json'],
  ...['/%c0%ae%c0%ae/package.json', '/assets/%00.js', '/%2e%2e%00/package.json', '/index.html%00.js'],
  ...['//package.json', '//..//package.json', '/assets/..;/package.json', '/etc/passwd%00.html'],
  ...['/c:/windows/win.ini', '/%2fetc%2fpasswd', '/assets/.%2e/.%2e/package.json', '/assets/%2e./package.json'],
  ...['/~root/.profile', '/proc/self/environ%00'],
];

/** Every address that must give no file. An address with a dot asks for one, and is refused with JSON as calls are. */
export function fileCases(): Case[] {
  return [...FILES, ...TRAVERSALS].map((path) => ({
    name: 'file',
    method: 'GET',
    path,
    isPage: !/\.|%2e/i.test(path),
  }));
}

/** Addresses that might redirect a browser to another site. */
export const REDIRECT_ATTEMPTS = [
  ...['//elsewhere.example', '//elsewhere.example/', '///elsewhere.example', '/\\elsewhere.example'],
  ...['/%5celsewhere.example', '/%2felsewhere.example', '//elsewhere.example/%2e%2e', '/https:elsewhere.example'],
  ...['/https://elsewhere.example', '/javascript:alert(1)', '/%0d%0aLocation:%20//elsewhere.example'],
  ...['/landing/..//elsewhere.example', '/login?next=//elsewhere.example', '/login?return=https://elsewhere.example'],
  ...['/?url=//elsewhere.example', '/landing//', '/dashboard//elsewhere.example', '//%2felsewhere.example'],
  ...['/.elsewhere.example', '/@elsewhere.example'],
];

/** Headers that claim another name for this host. */
export const HOSTS: Record<string, string>[] = [
  { Host: 'elsewhere.example' },
  { Host: 'elsewhere.example:80' },
  { Host: '127.0.0.1@elsewhere.example' },
  { Host: '[::1]' },
  { Host: '"><script>' },
  { Host: 'localhost', 'X-Forwarded-Host': 'elsewhere.example' },
  { Host: 'localhost', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '666' },
  { Host: 'localhost', Forwarded: 'host=elsewhere.example;proto=https' },
  { Host: 'localhost', 'X-Original-URL': '/auth/getUsers', 'X-Rewrite-URL': '/auth/getUsers' },
  { Host: 'localhost', 'X-HTTP-Method-Override': 'DELETE', 'X-Forwarded-For': '::1, elsewhere.example' },
];
