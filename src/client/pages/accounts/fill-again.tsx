import { useRef, useState } from 'react';
import { Button } from '../../components/form/button.tsx';

const PASSWORDS = 'input[autocomplete$="-password"]';

/**
 * For a form that is cleared when it is refused (spec §8). The button brings back what was typed, except the passwords.
 * The values are kept in memory only.
 */
export function useFillAgain() {
  const [lost, setLost] = useState<ReadonlyMap<HTMLInputElement, string>>();
  const wrapper = useRef<HTMLDivElement>(null);

  function clear(form: HTMLFormElement): void {
    const inputs = [...form.querySelectorAll<HTMLInputElement>(`input:not(${PASSWORDS})`)];
    setLost(new Map(inputs.map((input) => [input, input.value])));
    form.reset();
  }

  function fill(): void {
    for (const [input, value] of lost ?? []) input.value = value;
    wrapper.current?.closest('form')?.querySelector<HTMLElement>(PASSWORDS)?.focus();
    setLost(undefined);
  }

  return {
    clear,
    button: lost && (
      <div ref={wrapper}>
        <Button variant="quiet" onClick={fill}>
          Fill in again
        </Button>
      </div>
    ),
  };
}
