import { type ReactNode, type RefObject, useEffect, useId } from 'react';

interface DialogProps {
  /** Close the dialog with `ref.current?.close()`. */
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open while it is rendered. Closing it gives the focus back to the button that opened it. */
export function Dialog({ ref, title, onClose, children }: DialogProps) {
  const titleId = useId();

  useEffect(() => {
    ref.current?.showModal();
  }, [ref]);

  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border border-line bg-surface p-5 text-ink shadow-lg backdrop:bg-night/60 sm:p-6"
      onClose={onClose}
    >
      <h2 id={titleId} className="mb-3 text-xl wrap-anywhere">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
