// Runs before the first paint: what repeats the acts stands in repeat-acts.ts, which is loaded with the page's code.

/** What somebody did to a control before the code of the page was there. */
export interface EarlyAct {
  readonly at: number;
  readonly event: Event;
  readonly target: HTMLElement;
  /** Where the target stands below the root, for a page that is rendered anew: of each element, which child it is. */
  readonly path: readonly number[];
  /** What the field contained then. */
  readonly value: string | undefined;
}

/** The focus too: a page that is rendered anew would take it from whoever is about to type. */
const EVENTS = ['focusin', 'click', 'input', 'change', 'keydown'];

/**
 * What is still to be repeated, in order. Acts during the repetition are recorded too, so that none overtakes an
 * earlier one.
 */
export const early = { acts: [] as EarlyAct[], hasBegun: false, isRepeating: false };

/** Keys that the browser acts on by itself, or that cause an event of another kind. */
const OWN_KEYS = /^(?:Tab|Enter|Shift|Control|Alt|Meta| )$/;

/**
 * The elements of the page itself, without those that a translator puts around texts and without the server's preloads.
 */
export const childrenOf = (element: Element): Element[] =>
  [...element.children].filter(({ tagName }) => !/^(?:FONT|LINK)$/.test(tagName));

export const isChoice = (control: Element) => control.matches('[type=checkbox], [type=radio]');

function hear(event: Event): void {
  if (early.isRepeating) return;
  const target = event.target as HTMLElement;
  const control = target.closest?.<HTMLElement>('button, input, select, textarea');
  if (!control?.closest('#root[data-rendered]')) return;
  if (event.type === 'click') {
    const isPress = control.matches('button, [type=checkbox], [type=radio]');
    // A form with the method GET is sent by the browser itself.
    const isSent = control.closest('form')?.method === 'get' && !control.matches('[type=button]');
    if (!isPress || isSent) return;
    // What can be chosen shows at once that it is, until the acts are repeated.
    if (early.hasBegun || !isChoice(control)) event.preventDefault();
    event.stopImmediatePropagation();
  }
  if (event instanceof KeyboardEvent && OWN_KEYS.test(event.key)) return;
  const path: number[] = [];
  for (let at: Element = control; at.id !== 'root' && at.parentElement; at = at.parentElement)
    path.unshift(childrenOf(at.parentElement).indexOf(at));
  early.acts.push({ at: performance.now(), event, target: control, path, value: (control as HTMLInputElement).value });
}

/** Keeps what people do to controls until they are awake. */
export function hearEarlyActs(): void {
  for (const type of EVENTS) addEventListener(type, hear, true);
}

/** From now on the page itself hears. */
export function stopHearing(): void {
  for (const type of EVENTS) removeEventListener(type, hear, true);
}
