import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../free-port.ts';
import type { Driver } from './driver.ts';
import { type HelperProcess, startHelper } from './helper-process.ts';

declare global {
  interface Window {
    /** Errors of the document, collected by a script: WebDriver offers no log. */
    errorsOfTest?: string[];
  }
}

/** Starts WebKitGTK on an invisible screen of its own and speaks WebDriver to it, which is plain HTTP and JSON. */
export async function startWebKit({ driver, screen }: { driver: string; screen: string }): Promise<Driver> {
  const started: HelperProcess[] = [];
  // In reverse order of starting: a browser that loses its screen prints errors.
  const end = async () => {
    for (const helper of started.reverse()) await helper.end();
  };
  try {
    const xvfb = startHelper(screen, () => ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
    started.push(xvfb);
    const display = await xvfb.waitForOutput(/^(\d+)\n/);
    // The driver takes a number and cannot choose one itself.
    const port = await findFreePort();
    const env = { DISPLAY: `:${display}`, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' };
    const server = startHelper(driver, () => ['--host=127.0.0.1', `--port=${port}`], env);
    started.push(server);
    return await openWindow(`http://127.0.0.1:${port}`, end);
  } catch (error) {
    await end();
    throw error;
  }
}

async function openWindow(url: string, end: () => Promise<void>): Promise<Driver> {
  await waitUntilReady(url);
  const { sessionId } = await send<{ sessionId: string }>(`${url}/session`, { capabilities: {} });
  const session = `${url}/session/${sessionId}`;
  await send(`${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 900 });
  const noise: string[] = [];

  async function run<Args extends unknown[], Result>(script: (...args: Args) => Result, ...args: Args) {
    return send<Result>(`${session}/execute/sync`, { script: `return (${script})(...arguments)`, args });
  }
  /** Reads the errors of the current document; the next document starts with none. */
  async function readErrors(): Promise<void> {
    noise.push(...(await run(() => window.errorsOfTest?.splice(0) ?? [])));
  }

  return {
    run,
    async open(address) {
      await readErrors();
      await send(`${session}/url`, { url: address });
      await run(() => {
        const errors: string[] = [];
        window.errorsOfTest = errors;
        addEventListener('error', ({ message }) => errors.push(message));
        addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
        addEventListener('securitypolicyviolation', (event) => errors.push(`policy: ${event.violatedDirective}`));
      });
    },
    async perform(source) {
      await send(`${session}/actions`, { actions: [source] });
    },
    async errors() {
      await readErrors();
      return noise;
    },
    async close() {
      // The driver's process group holds the browser, but not the helpers of WebKit, which end with the session.
      await fetch(session, { method: 'DELETE' });
      await end();
    },
  };
}

async function send<Result>(url: string, body: object): Promise<Result> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** The driver prints nothing when it listens, so it is asked until it answers. */
async function waitUntilReady(url: string): Promise<void> {
  const deadline = AbortSignal.timeout(20_000);
  for (;;) {
    try {
      await fetch(`${url}/status`, { signal: deadline });
      return;
    } catch (error) {
      if (deadline.aborted) throw error;
      await pause(50);
    }
  }
}
