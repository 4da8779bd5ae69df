import { useEffect, useRef, useState } from 'react';

/**
 * The list closes this many milliseconds after the field lost the focus, so that a click on it still counts (spec §2).
 */
const CLOSES_AFTER_MS = 200;

/** Whether the list of a combobox is open, and which option is active; -1: none, the field itself. */
export function useOptionList(length: number) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(closing.current), []);
  const close = () => setOpen(false);

  function open(): void {
    clearTimeout(closing.current);
    setOpen(true);
  }

  return {
    isOpen,
    active,
    open,
    close,
    closeSoon: () => {
      closing.current = setTimeout(close, CLOSES_AFTER_MS);
    },
    activateNone: () => setActive(-1),
    /** Goes up or down through the field and the options, and around both ends. */
    step: (by: 1 | -1) => {
      open();
      setActive((before) => ((before + by + 1 + length + 1) % (length + 1)) - 1);
    },
  };
}

export const listId = (id: string) => `${id}-list`;
export const optionId = (id: string, index: number) => `${id}-option-${index}`;

/** The classes of an option. */
export const optionStyle = (isActive: boolean) =>
  `flex min-h-touch w-full flex-wrap items-center gap-x-3 px-5 py-2 text-left ${isActive ? 'bg-brand-soft' : 'hover:bg-sunken'}`;

/** Without this the field would lose the focus and the list would close before the click. */
export const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault();
