import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

// What the tab remembers. Only this module uses sessionStorage, whose content outlives a reload or a discarded tab and
// ends when the tab is closed. Where storage is off or full, memory serves. No password and no code is kept here.

/** Whose a kept value is: a user's id, or null for a visitor, who may log in as any user. */
export type Owner = number | null;

const DAY = 24 * 60 * 60_000;

interface Item {
  readonly owner: Owner;
  readonly key: string;
  /** When it is forgotten, in milliseconds since 1970. */
  readonly until: number;
  readonly value: unknown;
}

/** Distinguishes the keys of items in the storage from those of texts. */
const PREFIX = 'kept ';

/** Ends the key of a value that waits below another one, under whose key it was kept before. */
export const EARLIER = ' earlier';

const isAlive = ({ until }: Item) => until > Date.now();

const addressOf = (owner: Owner, key: string) => `${PREFIX}${owner ?? ''} ${key}`;

/** @returns undefined where storage is off or full */
function inStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch (cause) {
    console.info('The browser stores nothing for this tab.', cause);
    return undefined;
  }
}

/** A text without an owner, such as the token. Unlike an item it is not forgotten after a time. */
export function readText(key: string): string | null {
  return inStorage((storage) => storage.getItem(key)) ?? null;
}

/** @param text null removes it */
export function storeText(key: string, text: string | null): void {
  inStorage((storage) => (text === null ? storage.removeItem(key) : storage.setItem(key, text)));
}

function parseItem(text: string | null): Item | undefined {
  try {
    const item = JSON.parse(text ?? '') as Partial<Item> | null;
    const isOwned = item?.owner === null || typeof item?.owner === 'number';
    return isOwned && typeof item?.key === 'string' && typeof item.until === 'number' ? (item as Item) : undefined;
  } catch (cause) {
    console.info('What the tab remembers cannot be read.', cause);
    return undefined;
  }
}

function readItems(): Map<string, Item> {
  const addresses = inStorage((storage) => Object.keys(storage)) ?? [];
  const items = new Map<string, Item>();
  for (const address of addresses.filter((one) => one.startsWith(PREFIX))) {
    const item = parseItem(readText(address));
    if (item && isAlive(item)) items.set(address, item);
    else storeText(address, null);
  }
  return items;
}

const memory = createStore<ReadonlyMap<string, Item>>(new Map(), readItems);

function change(apply: (items: Map<string, Item>) => void): void {
  const items = new Map(memory.get());
  for (const item of items.values()) {
    if (!isAlive(item)) drop(items, item);
  }
  apply(items);
  memory.set(items);
}

function put(items: Map<string, Item>, item: Item): void {
  const address = addressOf(item.owner, item.key);
  items.set(address, item);
  storeText(address, JSON.stringify(item));
}

function drop(items: Map<string, Item>, { owner, key }: Pick<Item, 'owner' | 'key'>): void {
  const address = addressOf(owner, key);
  if (items.delete(address)) storeText(address, null);
}

/** @param lifeMs after this time the value is forgotten */
export function keep(owner: Owner, key: string, value: unknown, lifeMs = DAY): void {
  change((items) => put(items, { owner, key, value, until: Date.now() + lifeMs }));
}

/** A kept value, which an earlier version of the product may have written; undefined when there is none. */
export function readKept(owner: Owner, key: string): unknown {
  const item = memory.get().get(addressOf(owner, key));
  return item && isAlive(item) ? item.value : undefined;
}

export function forget(owner: Owner, key: string): void {
  if (memory.get().has(addressOf(owner, key))) change((items) => drop(items, { owner, key }));
}

const ofOwner = (items: ReadonlyMap<string, Item>, owner: Owner) =>
  [...items.values()].filter((item) => item.owner === owner);

/**
 * Makes the visitor's items those of the user as whom the visitor has logged in. What the user has kept under the same
 * key, such as a draft since their session ended, waits below.
 */
export function handOver(userId: number): void {
  change((items) => {
    for (const item of ofOwner(items, null)) {
      drop(items, item);
      moveBelow(items, userId, item.key);
      put(items, { ...item, owner: userId });
    }
  });
}

function moveBelow(items: Map<string, Item>, owner: Owner, key: string): void {
  const item = items.get(addressOf(owner, key));
  if (!item) return;
  moveBelow(items, owner, key + EARLIER);
  put(items, { ...item, key: key + EARLIER });
}

/** Forgets everything of somebody. */
export function forgetAllOf(owner: Owner): void {
  change((items) => {
    for (const item of ofOwner(items, owner)) drop(items, item);
  });
}

/** The key of the newest draft: such a key begins with the path of a page. Undefined if there is none. */
export function readNewestDraft(isOf: (owner: Owner) => boolean): string | undefined {
  const drafts = [...memory.get().values()].filter((item) => isOf(item.owner) && item.key[0] === '/' && isAlive(item));
  return drafts.sort((one, other) => other.until - one.until)[0]?.key;
}

/**
 * The key of the newest draft of a user. Where nobody is signed in, its owner's session has ended: a logout would have
 * forgotten it.
 */
export const useWaitingDraft = () => useTabMemory(() => readNewestDraft((owner) => owner !== null));

/** The same as readKept, for a component; undefined until the page is hydrated. */
export const useKept = (owner: Owner, key: string) => useTabMemory(() => readKept(owner, key));

const useTabMemory = <Value>(read: () => Value) => useSyncExternalStore(memory.subscribe, read, () => undefined);
