import { childrenOf, type EarlyAct, early, isChoice, stopHearing } from './early-acts.ts';

/** How long a press is kept, in milliseconds. What was typed is kept however long it takes. */
const KEPT_MS = 10_000;

/** What must be pressed with the page awake: whoever pressed it could not see what it would do. */
const NEVER = /^\s*(?:delete|block|hide)/i;

const isField = (target: Element) => target.matches('textarea, input:not([type=checkbox], [type=radio])');

/** Identifies a control among those of a page: a field by its name in the form, a button by its text. */
const nameOf = (control: Element) =>
  `${control.tagName} ${control.getAttribute('type')} ${control.getAttribute('name') ?? control.textContent.trim()}`;

/** The control that took the place of a server-rendered one when the page was rendered anew. */
function findAnew({ target, path }: EarlyAct): HTMLElement | undefined {
  const root = document.getElementById('root');
  const at = path.reduce<Element | null | undefined>((element, index) => element && childrenOf(element)[index], root);
  const same = [...(root?.querySelectorAll(target.tagName) ?? [])].filter(
    (control) => nameOf(control) === nameOf(target),
  );
  // Of several with the same name, the one at the same position counts. A translated button has another name by then.
  const found = at && (same.length === 0 || same.includes(at)) ? at : same[0];
  return found instanceof HTMLElement && found.tagName === target.tagName ? found : undefined;
}

/** Sets a value as a person does: React hears of it even if the field has had that value before. */
function enter(target: HTMLElement, value: string): void {
  if (target instanceof HTMLSelectElement) {
    target.value = value;
    target.dispatchEvent(new Event('change', { bubbles: true }));
    return;
  }
  const { prototype } = target instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  // Through the field's own property, by which React remembers its value, it becomes another one first.
  Object.assign(target, { value: '' });
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(target, value);
  target.dispatchEvent(new Event('input', { bubbles: true }));
}

function repeat({ event, value = '' }: EarlyAct, target: HTMLElement): void {
  if (event.type === 'click') {
    if (!target.matches('.button-danger') && !NEVER.test(target.textContent)) target.click();
  } else if (event instanceof KeyboardEvent) {
    const { key, code } = event;
    // A letter typed into a field is repeated as the field's new content.
    if (key.length > 1 || !isField(target))
      target.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
  } else if (target instanceof HTMLSelectElement && event.type === 'change') enter(target, value);
}

/** The target of an act, which stands elsewhere when the page was rendered anew. It keeps the focus. */
function findTarget(act: EarlyAct): HTMLElement | undefined {
  const found = act.target.isConnected ? act.target : findAnew(act);
  if (document.activeElement === document.body) found?.focus();
  return found;
}

/**
 * Fills the fields of a page that was rendered anew as those of the server's were, and gives the focus back. In the task
 * that renders it, or what is typed next would be lost.
 */
export function refillFields(): void {
  const isMoved = ({ target }: EarlyAct) => !target.isConnected;
  // Of several acts in one field the last counts.
  const typed = new Map(
    early.acts.flatMap((act) => (act.event.type === 'input' && isMoved(act) ? [[act.target, act]] : [])),
  );
  const focused = early.acts.findLast(({ event }) => event.type === 'focusin');
  early.isRepeating = true;
  for (const act of typed.values()) {
    const field = findAnew(act);
    if (!field || !isField(field)) continue;
    enter(field, act.value ?? '');
    early.acts = early.acts.filter(({ event, target }) => event.type !== 'input' || target !== act.target);
  }
  if (focused && isMoved(focused)) findAnew(focused)?.focus();
  early.isRepeating = false;
}

/** Lets the page render what an event has changed. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** Whether somebody has typed on in the same field: what it contains at the end counts. */
const isTypedOn = ({ event, target }: EarlyAct) =>
  event.type === 'input' && early.acts.some((later) => later.event.type === 'input' && later.target === target);

function repeatNow(act: EarlyAct): void {
  const isTyped = act.event.type === 'input';
  const target = isTyped || performance.now() - act.at <= KEPT_MS ? findTarget(act) : undefined;
  if (!target) return;
  if (isTyped && isField(target)) enter(target, act.value ?? '');
  else repeat(act, target);
}

/** Makes what was chosen as the server rendered it: a press on what is chosen already would not be heard as a change. */
function unchoose(): void {
  early.hasBegun = true;
  for (const { target } of early.acts)
    if (target instanceof HTMLInputElement && isChoice(target)) target.checked = target.defaultChecked;
}

/** Does what was done before the page was awake, in its order, and what is done until then. */
export async function repeatEarlyActs(): Promise<void> {
  unchoose();
  try {
    for (let act = early.acts.shift(); act; act = early.acts.shift()) {
      await nextTask();
      if (isTypedOn(act)) continue;
      early.isRepeating = true;
      repeatNow(act);
      early.isRepeating = false;
    }
  } finally {
    stopHearing();
  }
}
