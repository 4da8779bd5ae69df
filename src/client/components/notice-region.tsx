import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { dismissNotice, type Notice, useNotices } from '../notices.ts';

/** How long a notice stays, in milliseconds; the contract asks for 6 seconds at least (§3). */
const STAY = { success: 8_000, failure: 12_000 };

/**
 * The notices on screen. A failure is inserted with role alert, which is announced at once; a success stands in a
 * polite live region that was there before it, without which its role status would often go unheard.
 */
export function NoticeRegion() {
  const notices = useNotices();
  const show = (kind: Notice['kind']) =>
    notices.filter((notice) => notice.kind === kind).map((notice) => <NoticeCard key={notice.id} notice={notice} />);
  return (
    <div className="no-print pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-end gap-3 sm:left-auto sm:w-96">
      <div className="contents">{show('failure')}</div>
      <div className="contents" aria-live="polite">
        {show('success')}
      </div>
    </div>
  );
}

function NoticeCard({ notice: { id, kind, text } }: { notice: Notice }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(dismissNotice, STAY[kind], id);
    return () => clearTimeout(timer);
  }, [id, kind, isHeld]);

  const isFailure = kind === 'failure';
  const Icon = isFailure ? CircleAlert : CircleCheck;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at a notice only keeps it on screen.
    <div
      className={`card pointer-events-auto flex w-full animate-arrive items-start gap-3 border-l-4 py-2 pr-2 pl-4 shadow-lg ${isFailure ? 'border-l-danger' : 'border-l-success'}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon aria-hidden="true" className={`mt-2.5 size-5 shrink-0 ${isFailure ? 'text-danger' : 'text-success'}`} />
      <p role={isFailure ? 'alert' : 'status'} className="grow py-2 leading-snug">
        {text}
      </p>
      <button
        type="button"
        aria-label="Dismiss"
        className="grid size-11 shrink-0 place-items-center rounded-sm text-ink-soft hover:bg-sunken"
        onClick={() => dismissNotice(id)}
      >
        <X aria-hidden="true" className="size-5" />
      </button>
    </div>
  );
}
