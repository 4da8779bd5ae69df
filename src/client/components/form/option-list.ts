import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

/**
 * The list closes this many milliseconds after the field lost the focus, so that a click on it still counts (spec §2).
 */
const CLOSE_DELAY_MS = 200;

/** A combobox of WAI-ARIA 1.2: whether its list is open, and the index of the active option (-1: the field itself). */
export function useOptionList(length: number) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(closing.current), []);
  const close = () => setOpen(false);
  const keepOpen = () => clearTimeout(closing.current);
  const closeLater = () => {
    closing.current = setTimeout(close, CLOSE_DELAY_MS);
  };

  function open(): void {
    keepOpen();
    setOpen(true);
  }

  const listId = `${id}-list`;
  const optionId = (index: number) => `${id}-option-${index}`;
  const isListed = isOpen && length > 0;

  return {
    isOpen,
    /** Whether there are options to see. */
    isListed,
    active,
    open,
    close,
    listId,
    /** The attributes of the field. */
    field: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': isListed,
      'aria-controls': isListed ? listId : undefined,
      'aria-activedescendant': isListed && active >= 0 ? optionId(active) : undefined,
      autoComplete: 'off',
      onBlur: closeLater,
    } as const,
    /** The attributes of a box that holds links or buttons beside the list: it stays while the focus is in it. */
    box: { onFocus: keepOpen, onBlur: closeLater },
    /** The attributes of an option, a button in the list. */
    option: (index: number) =>
      ({
        type: 'button',
        id: optionId(index),
        role: 'option',
        'aria-selected': index === active,
        tabIndex: -1,
        onMouseDown: keepFocus,
        className: `flex min-h-touch w-full flex-wrap items-center gap-x-3 px-5 py-2 text-left ${index === active ? 'bg-brand-soft' : 'hover:bg-sunken'}`,
      }) as const,
    activateNone: () => setActive(-1),
    /** Goes up or down through the field and the options, and around both ends. */
    step: (by: 1 | -1) => {
      open();
      setActive((before) => ((before + by + 1 + length + 1) % (length + 1)) - 1);
    },
  };
}

/** For presses on the list: they would take the focus from the field, and the list would close before the click. */
export const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault();

/**
 * Whether a key belongs to an input method, such as one for Chinese: it chooses among words with Enter and the arrows,
 * and leaves them with Escape. Safari ends the composition before it reports the key, whose code is then 229.
 */
export const isForInputMethod = ({ nativeEvent: { isComposing, keyCode } }: KeyboardEvent) =>
  isComposing || keyCode === 229;
