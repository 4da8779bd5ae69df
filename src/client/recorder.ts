// Records the events at server-rendered controls until they are hydrated. The build writes this script into the head of
// every document, so that it is there before the first control.
import { childrenOf, type EarlyEvents, isCheckboxOrRadio } from './early-events.ts';

/** The events to record. With the focus, because a page rendered anew would take it from somebody about to type. */
const EVENTS = ['focusin', 'click', 'input', 'change', 'keydown'];

/** Keys that the browser acts on by itself, or that cause an event of another kind. */
const IGNORED_KEYS = /^(?:Tab|Enter| )$/;

const early: EarlyEvents = { events: [] };

/** Whether a control outside the form was used. Safe: each target is a control. */
const wasUsedOutside = (form: HTMLFormElement | null) =>
  early.events.some(({ event, target }) => event.type !== 'focusin' && (target as HTMLInputElement).form !== form);

function record(event: Event): void {
  if (early.isPaused) return;
  // Safe: only properties that all four kinds of control have are read.
  const control = (event.target as Element).closest?.<HTMLInputElement>('button, input, select, textarea');
  if (!control?.closest('#root[data-rendered]')) return;
  if (event.type === 'click') {
    const isChoice = isCheckboxOrRadio(control);
    // A form with the method GET is sent by the browser itself, unless the new page would lose what was done outside it.
    const isSentByBrowser =
      control.form?.method === 'get' && control.type !== 'button' && !wasUsedOutside(control.form);
    if (isSentByBrowser || !(isChoice || control.matches('button'))) return;
    // A checkbox or radio button shows its new state at once, until the events are replayed.
    if (early.hasBegun || !isChoice) event.preventDefault();
    event.stopImmediatePropagation();
  }
  if (event instanceof KeyboardEvent && IGNORED_KEYS.test(event.key)) return;
  const path: number[] = [];
  for (let step: Element = control; step.id !== 'root' && step.parentElement; step = step.parentElement)
    path.unshift(childrenOf(step.parentElement).indexOf(step));
  early.events.push({ at: performance.now(), event, target: control, path, value: control.value });
}

globalThis.earlyEvents = early;
for (const type of EVENTS) addEventListener(type, record, true);
