import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';

interface LongTextProps {
  children: ReactNode;
  /** How many lines are shown at first: more where there is room beside the text. */
  lines?: 'lines-2' | 'lines-3 lg:lines-7';
}

/** The first lines of a text, with a button that shows the rest. Print and pages without a script show all of it. */
export function LongText({ children, lines = 'lines-3 lg:lines-7' }: LongTextProps) {
  const id = useId();
  const text = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  const [isOpen, setOpen] = useState(false);

  useLayoutEffect(() => {
    const element = text.current;
    if (!element || isOpen) return;
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);

  return (
    // `dir` is on the parent, because the button is at the end of the last line in the direction of the text.
    <div dir="auto" className="relative max-w-prose">
      {/* A link in the hidden part becomes visible when it takes the focus. */}
      <p
        ref={text}
        id={id}
        className={`whitespace-pre-line wrap-anywhere ${isOpen ? '' : lines}`}
        onFocus={() => setOpen(true)}
      >
        {children}
      </p>
      {isCut && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className={`text-link no-print needs-script font-semibold ${isOpen ? 'min-h-touch' : 'ends-line'}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'less' : 'more'}
        </button>
      )}
    </div>
  );
}
