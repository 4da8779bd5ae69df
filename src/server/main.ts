import { setTimeout } from 'node:timers/promises';
import { type App, createApp } from './app.ts';
import { findSampleAdminWarning, loadSampleData } from './data/sample/load.ts';
import type { Database } from './database/database.ts';
import { damagedText, isDamaged, isUnavailable, UnusableDatabase } from './database/failures.ts';
import { VERSION } from './database/served-versions.ts';
import type { Starting } from './http/lifecycle.ts';
import { openLog } from './http/request-log.ts';
import { beginRun, endRun } from './numbers/run-files.ts';
import { SettingError } from './settings/environment.ts';
import { readSettings, type Settings } from './settings/settings.ts';

/** The longest time for draining. A supervisor kills the process after 10 s. */
const DRAIN_MAX_MS = 8_000;

/**
 * A start that takes longer than this listens before it is ready, to answer health checks. A shorter one does not:
 * while nobody listens, a load balancer sends every request elsewhere, even those that it would not repeat.
 */
const LISTEN_AFTER_MS = 2_000;

/** Ends the start: with one line that gives the reason, or with the stack of an error that nobody expected. */
function refuseToStart(error: unknown): never {
  const isExpected =
    error instanceof SettingError ||
    error instanceof UnusableDatabase ||
    isUnavailable(error) ||
    (error instanceof Error && 'code' in error);
  const message = error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
  const unexpected = error instanceof Error ? (error.stack ?? message) : message;
  const text = isDamaged(error) ? damagedText(message) : isExpected ? message : unexpected;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/**
 * Drains on SIGTERM, on Ctrl-C, or when the parent process is gone. A second signal ends the process at once, and so
 * does the first signal during the start: an interrupted migration is rolled back, or continued by the next start.
 */
function drainOnSignals(app: App, { dataDir, port }: Settings): void {
  let isEnding = false;
  const end = async (reason: string) => {
    if (!app.isServing()) process.exit(0);
    if (isEnding) process.exit(1);
    isEnding = true;
    app.server.log.info({ event: 'stopping', reason }, 'draining');
    // Connections that are still open then are cut, so that the process can exit normally.
    void setTimeout(DRAIN_MAX_MS, undefined, { ref: false }).then(() => app.server.server.closeAllConnections());
    try {
      await app.giveNotice();
      await app.close();
    } finally {
      endRun(dataDir, port);
    }
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('disconnect', () => {
    if (!isEnding) void end('disconnect');
  });
  // If the parent died earlier, nothing listened for it.
  if (process.connected === false) void end('disconnect');
}

/** Serves on when the reader of the output has ended: the log is lost, the site is not. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Logs a crash as JSON, in addition to the stack that Node writes to standard error before it exits. */
function logCrash({ server }: App): void {
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    server.log.fatal({ event: 'crash', err: error, origin }, 'something failed that nobody expected: ending');
  });
}

/** Logs the start. If the previous process was killed, logs that too, because that process could not. */
function logStart({ server: { log } }: App, { dataDir, port }: Settings): void {
  try {
    // The previous process is unknown if the port is random.
    const died = port === 0 ? undefined : beginRun(dataDir, port, new Date(performance.timeOrigin));
    if (died) log.warn({ event: 'process-died', died }, 'the process before this one ended without stopping');
  } catch (error) {
    log.warn({ event: 'start-not-noted', err: error }, 'the next start will not know how this process ended');
  }
  log.info({ event: 'started', version: VERSION, seconds: Math.round(performance.now()) / 1000 }, 'serving');
}

/** Explains why the server cannot listen on an address, if a setting is the cause. */
function findAddressError(error: unknown, { host, port }: Settings): SettingError | undefined {
  const code = String((error as { code?: unknown } | null)?.code);
  if (code === 'EADDRINUSE')
    return new SettingError('PORT', `is ${port}, which is in use`, 'a free port, or 0 for any');
  if (code === 'EACCES')
    return new SettingError('PORT', `is ${port}, which this user may not open`, 'a port from 1024');
  if (['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) {
    return new SettingError(
      'HOST',
      `is "${host}" (${code})`,
      'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
    );
  }
  return undefined;
}

/**
 * Warns once about settings that are missing in production: without them the site works, but sends no mails, or mails
 * with unusable links.
 */
function warnOfMissing({ server: { log } }: App, { isProduction, smtpUrl, publicUrl }: Settings): void {
  if (!isProduction) return;
  if (smtpUrl === undefined) {
    log.warn({ event: 'no-mail-server' }, 'SMTP_URL is not set: mails become files in DATA_DIR/mail, nobody gets them');
  }
  if (publicUrl === undefined) {
    log.warn({ event: 'no-public-url' }, 'PUBLIC_URL is not set: absolute links lead to the address listened on');
  }
}

/** @returns the address to open in a browser */
async function listen(app: App, settings: Settings): Promise<string> {
  const { host, port } = settings;
  const address = await app.server.listen({ host, port }).catch((error: unknown) => {
    throw findAddressError(error, settings) ?? error;
  });
  const url = new URL(address);
  // A browser cannot open a wildcard address.
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = 'localhost';
  return url.origin;
}

/** Runs on the migrated database before anybody reads it: loads the sample data, warns of a printed password. */
async function prepare(database: Database, starting: Starting, { log }: App['server'], settings: Settings) {
  if (settings.sampleData) {
    starting.step = 'loading the sample data';
    const admin = await loadSampleData(database);
    if (admin) process.stdout.write(`Sample data loaded. Admin: ${admin.email}  Password: ${admin.password}\n`);
  }
  if (settings.isProduction) {
    const warning = await findSampleAdminWarning(database);
    if (warning) log.warn({ event: 'printed-password' }, warning);
  }
}

async function serve(settings: Settings): Promise<void> {
  ignoreClosedPipes();
  const app = await createApp({ settings, logStream: openLog() });
  drainOnSignals(app, settings);
  logCrash(app);
  warnOfMissing(app, settings);
  const started = app.start((database, starting) => prepare(database, starting, app.server, settings));
  await Promise.race([started, setTimeout(LISTEN_AFTER_MS, undefined, { ref: false })]);
  const [url] = await Promise.all([listen(app, settings), started]);
  logStart(app, settings);
  process.stdout.write(`${settings.siteName} is ready: ${url}\n`);
}

// Arguments are refused: an operator may mean one as a setting.
const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  process.stderr.write(`Unknown option '${argument}': settings are environment variables, which README.md lists.\n`);
  process.exit(1);
}
try {
  await serve(readSettings());
} catch (error) {
  refuseToStart(error);
}
