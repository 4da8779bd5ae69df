import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { passFocusOn } from '../../navigation.ts';
import { dismissNotice, type Notice, recordNavigation, useNotices } from '../../notices.ts';
import { DRAWINGS, Drawing } from '../layout/drawing.tsx';

const ICONS = {
  failure: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 8v5M12 16.2v.1',
  success: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM8.5 12l2.5 2.5 4.5-5',
};

/** How long a notice stays. */
const SHOWN_MS = { success: 8_000, failure: 12_000 };

/**
 * The notices on screen, the newest on top. They are in a strip below the header, where no form control is covered
 * unless the user scrolls it there. A failure is inserted with role alert and is announced at once. A success is
 * inserted into a polite live region that exists before it: otherwise its role status would often not be announced.
 */
export function NoticeRegion({ isBelowHeader }: { isBelowHeader: boolean }) {
  const notices = useNotices();
  const { pathname } = useLocation();
  const lastPath = useRef(pathname);
  const [focusBefore, handlers] = useFocusBefore();
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    recordNavigation();
  }, [pathname]);
  const cardsOf = (kind: Notice['kind']) =>
    notices
      .filter((notice) => notice.kind === kind)
      .toReversed()
      .map((notice) => <NoticeCard key={notice.id} notice={notice} order={-notice.id} focusBefore={focusBefore} />);
  return (
    <div
      {...handlers}
      className={`no-print pointer-events-none fixed inset-x-2 z-20 flex flex-col gap-2 sm:inset-x-4 sm:items-center ${isBelowHeader ? 'top-16' : 'top-2'}`}
    >
      <div className="contents">{cardsOf('failure')}</div>
      <div className="contents" aria-live="polite">
        {cardsOf('success')}
      </div>
    </div>
  );
}

/** Remembers what had the focus before a notice took it. */
function useFocusBefore() {
  const focusBefore = useRef<HTMLElement>(null);
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // Safe: only HTML elements take the focus here.
    if (!currentTarget.contains(relatedTarget)) focusBefore.current = relatedTarget as HTMLElement | null;
  };
  return [focusBefore, { onFocus }] as const;
}

interface NoticeCardProps {
  notice: Notice;
  order: number;
  focusBefore: RefObject<HTMLElement | null>;
}

function NoticeCard({ notice: { id, kind, text, action }, order, focusBefore }: NoticeCardProps) {
  const { isHeld, handlers } = useHold();

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(dismissNotice, SHOWN_MS[kind], id);
    return () => clearTimeout(timer);
  }, [id, kind, isHeld]);

  const isFailure = kind === 'failure';
  return (
    <div
      ref={(card) => passFocusOn(card, () => focusBefore.current)}
      className={`notice card pointer-events-auto flex w-full animate-arrive items-start gap-2 max-[16rem]:flex-wrap border-l-4 pl-3 shadow-lg sm:w-auto sm:max-w-md ${isFailure ? 'border-l-danger' : 'border-l-success'}`}
      style={{ order }}
      {...handlers}
    >
      <Drawing d={ICONS[kind]} className={`my-3 size-5 ${isFailure ? 'text-danger' : 'text-success'}`} />
      <p
        role={isFailure ? 'alert' : 'status'}
        className="grow max-[16rem]:basis-0 py-3 text-sm sm:py-2.5 sm:text-base sm:leading-snug"
      >
        {text}
      </p>
      {action && (
        <button
          type="button"
          className="text-link min-h-touch px-2 font-semibold"
          onClick={() => {
            dismissNotice(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="ml-auto grid size-11 shrink-0 place-items-center rounded-sm text-ink-soft hover:bg-sunken"
        onClick={() => dismissNotice(id)}
      >
        <Drawing d={DRAWINGS.cross} className="size-5" />
      </button>
    </div>
  );
}

/**
 * Whether the user keeps a notice on screen, by focusing it or pointing at it. A notice that appears below a resting
 * pointer does not count: only a movement of the pointer on it does.
 */
function useHold() {
  const [isHeld, setHeld] = useState(false);
  const enteredAt = useRef({ x: 0, y: 0 });
  const release = () => setHeld(false);
  return {
    isHeld,
    handlers: {
      onPointerEnter: ({ clientX, clientY }: PointerEvent) => {
        enteredAt.current = { x: clientX, y: clientY };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        if (clientX !== enteredAt.current.x || clientY !== enteredAt.current.y) setHeld(true);
      },
      onPointerLeave: release,
      onFocus: () => setHeld(true),
      onBlur: release,
    },
  };
}
