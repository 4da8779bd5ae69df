import { childrenOf, type EarlyAct, takeEarlyActs } from './early-acts.ts';

/** How long a press is kept, in milliseconds. What was typed is kept however long it takes. */
const KEPT_MS = 10_000;

/** What must be pressed with the page awake: whoever pressed it could not see what it would do. */
const NEVER = /^\s*(?:delete|block|hide)/i;

const isField = (target: Element) => target.matches('textarea, input:not([type=checkbox], [type=radio])');

function findAt(path: readonly number[]): HTMLElement | undefined {
  const root: Element | null | undefined = document.getElementById('root');
  const found = path.reduce<Element | null | undefined>(
    (element, index) => element && childrenOf(element)[index],
    root,
  );
  return found instanceof HTMLElement ? found : undefined;
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
    // A letter in a field is heard of by what the field then contains.
    if (key.length > 1 || !isField(target))
      target.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
  } else if (target instanceof HTMLSelectElement && event.type === 'change') enter(target, value);
}

/** The target of an act, which stands elsewhere when the page was rendered anew. It keeps the focus. */
function findTarget({ target, path }: EarlyAct): HTMLElement | undefined {
  const found = target.isConnected ? target : findAt(path);
  if (document.activeElement === document.body) found?.focus();
  return found;
}

/** Lets the page render what an event has changed. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** Does what was done before the page was awake, in its order. */
export async function repeatEarlyActs(): Promise<void> {
  const acts = takeEarlyActs();
  /** What somebody has typed into a field counts as it is at the end. */
  const typed = new Map(acts.filter(({ event }) => event.type === 'input').map((act) => [act.target, act]));
  for (const act of acts) {
    const isTyped = typed.get(act.target) === act;
    await nextTask();
    const target = isTyped || performance.now() - act.at <= KEPT_MS ? findTarget(act) : undefined;
    if (!target) continue;
    if (isTyped && isField(target)) enter(target, act.value ?? '');
    else repeat(act, target);
  }
}
