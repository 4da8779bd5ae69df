import type { ComponentProps } from 'react';
import { FieldFrame, type FieldTexts } from './field-frame.tsx';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'>, FieldTexts {
  name: string;
}

/** A one-line text field. */
export function Field({ label, help, error, className, ...input }: FieldProps) {
  return (
    <FieldFrame label={label} help={help} error={error} className={className}>
      {(attributes) => <input type="text" dir="auto" {...input} {...attributes} className="input" />}
    </FieldFrame>
  );
}
