import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react';
import { countText, excessOf } from '../../format.ts';
import { DRAWINGS, Drawing } from '../layout/drawing.tsx';

/** The texts that belong to every kind of field. */
export interface FieldTexts {
  label: string;
  help?: ReactNode;
  error?: string | null;
}

interface FieldFrameProps extends FieldTexts {
  className?: string;
  children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** Says what is wrong, below a field. @param id for the `aria-describedby` of the field */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <p id={id} className="text-sm font-semibold text-danger">
      {children}
    </p>
  );
}

/** Label above, help and error below. The child spreads the attributes that connect them with its input. */
export function FieldFrame({ label, help, error, className = '', children }: FieldFrameProps) {
  const id = useId();
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={`needs-script grid content-start gap-1 ${className}`}>
      <label htmlFor={id} className="justify-self-start font-semibold">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      {help && (
        <p id={`${id}-help`} className="text-sm text-ink-soft">
          {help}
        </p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

/** An error that concerns the whole form, shown above its fields. */
export function FormError({ children }: { children: ReactNode }) {
  return children ? <p className="border-l-4 border-danger pl-3 font-semibold text-danger">{children}</p> : null;
}

interface LimitedField {
  maxLength?: number | undefined;
  value?: unknown;
  help?: ReactNode;
}

/**
 * The limit of a text field, which does not cut what is pasted: the help says by how much a text is too long, and
 * `useForm` refuses to send it.
 */
export function useLengthLimit({ maxLength, value, help }: LimitedField) {
  const [typed, setTyped] = useState('');
  const excess = excessOf(typeof value === 'string' ? value : typed, maxLength);
  return {
    help: excess > 0 ? `${countText(excess, 'character')} too many` : help,
    attributes: {
      'data-max': maxLength,
      onInput: ({ currentTarget }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) => setTyped(currentTarget.value),
    },
  };
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'onInput'>, FieldTexts {
  name: string;
}

/** A one-line text field. */
export function Field({ label, help, error, className, maxLength, ...input }: FieldProps) {
  const limit = useLengthLimit({ maxLength, value: input.value, help });
  return (
    <FieldFrame label={label} help={limit.help} error={error} className={className}>
      {(attributes) => (
        <input type="text" dir="auto" {...input} {...limit.attributes} {...attributes} className="input" />
      )}
    </FieldFrame>
  );
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'onInput'>, FieldTexts {
  name: string;
}

/** A text field of several lines. */
export function TextArea({ label, help, error, className, maxLength, ...input }: TextAreaProps) {
  const limit = useLengthLimit({ maxLength, value: input.value, help });
  return (
    <FieldFrame label={label} help={limit.help} error={error} className={className}>
      {(attributes) => (
        <textarea rows={5} dir="auto" {...input} {...limit.attributes} {...attributes} className="input resize-y" />
      )}
    </FieldFrame>
  );
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'id' | 'children'>, FieldTexts {
  name: string;
  options: readonly (readonly [value: string | number, text: string])[];
}

/** A choice from a list. */
export function Select({ label, help, error, className, options, ...select }: SelectProps) {
  return (
    <FieldFrame label={label} help={help} error={error} className={className}>
      {(attributes) => (
        <select {...select} {...attributes} className="input">
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

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

interface SearchInputProps extends ComponentProps<'input'> {
  /** For pages whose first purpose is the search. */
  isLarge?: boolean;
}

/** The input of a search, with its icon. */
export function SearchInput({ isLarge = false, ...input }: SearchInputProps) {
  return (
    <span className="relative block">
      <Drawing
        d={DRAWINGS.search}
        className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-soft ${isLarge ? 'left-5 size-6' : 'left-3.5 size-5'}`}
      />
      <input
        dir="auto"
        {...input}
        className={`input ${isLarge ? 'min-h-16 rounded-lg pl-14 pr-5 text-[length:var(--text-lg)]' : 'pl-11'}`}
      />
    </span>
  );
}
