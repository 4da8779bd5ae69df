import { existsSync, globSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SOURCES } from '../../bin/client.mjs';
import { NODE_OPTIONS } from '../../bin/server.mjs';
import { openPool } from '../../src/server/database/postgres-pool.ts';
import { createResponseCache } from '../../src/server/http/cache/response-cache.ts';
import { createFrontServer } from '../../src/server/http/front.ts';
import { FrontCounts } from '../../src/server/http/front-counts.ts';
import { Draining, Starting } from '../../src/server/http/lifecycle.ts';
import { readAdminPassword, readSettings } from '../../src/server/settings/settings.ts';

const FILES = [
  'Dockerfile',
  'compose.yaml',
  'CHANGELOG.md',
  'docs/deployment.md',
  'docs/operations.md',
  ...filesUnder('deploy'),
];
const TEXTS = FILES.map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Variables of Node, of PostgreSQL and its image, of the shell, of systemd, and of the sample's `.env`. */
const OTHER_VARIABLES = [
  ...['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'PATH'],
  ...['POSTGRES_PASSWORD', 'PGDATA', 'PGPASSWORD', 'PG_VERSION', 'ON_ERROR_STOP'],
  ...['DATABASE_PASSWORD', 'REPLICATION_PASSWORD', 'PRIMARY_HOST', 'TLS_FOLDER'],
  ...['NODE_IMAGE', 'DEBIAN_IMAGE', 'NGINX_IMAGE', 'ALPINE_IMAGE', 'POSTGRES_IMAGE'],
  ...['AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK'],
];

function filesUnder(folder: string): string[] {
  return globSync(`${folder}/**`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The variables the product asks for when every optional part is switched on. */
function readKnownSettings(): Set<string> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'school-reviews-settings-'));
  const asked = new Set<string>();
  const given: Record<string, string> = {
    DATA_DIR: folder.path,
    DATABASE_URL: 'postgres://host/name',
    LLM_BASE_URL: 'http://127.0.0.1:1',
    LLM_MODEL: 'model',
  };
  const env = new Proxy(given, {
    get(target, name) {
      asked.add(String(name));
      return target[String(name)];
    },
  });
  readSettings(env);
  readAdminPassword(env);
  return asked;
}

/** Names that are assigned (`NAME=`), keys of an `environment`, interpolated, or in capitals with underscores. */
function variablesIn(text: string): string[] {
  const patterns = [
    /(?<![\w-])([A-Z][A-Z0-9_]*)=/g,
    /^ +([A-Z][A-Z0-9_]*): /gm,
    /\$\{?([A-Z][A-Z0-9_]*)/g,
    /(?<!\w)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?!\w)/g,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
}

test('every variable that the samples and their page name is a setting, or known to be of somebody else', () => {
  const known = readKnownSettings();
  expect(known).toContain('DATABASE_LISTEN_URL');
  const named = TEXTS.flatMap(({ path, text }) => variablesIn(text).map((name) => ({ path, name })));
  expect(named.filter(({ name }) => !known.has(name) && !OTHER_VARIABLES.includes(name))).toEqual([]);
  expect(OTHER_VARIABLES.filter((name) => known.has(name) || !named.some((one) => one.name === name))).toEqual([]);
  for (const name of ['PORT', 'HOST', 'TRUST_PROXY', 'DATABASE_LISTEN_URL']) {
    expect(named.map((one) => one.name)).toContain(name);
  }
});

test('every npm script and every file that they name is there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const texts = TEXTS.map(({ text }) => text).join('\n');
  const named = [...texts.matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name).filter((name) => name !== 'NAME');
  expect(named).toContain('check-data');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  const paths = [...texts.matchAll(/(?<![\w/.-])(?:src|deploy|docs|bin)\/[\w./@-]*\w/g)].map(([path]) => path);
  expect(paths).toContain('src/server/main.ts');
  expect(paths.filter((path) => !existsSync(path) && !path.endsWith('/NAME.ts'))).toEqual([]);
});

test('every image of others can be pinned by its digest, and is the same by default wherever it is named', () => {
  const files = ['Dockerfile', 'compose.yaml', 'deploy/several/compose.yaml'];
  const texts = files.map((path) => readFileSync(path, 'utf8'));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/^ *(?:FROM|image:) (\S+)/gm)].map(([, image = '']) => image),
  );
  const own = ['school-reviews'];
  const variables = named
    .filter((image) => !own.includes(image))
    .map((image) => /\{([A-Z]+_IMAGE)[:}]/.exec(image)?.[1]);
  expect(variables.length).toBeGreaterThan(6);
  for (const variable of variables) {
    expect(variable).toBeDefined();
    const defaults = texts.flatMap((text) =>
      [...text.matchAll(new RegExp(`${variable}(?:=|:-)([^\\s}]+)`, 'g'))].map(([, image]) => image),
    );
    expect(new Set(defaults).size, variable).toBe(1);
    expect(readFileSync('docs/deployment.md', 'utf8')).toContain(`\`${variable}\``);
  }
});

test('the image gets what it is made of, past .dockerignore', () => {
  const allowed: string[] = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+$/gm) ?? [];
  expect(allowed.filter((path) => !existsSync(path))).toEqual([]);
  const copies = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
  const copied = copies.flatMap(([, list = '']) => list.split(' ')).filter((path) => path !== '.');
  const sources = [...copied, ...SOURCES];
  expect(sources).toContain('src/server');
  expect(sources.filter((path) => !existsSync(path) || !allowed.includes(path.split('/')[0] ?? ''))).toEqual([]);
});

test('the image and the unit start the server as npm does', () => {
  const started = [...NODE_OPTIONS, 'src/server/main.ts'];
  const [, image = ''] = /^CMD (.+)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  expect(JSON.parse(image)).toEqual(['node', ...started]);
  expect(readSample('school-reviews@.service')).toContain(`/node ${started.join(' ')}\n`);
});

test.each(['deploy/nginx/upstream.conf', 'deploy/several/upstream.conf'])(
  '%s gives up idle connections before the product does',
  (path) => {
    const seconds = /^\s*keepalive_timeout (\d+)s;$/m.exec(readFileSync(path, 'utf8'))?.[1];
    const headers = { calls: [], documents: [], documentsWithForm: [], open: [] };
    const cache = createResponseCache(0, headers);
    const front = createFrontServer(() => {}, {
      cache,
      ownWrites: { isBehind: () => false, catchUp: async () => true },
      counts: new FrontCounts(),
      draining: new Draining(),
      starting: new Starting(),
      onOverload() {},
      onLimited() {},
      trustProxy: false,
      rateLimit: false,
      timeBudgets: undefined,
      headers,
      writeRefusalPage: () => '',
    });
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds) * 1000).toBeLessThan(front.keepAliveTimeout);
  },
);

test('the role of the sample database has the limit for statements that the product asks for', async () => {
  const pool = openPool('postgres://127.0.0.1:1/none');
  const seconds = /set statement_timeout = '(\d+)s'/.exec(readFileSync('deploy/several/primary.sh', 'utf8'))?.[1];
  expect(Number(seconds) * 1000).toBe(pool.options.statement_timeout);
  await pool.end();
});

const readSample = (path: string) => readFileSync(`deploy/${path}`, 'utf8').replaceAll(/^\s*[#;].*\n/gm, '');

test('every server of the nginx sample logs paths alone, whatever the http block around it logs', () => {
  const [outside = '', ...servers] = readSample('nginx/school-reviews.conf').split(/^server \{$/m);
  expect(servers).toHaveLength(3);
  // Debian's nginx.conf logs queries in its http block. Log settings of the sample outside of its servers would only be
  // added to that.
  expect(outside).not.toMatch(/_log |ssl_protocols/);
  expect(outside).toMatch(
    /^log_format paths '(?:(?!\$(request|request_uri|uri|args|query_string|http_referer)\b).)*$/m,
  );
  for (const server of servers) {
    expect(server.match(/access_log .*/g)).toEqual(['access_log /var/log/nginx/access.log paths;']);
    expect(server.match(/error_log .*/g)).toEqual(['error_log /var/log/nginx/error.log crit;']);
    if (/ ssl\b/.test(server)) expect(server).toMatch(/^ {4}ssl_protocols TLSv1.2 TLSv1.3;$/m);
  }
});

test('behind the sample of nginx a process that restarts is passed over, and nothing is posted twice', () => {
  const proxy = readSample('nginx/school-reviews.conf');
  expect(proxy).toMatch(/^ {4}proxy_next_upstream error timeout http_503;\n {4}proxy_next_upstream_tries 2;$/m);
  for (const path of ['nginx/upstream.conf', 'several/upstream.conf']) {
    const servers = readSample(path).match(/^ +server .*/gm) ?? [];
    expect(servers).not.toEqual([]);
    for (const server of servers) expect(server).toMatch(/^ {4}server [\w.-]+:3000 max_fails=0;$/);
  }
});

test('the samples wait for a database that restarts, however often it takes', () => {
  const pooler = readSample('several/pgbouncer.ini');
  for (const line of ['server_login_retry = 0.5', 'dns_max_ttl = 1', 'query_wait_timeout = 10']) {
    expect(pooler).toContain(`\n${line}\n`);
  }
  const [unit = '', service = ''] = readSample('school-reviews@.service').split('[Service]');
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(service).toMatch(/^Restart=always\nRestartSec=2$/m);
});
