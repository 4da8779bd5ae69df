import type { ComponentProps } from 'react';
import { FieldFrame, type FieldTexts } from './field-frame.tsx';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id'>, FieldTexts {
  name: string;
}

/** A text field of several lines. */
export function TextArea({ label, help, error, className, ...input }: TextAreaProps) {
  return (
    <FieldFrame label={label} help={help} error={error} className={className}>
      {(attributes) => <textarea rows={5} dir="auto" {...input} {...attributes} className="input resize-y" />}
    </FieldFrame>
  );
}
