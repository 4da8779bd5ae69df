import type { KeyboardEvent } from 'react';
import { FieldFrame, type FieldTexts, useLengthLimit } from './fields.tsx';
import { isForInputMethod, useOptionList } from './option-list.ts';

interface ComboboxProps extends FieldTexts {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** The names to suggest for the typed text. */
  options: readonly string[];
  maxLength?: number | undefined;
}

function scrollToOption(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

/** A text field that suggests existing values, and takes any other too (a combobox of WAI-ARIA 1.2). */
export function Combobox({ label, help, error, name, value, onChange, options, maxLength }: ComboboxProps) {
  const list = useOptionList(options.length);
  const { isListed } = list;
  const limit = useLengthLimit({ maxLength, value, help });

  function choose(option: string): void {
    list.close();
    list.activateNone();
    onChange(option);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isForInputMethod(event)) return;
    const chosen = isListed ? options[list.active] : undefined;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      list.step(event.key === 'ArrowDown' ? 1 : -1);
    } else if (isListed && (event.key === 'Escape' || event.key === 'Enter')) {
      // With the list open, Enter chooses and does not send the form.
      event.preventDefault();
      if (event.key === 'Enter' && chosen !== undefined) choose(chosen);
      else list.close();
    }
  }

  return (
    <FieldFrame label={label} help={limit.help} error={error}>
      {(attributes) => (
        <div className="relative">
          <input
            {...attributes}
            type="text"
            name={name}
            dir="auto"
            {...list.field}
            {...limit.attributes}
            value={value}
            onChange={(event) => {
              onChange(event.target.value);
              list.activateNone();
              list.open();
            }}
            onClick={list.open}
            onKeyDown={onKeyDown}
            className="input"
          />
          {isListed && (
            <div
              id={list.listId}
              role="listbox"
              aria-label={label}
              className="absolute inset-x-0 top-full z-20 mt-2 max-h-72 overflow-y-auto rounded-lg border border-line bg-surface py-2 text-ink shadow-lg"
            >
              {options.map((option, index) => (
                <button
                  key={option}
                  {...list.option(index)}
                  ref={index === list.active ? scrollToOption : undefined}
                  onClick={() => choose(option)}
                >
                  <bdi className="min-w-0 wrap-anywhere">{option}</bdi>
                </button>
              ))}
            </div>
          )}
        </div>
      )}
    </FieldFrame>
  );
}
