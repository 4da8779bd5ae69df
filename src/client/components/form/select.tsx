import type { ComponentProps } from 'react';
import { FieldFrame, type FieldTexts } from './field-frame.tsx';

interface SelectProps extends Omit<ComponentProps<'select'>, 'id'>, FieldTexts {
  name: string;
}

/** A choice from a list; the children are its options. */
export function Select({ label, help, error, className, children, ...select }: SelectProps) {
  return (
    <FieldFrame label={label} help={help} error={error} className={className}>
      {(attributes) => (
        <select {...select} {...attributes} className="input">
          {children}
        </select>
      )}
    </FieldFrame>
  );
}
