import { type ComponentProps, useState } from 'react';
import { FieldFrame, type FieldTexts } from './fields.tsx';

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'type'>, FieldTexts {
  name: string;
  autoComplete: 'current-password' | 'new-password';
}

/** A password field with a button that shows the characters. */
export function PasswordField({ label, help, error, className, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <FieldFrame label={label} help={help} error={error} className={className}>
      {(attributes) => (
        <span className="relative">
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...attributes}
            type={isShown ? 'text' : 'password'}
            className="input pr-18"
          />
          {/* The accessible name of the button is only "Show": the label belongs to the field. */}
          <button
            type="button"
            className="text-link absolute inset-y-0 right-0 min-w-16 px-3 text-sm font-semibold"
            aria-pressed={isShown}
            aria-controls={attributes.id}
            onClick={() => setShown(!isShown)}
          >
            Show
          </button>
        </span>
      )}
    </FieldFrame>
  );
}
