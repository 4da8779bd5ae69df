import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const today = () => new Date().toLocaleDateString('en-US', { dateStyle: 'long' });

/** Printed only: the address and the day of printing. */
export function PrintLine() {
  const [day, setDay] = useState<string>();
  useEffect(() => {
    // Synchronous, because the browser lays out the printed page right after this event.
    const update = () => flushSync(() => setDay(today()));
    addEventListener('beforeprint', update);
    return () => removeEventListener('beforeprint', update);
  }, []);
  if (day === undefined) return null;
  return (
    <p className="hidden wrap-anywhere print:block">
      Read on {day} at {location.href}
    </p>
  );
}
