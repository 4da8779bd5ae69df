import { type ComponentType, lazy, startTransition, useEffect, useOptimistic, useState } from 'react';
import { useResumed } from '../../begun.ts';
import { notify } from '../../notices.ts';

interface DialogProps {
  onClose: () => void;
}

/**
 * A dialog whose code is loaded when it is first opened, because few readers open it. If that fails, a notice says so in
 * its place, and the page stays as it is, with what is typed there.
 */
export const lateDialog = <Props extends DialogProps>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() =>
    load().then(
      (loaded) => ({ default: loaded }),
      (cause: unknown) => {
        console.warn('A dialog could not be loaded.', cause);
        return { default: NotLoaded };
      },
    ),
  );

/** Opens a late dialog. Until its code is there, the page stays as it is, and the button that was pressed is busy. */
export function useLateDialog<Subject>() {
  const [opened, setOpened] = useState<Subject>();
  const [latest, press] = useOptimistic(opened);
  return {
    /** The subject of the open dialog; undefined while it is closed. */
    opened,
    isOpening: (subject: Subject) => latest === subject && opened !== subject,
    open(subject: Subject): void {
      // An action that is resumed opens its dialog at each rendering.
      if (subject === latest) return;
      startTransition(() => {
        press(() => subject);
        setOpened(() => subject);
      });
    },
    close: () => setOpened(undefined),
  };
}

/** After a module has failed to load, the browser requests it again only after a reload. */
function NotLoaded({ onClose }: DialogProps) {
  // An action that is resumed would open this again as soon as it is closed, for ever.
  useResumed(() => true);
  useEffect(() => {
    notify.failure('This form could not be loaded. Please reload the page and try again.');
    onClose();
  }, [onClose]);
  return null;
}
