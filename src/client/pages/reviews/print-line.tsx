import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

/** Printed only: the address and the time of printing. */
export function PrintLine() {
  const [now, setNow] = useState<Date>();
  useEffect(() => {
    setNow(new Date());
    // Synchronous, because the browser lays out the printed page right after this event.
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
