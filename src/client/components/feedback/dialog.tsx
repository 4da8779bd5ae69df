import { type ReactNode, type RefObject, useId, useLayoutEffect } from 'react';
import type { useForm } from '../../form.ts';
import { Button } from '../form/button.tsx';
import { FormError } from '../form/fields.tsx';

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

  // The dialog opens before the effects of its content run: a draft focuses its submit button, which must be visible.
  useLayoutEffect(() => {
    ref.current?.showModal();
    // Otherwise "Discard" would have the focus, which the note of a draft shows above the fields.
    ref.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [ref]);

  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      className="m-auto w-[calc(100%-2rem)] max-w-md scroll-pb-20 rounded-lg border border-line bg-surface p-5 text-ink shadow-lg backdrop:bg-night/60 sm:p-6"
      onClose={onClose}
    >
      <h2 id={titleId} className="mb-3 text-xl wrap-anywhere">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

interface FormDialogProps extends DialogProps {
  form: Pick<ReturnType<typeof useForm>, 'problem' | 'isPending' | 'onSubmit'>;
  sendLabel: string;
  isDangerous?: boolean;
}

/** A dialog with a form. Its children are the fields. */
export function FormDialog({ form, sendLabel, isDangerous, children, onClose, ...dialog }: FormDialogProps) {
  function close(): void {
    form.problem.dismissFailures();
    onClose();
  }
  return (
    <Dialog {...dialog} onClose={close}>
      <form method="post" noValidate onSubmit={form.onSubmit} className="grid gap-3">
        <DialogError>{form.problem.errorOf()}</DialogError>
        {children}
        <div className="sticky -bottom-5 max-[16rem]:static -mx-5 -mb-5 flex flex-wrap gap-3 border-t border-line bg-surface px-5 pt-4 pb-5 sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:px-6 sm:pb-6">
          <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} isPending={form.isPending}>
            {sendLabel}
          </Button>
          <Button variant="quiet" onClick={() => dialog.ref.current?.close()}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ConfirmDialogProps extends DialogProps {
  error: string | null | undefined;
  confirmLabel: string;
  isPending: boolean;
  isDisabled?: boolean;
  onConfirm: () => void;
}

/** Asks before an action that has no Undo. Cancel comes first: pressing Enter twice must not confirm. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { error, confirmLabel, isPending, isDisabled, onConfirm, children, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      <div className="grid gap-3">
        {children}
        <DialogError>{error}</DialogError>
        <div className="flex flex-wrap gap-3">
          <Button variant="quiet" onClick={() => dialog.ref.current?.close()}>
            Cancel
          </Button>
          <Button variant="danger" isPending={isPending} disabled={isDisabled} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** An error of a dialog. It has its own alert, because notices on the page below a modal dialog are not announced. */
function DialogError({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="empty:hidden">
      <FormError>{children}</FormError>
    </div>
  );
}
