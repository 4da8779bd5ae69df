import { expect } from 'playwright/test';
import type { Driver } from './driver.ts';

type Role = 'button' | 'link' | 'combobox' | 'option' | 'radio' | 'heading' | 'textbox';

/** The elements of a role, as far as the product's pages write them. */
const SELECTORS: Record<Role, string> = {
  button: 'button',
  link: 'a[href]',
  combobox: '[role=combobox]',
  option: '[role=option]',
  radio: 'input[type=radio]',
  heading: 'h1, h2, h3',
  textbox: 'input:not([type=radio], [type=checkbox]), textarea',
};

/** The time that a page gets to show something. */
const PATIENCE = { timeout: 15_000 };

/** Somebody who reads and uses a page by roles and names, in any browser that has a driver. */
interface Visitor {
  open(address: string): Promise<void>;
  /** Clicks the middle of the first element of one of the roles with that name, once nothing covers it. */
  click(roles: Role | readonly Role[], name: string): Promise<void>;
  /** Clicks a field and types. */
  type(role: 'textbox' | 'combobox', name: string, text: string): Promise<void>;
  sees(role: Role, name: string): Promise<void>;
  /** Expects another page: its address is shown, and its heading or a field has the focus. */
  arrives(path: RegExp): Promise<void>;
  /** Sees a text within the first element that a selector finds. */
  reads(selector: string, text: string): Promise<void>;
}

export function createVisitor(driver: Driver, baseUrl: string): Visitor {
  const find = (roles: readonly Role[], name: string) =>
    driver.run(findPoint, roles.map((role) => SELECTORS[role]).join(), name);

  async function pointTo(roles: readonly Role[], name: string): Promise<{ x: number; y: number }> {
    const point = { x: 0, y: 0 };
    await expect(async () => {
      const found = await find(roles, name);
      if (typeof found === 'string') throw new Error(`${roles.join(' or ')} "${name}": ${found}`);
      const isStill = found.x === point.x && found.y === point.y;
      Object.assign(point, found);
      expect(isStill, `${name} stands still`).toBe(true);
    }).toPass({ ...PATIENCE, intervals: [50] });
    return point;
  }

  async function click(roles: Role | readonly Role[], name: string): Promise<void> {
    const { x, y } = await pointTo(typeof roles === 'string' ? [roles] : roles, name);
    await driver.perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    });
  }

  return {
    async open(address) {
      await driver.open(new URL(address, baseUrl).href);
      // Until the page is hydrated, what is typed could be lost.
      await expect.poll(() => driver.run(() => document.querySelector('#root[data-rendered]') === null)).toBe(true);
    },
    click,
    async type(role, name, text) {
      await click(role, name);
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown' as const, value },
        { type: 'keyUp' as const, value },
      ]);
      await driver.perform({ type: 'key', id: 'keyboard', actions });
      await expect
        .poll(
          () =>
            driver.run(() => {
              const field = document.activeElement;
              return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : null;
            }),
          PATIENCE,
        )
        .toBe(text);
    },
    async sees(role, name) {
      await pointTo([role], name);
    },
    async reads(selector, text) {
      const read = () => driver.run((wanted) => document.querySelector(wanted)?.textContent ?? '', selector);
      await expect.poll(read, PATIENCE).toContain(text);
    },
    async arrives(path) {
      const read = () =>
        driver.run(() => (document.activeElement?.matches('h1, input') ? location.pathname + location.search : ''));
      await expect.poll(read, PATIENCE).toMatch(path);
    },
  };
}

/**
 * Runs in the page: where the element can be clicked, or why it cannot be. A name is the whole accessible name, or its
 * beginning where no element has exactly that name.
 */
function findPoint(selector: string, name: string): { x: number; y: number } | string {
  const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: Element) => {
    const labels = 'labels' in element ? (element.labels as NodeListOf<HTMLLabelElement> | null) : null;
    return tidy(element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent);
  };
  const all = [...document.querySelectorAll(selector)];
  const element = all.find((one) => nameOf(one) === name) ?? all.find((one) => nameOf(one).startsWith(name));
  if (!element) return `not among ${all.map(nameOf).join(', ')}`;
  if (element.matches(':disabled')) return 'disabled';
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const point = { x: Math.floor(left + width / 2), y: Math.floor(top + height / 2) };
  const hit = document.elementFromPoint(point.x, point.y);
  return hit && (element.contains(hit) || hit.contains(element)) ? point : `covered by ${hit?.outerHTML.slice(0, 120)}`;
}
