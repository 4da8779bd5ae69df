import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

// The memory of the tab. Only this module uses sessionStorage, whose content outlives a reload or a discarded tab and
// ends when the tab is closed. Where storage is off or full, memory serves. Passwords and codes are never kept.

/** The owner of a kept value: a user's id, or null for a visitor, who may log in as any user. */
export type Owner = number | null;

const DAY_MS = 24 * 60 * 60_000;

interface Item {
  readonly owner: Owner;
  readonly key: string;
  /** When it is forgotten, in milliseconds since 1970. */
  readonly until: number;
  readonly value: unknown;
}

/** Distinguishes the keys of items in the storage from those of texts. */
const ITEM_PREFIX = 'kept ';

/** The end of the key of a value that a newer one with the same key has displaced. */
export const EARLIER_SUFFIX = ' earlier';

const isUnexpired = ({ until }: Item) => until > Date.now();

const storageKeyOf = (owner: Owner, key: string) => `${ITEM_PREFIX}${owner ?? ''} ${key}`;

/** @returns undefined where storage is off or full */
function tryStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch (cause) {
    console.info('The browser stores nothing for this tab.', cause);
    return undefined;
  }
}

/** A text without an owner, such as the token. Unlike an item it is not forgotten after a time. */
export function readText(key: string): string | null {
  return tryStorage((storage) => storage.getItem(key)) ?? null;
}

/** @param text null removes it */
export function storeText(key: string, text: string | null): void {
  tryStorage((storage) => (text === null ? storage.removeItem(key) : storage.setItem(key, text)));
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
  const storageKeys = tryStorage((storage) => Object.keys(storage)) ?? [];
  const items = new Map<string, Item>();
  for (const storageKey of storageKeys.filter((one) => one.startsWith(ITEM_PREFIX))) {
    const item = parseItem(readText(storageKey));
    if (item && isUnexpired(item)) items.set(storageKey, item);
    else storeText(storageKey, null);
  }
  return items;
}

const memory = createStore<ReadonlyMap<string, Item>>(new Map(), readItems);

function changeItems(apply: (items: Map<string, Item>) => void): void {
  const items = new Map(memory.get());
  for (const item of items.values()) {
    if (!isUnexpired(item)) dropItem(items, item);
  }
  apply(items);
  memory.set(items);
}

function putItem(items: Map<string, Item>, item: Item): void {
  const storageKey = storageKeyOf(item.owner, item.key);
  items.set(storageKey, item);
  storeText(storageKey, JSON.stringify(item));
}

function dropItem(items: Map<string, Item>, { owner, key }: Pick<Item, 'owner' | 'key'>): void {
  const storageKey = storageKeyOf(owner, key);
  if (items.delete(storageKey)) storeText(storageKey, null);
}

/** @param lifeMs after this time the value is forgotten */
export function keep(owner: Owner, key: string, value: unknown, lifeMs = DAY_MS): void {
  changeItems((items) => putItem(items, { owner, key, value, until: Date.now() + lifeMs }));
}

/** A kept value, which an earlier release may have written; undefined when there is none. */
export function readKept(owner: Owner, key: string): unknown {
  const item = memory.get().get(storageKeyOf(owner, key));
  return item && isUnexpired(item) ? item.value : undefined;
}

export function forget(owner: Owner, key: string): void {
  if (memory.get().has(storageKeyOf(owner, key))) changeItems((items) => dropItem(items, { owner, key }));
}

const itemsOf = (items: ReadonlyMap<string, Item>, owner: Owner) =>
  [...items.values()].filter((item) => item.owner === owner);

/**
 * Gives the visitor's items to the user as whom the visitor has logged in. They displace what the user has kept under the
 * same keys, such as a draft from before their session ended.
 */
export function giveToUser(userId: number): void {
  changeItems((items) => {
    for (const item of itemsOf(items, null)) {
      dropItem(items, item);
      displace(items, userId, item.key);
      putItem(items, { ...item, owner: userId });
    }
  });
}

/** Moves the item with this key to the key of an earlier one. */
function displace(items: Map<string, Item>, owner: Owner, key: string): void {
  const item = items.get(storageKeyOf(owner, key));
  if (!item) return;
  displace(items, owner, key + EARLIER_SUFFIX);
  putItem(items, { ...item, key: key + EARLIER_SUFFIX });
}

/** Forgets everything of somebody. */
export function forgetAllOf(owner: Owner): void {
  changeItems((items) => {
    for (const item of itemsOf(items, owner)) dropItem(items, item);
  });
}

/** The key of the newest draft of the matching owners. Keys of drafts begin with the path of a page. */
export function readNewestDraft(matches: (owner: Owner) => boolean): string | undefined {
  const drafts = [...memory.get().values()].filter(
    (item) => matches(item.owner) && item.key[0] === '/' && isUnexpired(item),
  );
  return drafts.sort((one, other) => other.until - one.until)[0]?.key;
}

/** Whether the form with this key is on the page with this address. */
export const isOnPage = (key: string | undefined, address = '') =>
  key?.startsWith(`${address.split(/[?#]/)[0]} `) === true;

/** Whether a draft of any form on the page with this path is kept. */
export const hasDraftOn = (path: string): boolean =>
  [...memory.get().values()].some((item) => isUnexpired(item) && isOnPage(item.key, path));

/**
 * The key of the newest draft of a user. While nobody is signed in, it is from a session that the server has ended: a
 * logout would have forgotten the draft.
 */
export const useWaitingDraft = () => useTabMemory(() => readNewestDraft((owner) => owner !== null));

/** The same as readKept, for a component; undefined until the page is hydrated. */
export const useKept = (owner: Owner, key: string) => useTabMemory(() => readKept(owner, key));

const useTabMemory = <Value>(read: () => Value) => useSyncExternalStore(memory.subscribe, read, () => undefined);
