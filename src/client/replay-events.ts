import type { createBrowserRouter } from 'react-router';
import { childrenOf, type EarlyEvent, type EarlyEvents, isCheckboxOrRadio } from './early-events.ts';
import { isRendered } from './navigation.ts';

type Router = ReturnType<typeof createBrowserRouter>;

const early: EarlyEvents = globalThis.earlyEvents ?? { events: [] };

/** Older presses are not replayed. Typed text is, however old it is. */
const PRESS_MAX_AGE_MS = 10_000;

/** The labels of buttons that are never replayed: before hydration nobody could see what they would do. */
const NEVER_REPLAYED = /^\s*(?:delete|block|hide)/i;

const isField = (target: Element) => target.matches('textarea, input:not([type=checkbox], [type=radio])');

/** Identifies a control among those of a page: a field by its name in the form, a button by its text. */
const nameOf = (control: Element) =>
  `${control.tagName} ${control.getAttribute('type')} ${control.getAttribute('name') ?? control.textContent.trim()}`;

/** The control that took the place of a server-rendered one when the page was rendered anew. */
function findReplacement({ target, path }: EarlyEvent): HTMLElement | undefined {
  const root = document.getElementById('root');
  const atSamePosition = path.reduce<Element | null | undefined>(
    (element, index) => element && childrenOf(element)[index],
    root,
  );
  const namesakes = [...(root?.querySelectorAll(target.tagName) ?? [])].filter(
    (control) => nameOf(control) === nameOf(target),
  );
  // Among several controls with the same name, the one at the same position counts. If none has the name, because a
  // button was translated, the position alone decides.
  const found =
    atSamePosition && (namesakes.length === 0 || namesakes.includes(atSamePosition)) ? atSamePosition : namesakes[0];
  return found instanceof HTMLElement && found.tagName === target.tagName ? found : undefined;
}

/** Sets a value so that React notices it, even if the field had that value before. */
function setValue(target: HTMLElement, value: string): void {
  if (target instanceof HTMLSelectElement) {
    target.value = value;
    target.dispatchEvent(new Event('change', { bubbles: true }));
    return;
  }
  const { prototype } = target instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  // First another value, through the property with which React tracks the field's value.
  Object.assign(target, { value: '' });
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(target, value);
  target.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Replays all but typed text. */
function replayPress({ event, value = '' }: EarlyEvent, target: HTMLElement): void {
  if (event.type === 'click') {
    if (!target.matches('.button-danger') && !NEVER_REPLAYED.test(target.textContent)) target.click();
  } else if (event instanceof KeyboardEvent) {
    const { key, code } = event;
    // A letter typed into a field is repeated as the field's new content.
    if (key.length > 1 || !isField(target))
      target.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
  } else if (target instanceof HTMLSelectElement && event.type === 'change') setValue(target, value);
}

/**
 * The target of an event, or the element that has replaced it on the same page. It takes the focus if nothing else has
 * it.
 */
function findTarget(recorded: EarlyEvent, isSamePage: boolean): HTMLElement | undefined {
  const replaced = isSamePage ? findReplacement(recorded) : undefined;
  const found = recorded.target.isConnected ? recorded.target : replaced;
  if (document.activeElement === document.body) found?.focus();
  return found;
}

/**
 * Fills the fields of a page that was rendered anew with what was typed into the server-rendered ones, and restores the
 * focus. Must run in the task that renders the page: otherwise the next typed letter would be lost.
 */
export function refillFields(): void {
  const isGone = ({ target }: EarlyEvent) => !target.isConnected;
  // The map keeps only the last event of each field.
  const typed = new Map(
    early.events.flatMap((recorded) =>
      recorded.event.type === 'input' && isGone(recorded) ? [[recorded.target, recorded]] : [],
    ),
  );
  const focused = early.events.findLast(({ event }) => event.type === 'focusin');
  early.isPaused = true;
  for (const recorded of typed.values()) {
    const field = findReplacement(recorded);
    if (!field || !isField(field)) continue;
    setValue(field, recorded.value ?? '');
    early.events = early.events.filter(({ event, target }) => event.type !== 'input' || target !== recorded.target);
  }
  if (focused && isGone(focused)) findReplacement(focused)?.focus();
  early.isPaused = false;
}

/** Lets the page render what an event has changed. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const isTyped = ({ event }: EarlyEvent) => event.type === 'input';

/** Whether a later event changed the same field: only its last value counts. */
const isSuperseded = (recorded: EarlyEvent) =>
  isTyped(recorded) && early.events.some((later) => isTyped(later) && later.target === recorded.target);

const isInTime = ({ at }: EarlyEvent) => performance.now() - at <= PRESS_MAX_AGE_MS;

function replayEvent(recorded: EarlyEvent, isSamePage: boolean): void {
  const target = isTyped(recorded) || isInTime(recorded) ? findTarget(recorded, isSamePage) : undefined;
  if (!target) return;
  if (isTyped(recorded) && isField(target)) setValue(target, recorded.value ?? '');
  else replayPress(recorded, target);
}

/** Resets checkboxes and radio buttons to their rendered state: pressing one that is checked already is no change. */
function resetChoices(): void {
  early.hasBegun = true;
  for (const { target } of early.events)
    if (target instanceof HTMLInputElement && isCheckboxOrRadio(target)) target.checked = target.defaultChecked;
}

/**
 * The index of the event to replay next; -1 while the page is not rendered for the address that the last event led to.
 * If that is another page, typed text does not wait: this page keeps it as a draft.
 */
function indexOfNext({ state: { navigation, location } }: Router): number {
  if (navigation.state === 'idle' && isRendered(location)) return 0;
  const isLeaving = navigation.location && navigation.location.pathname !== location.pathname;
  const typed = isLeaving ? early.events.findIndex(isTyped) : -1;
  return typed === -1 && early.events.some(isInTime) ? -1 : Math.max(typed, 0);
}

/** Replays in order what was recorded before hydration, and what is recorded during the replay. */
export async function replayEarlyEvents(router: Router): Promise<void> {
  resetChoices();
  const { pathname } = router.state.location;
  try {
    while (early.events.length > 0) {
      await nextTask();
      const next = indexOfNext(router);
      const [recorded] = next === -1 ? [] : early.events.splice(next, 1);
      if (!recorded || isSuperseded(recorded)) continue;
      early.isPaused = true;
      replayEvent(recorded, router.state.location.pathname === pathname);
      early.isPaused = false;
    }
  } finally {
    early.isPaused = true;
  }
}
