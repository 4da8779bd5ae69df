// Records the events at server-rendered controls until they are hydrated. The build writes this script into the head of
// every document, so that it is there before the first control.
import { childrenOf, type EarlyEvents, isCheckboxOrRadio } from './early-events.ts';

/** The events to record. One is the focus, which a page rendered anew would take from somebody who is about to type. */
const EVENTS = ['focusin', 'click', 'input', 'change', 'keydown'];

/** Keys that the browser acts on by itself, or that cause an event of another kind. */
const IGNORED_KEYS = /^(?:Tab|Enter| )$/;

const early: EarlyEvents = { events: [] };

/** Whether something was pressed or typed that is no part of the form. Safe: each target is such a control. */
const isDoneOutside = (form: HTMLFormElement | null) =>
  early.events.some(({ event, target }) => event.type !== 'focusin' && (target as HTMLInputElement).form !== form);

function record(event: Event): void {
  if (early.isPaused) return;
  // Safe: of an input only what the other three have too.
  const control = (event.target as Element).closest?.<HTMLInputElement>('button, input, select, textarea');
  if (!control?.closest('#root[data-rendered]')) return;
  if (event.type === 'click') {
    const isChoice = isCheckboxOrRadio(control);
    // A form with the method GET is sent by the browser itself, unless the new page would lose what was done outside it.
    const isSent = control.form?.method === 'get' && control.type !== 'button' && !isDoneOutside(control.form);
    if (isSent || !(isChoice || control.matches('button'))) return;
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
