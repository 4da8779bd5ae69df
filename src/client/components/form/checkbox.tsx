import type { ComponentProps } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string;
  /** Hides the label visually, as in a table whose column head has the same words. */
  hidesLabel?: boolean;
}

export function Checkbox({ label, hidesLabel = false, className = '', ...input }: CheckboxProps) {
  return (
    <label className={`inline-flex min-h-touch min-w-touch items-center gap-3 ${className}`}>
      <input type="checkbox" {...input} className="checkbox" />
      <span className={hidesLabel ? 'sr-only' : undefined}>{label}</span>
    </label>
  );
}
