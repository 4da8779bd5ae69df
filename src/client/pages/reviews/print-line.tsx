import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

/** On paper alone: where this was read, and when. */
export function PrintLine() {
  const [now, setNow] = useState<Date>();
  useEffect(() => {
    setNow(new Date());
    // The paper is made right after this event.
    const update = () => flushSync(() => setNow(new Date()));
    addEventListener('beforeprint', update);
    return () => removeEventListener('beforeprint', update);
  }, []);
  if (!now) return null;
  return (
    <p className="print-only wrap-anywhere">
      Read on {DAY.format(now)} at {location.href}
    </p>
  );
}
