import { type ReactNode, useId } from 'react';

/** The texts that belong to every kind of field. */
export interface FieldTexts {
  label: string;
  /** Explains what to enter. */
  help?: ReactNode;
  /** Explains what is wrong with the value. */
  error?: string | null;
}

interface FieldFrameProps extends FieldTexts {
  className?: string;
  children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** Label above, help and error below. The child spreads the attributes that connect them with its input. */
export function FieldFrame({ label, help, error, className = '', children }: FieldFrameProps) {
  const id = useId();
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={`needs-script grid gap-1 ${className}`}>
      <label htmlFor={id} className="justify-self-start font-semibold">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      {help && (
        <p id={`${id}-help`} className="text-sm text-ink-soft">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** An error that concerns the whole form, shown above its fields. */
export function FormError({ children }: { children: ReactNode }) {
  return children ? <p className="border-l-4 border-danger pl-3 font-semibold text-danger">{children}</p> : null;
}
