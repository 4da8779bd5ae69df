// Runs before the first paint. The code that replays the events, replay-events.ts, is loaded with the page's code.

/** An event at a control that was not hydrated yet. */
export interface EarlyEvent {
  /** When it happened, in milliseconds since the navigation. */
  readonly at: number;
  readonly event: Event;
  readonly target: HTMLElement;
  /** The path to the target from the root, by child indexes, for a page that is rendered anew. */
  readonly path: readonly number[];
  /** The value of the field at that time. */
  readonly value: string | undefined;
}

/** The events to record. One is the focus, which a page rendered anew would take from somebody who is about to type. */
const EVENTS = ['focusin', 'click', 'input', 'change', 'keydown'];

/**
 * The events that are still to be replayed, in order. Events during the replay are recorded too, so that none overtakes
 * an earlier one. `hasBegun`: the replay has begun. `replays`: an event is being replayed, which is not recorded again.
 */
export const early = { events: [] as EarlyEvent[], hasBegun: false, replays: false };

/** Keys that the browser acts on by itself, or that cause an event of another kind. */
const IGNORED_KEYS = /^(?:Tab|Enter|Shift|Control|Alt|Meta| )$/;

/**
 * The elements of the page itself, without those that a translator puts around texts and without the server's preloads.
 */
export const childrenOf = (element: Element): Element[] =>
  [...element.children].filter(({ tagName }) => !/^(?:FONT|LINK)$/.test(tagName));

export const isCheckboxOrRadio = (control: Element) => control.matches('[type=checkbox], [type=radio]');

function record(event: Event): void {
  if (early.replays) return;
  const target = event.target as HTMLElement;
  const control = target.closest?.<HTMLElement>('button, input, select, textarea');
  if (!control?.closest('#root[data-rendered]')) return;
  if (event.type === 'click') {
    const isPress = control.matches('button, [type=checkbox], [type=radio]');
    // A form with the method GET is sent by the browser itself.
    const isSent = control.closest('form')?.method === 'get' && !control.matches('[type=button]');
    if (!isPress || isSent) return;
    // A checkbox or radio button shows its new state at once, until the events are replayed.
    if (early.hasBegun || !isCheckboxOrRadio(control)) event.preventDefault();
    event.stopImmediatePropagation();
  }
  if (event instanceof KeyboardEvent && IGNORED_KEYS.test(event.key)) return;
  const path: number[] = [];
  for (let step: Element = control; step.id !== 'root' && step.parentElement; step = step.parentElement)
    path.unshift(childrenOf(step.parentElement).indexOf(step));
  early.events.push({
    at: performance.now(),
    event,
    target: control,
    path,
    value: (control as HTMLInputElement).value,
  });
}

/** Records the events at server-rendered controls until they are hydrated. */
export function recordEarlyEvents(): void {
  for (const type of EVENTS) addEventListener(type, record, true);
}

/** Leaves further events to the hydrated page. */
export function stopRecording(): void {
  for (const type of EVENTS) removeEventListener(type, record, true);
}
