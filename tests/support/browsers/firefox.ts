import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Driver } from './driver.ts';
import { startHelper } from './helper-process.ts';

/** Keeps a fresh profile from calling home; Firefox itself sets what else automation recommends. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.search.update': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'intl.accept_languages': 'en-US',
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.server': '',
};

type Message = { id?: number; type: string; method?: string; params?: LogEntry } & Record<string, unknown>;
type LogEntry = { level: string; text: string | null };

/** Starts Firefox without a window and speaks WebDriver BiDi to it: no driver program and no package is needed. */
export async function startFirefox(path: string): Promise<Driver> {
  const firefox = startHelper(path, (home) => {
    const lines = Object.entries(PREFERENCES).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`);
    writeFileSync(join(home, 'user.js'), lines.join('\n'));
    return ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0', 'about:blank'];
  });
  try {
    const url = await firefox.waitForOutput(/WebDriver BiDi listening on (ws:\S+)/);
    return await openWindow(url, () => firefox.end());
  } catch (error) {
    await firefox.end();
    throw error;
  }
}

async function openWindow(url: string, end: () => Promise<void>): Promise<Driver> {
  const errors: string[] = [];
  const socket = new WebSocket(`${url}/session`);
  const answers = new Map<number, PromiseWithResolvers<Message>>();
  let count = 0;
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as Message;
    const answer = answers.get(message.id ?? 0);
    if (message.method === 'log.entryAdded' && message.params?.level === 'error') errors.push(`${message.params.text}`);
    if (message.type === 'error') answer?.reject(new Error(`${message.error}: ${message.message}`));
    else answer?.resolve(message);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of answers.values()) reject(new Error('Firefox has closed the connection.'));
  });
  await once(socket, 'open');

  async function send<Result>(method: string, params: object): Promise<Result> {
    count += 1;
    const id = count;
    const answer = Promise.withResolvers<Message>();
    answers.set(id, answer);
    socket.send(JSON.stringify({ id, method, params }));
    return (await answer.promise).result as Result;
  }

  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = await send<{ contexts: [{ context: string }] }>('browsingContext.getTree', {});
  const [{ context }] = contexts;
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 900 } });

  return {
    async open(address) {
      await send('browsingContext.navigate', { context, url: address, wait: 'complete' });
    },
    async run<Args extends unknown[], Result>(script: (...args: Args) => Result, ...args: Args) {
      const { type, result, exceptionDetails } = await send<{
        type: string;
        result?: { value?: string };
        exceptionDetails?: { text: string };
      }>('script.callFunction', {
        functionDeclaration: `(args) => JSON.stringify((${script})(...JSON.parse(args)))`,
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        target: { context },
        awaitPromise: true,
      });
      if (type === 'exception') throw new Error(exceptionDetails?.text);
      return (result?.value === undefined ? undefined : JSON.parse(result.value)) as Result;
    },
    async perform(source) {
      await send('input.performActions', { context, actions: [source] });
    },
    errors: async () => errors,
    async close() {
      socket.close();
      await end();
    },
  };
}
