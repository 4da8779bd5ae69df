import { type CDPSession, chromium } from 'playwright';
import playwright from '../playwright.config.ts';
import { PAGES } from '../src/contract/pages.ts';

const SLOWDOWN = 4;
export const KEY_MAX_MS = 50;
const KEY_EVERY_MS = 120;
const TYPED = ['universite de montreal', 'stanfrod university', 'st johns', 'technische'];
const KEY_EVENTS: ReadonlySet<string> = new Set(['keydown', 'keypress', 'input', 'keyup']);
const TASKS: ReadonlySet<string> = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);

/** A part of DevTools' trace event. Times are in microseconds, `tdur` is processor time. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args: { data?: { type?: string } };
}

/** The main thread's work while keys are typed: processor time in milliseconds, so that a busy machine does not count. */
interface Typing {
  readonly keys: number;
  /** Each task that handles events of a key, the shortest first. */
  readonly keyTasks: readonly number[];
  /** The longest of all tasks, such as one that draws what is found. */
  readonly longest: number;
}

async function trace(devTools: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  // A cast, because the protocol's types describe no event.
  devTools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const includedCategories = ['toplevel', 'devtools.timeline'];
  await devTools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await work();
  const complete = new Promise<void>((resolve) => devTools.once('Tracing.tracingComplete', () => resolve()));
  await devTools.send('Tracing.end');
  await complete;
  return events;
}

function readTyping(events: readonly TraceEvent[], keys: number): Typing {
  const dispatched = events.filter(
    ({ name, args }) => name === 'EventDispatch' && KEY_EVENTS.has(args.data?.type ?? ''),
  );
  const [first] = dispatched;
  if (!first) throw new Error('No key was seen in the trace.');
  const tasks = events.filter(({ name, pid, tid, tdur }) => {
    return TASKS.has(name) && tdur !== undefined && pid === first.pid && tid === first.tid;
  });
  const handles = ({ ts, dur = 0 }: TraceEvent) => dispatched.some((event) => event.ts >= ts && event.ts <= ts + dur);
  const times = (some: readonly TraceEvent[]) => some.map(({ tdur = 0 }) => tdur / 1000).sort((a, b) => a - b);
  return { keys, keyTasks: times(tasks.filter(handles)), longest: times(tasks).at(-1) ?? 0 };
}

/** Types and clears texts on the page of all schools, with a processor slowed down. */
export async function measureTyping(origin: string): Promise<Typing> {
  const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
  const page = await browser.newPage();
  await page.goto(origin + PAGES.allSchools.path);
  await page.getByText(/^[\d,]+ schools$/).waitFor();
  await page.waitForLoadState('networkidle');
  const field = page.getByLabel('Search schools');
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const events = await trace(devTools, async () => {
    for (const text of TYPED) {
      await field.pressSequentially(text, { delay: KEY_EVERY_MS });
      await page.waitForURL((url) => url.searchParams.get('q') === text);
      await page.waitForLoadState('networkidle');
      await field.fill('');
      await page.waitForURL((url) => !url.searchParams.has('q'));
      await page.waitForLoadState('networkidle');
    }
  });
  await browser.close();
  return readTyping(events, TYPED.join('').length);
}
