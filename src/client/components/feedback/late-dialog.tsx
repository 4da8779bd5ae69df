import { type ComponentType, lazy, useEffect } from 'react';
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

/** The browser requests a module that failed to load again only after a reload. */
function NotLoaded({ onClose }: DialogProps) {
  useEffect(() => {
    notify.failure('This form could not be loaded. Please reload the page and try again.');
    onClose();
  }, [onClose]);
  return null;
}
