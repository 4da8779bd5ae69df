import { recordEarlyEvents } from './early-events.ts';
import { takePasswordFromAddress } from './pages/accounts/pending-password.ts';
import './styles/base.css';
import 'virtual:category-hues.css';

/** The longest wait for the first paint: a page in a background tab is not painted until the tab is shown. */
const PAINTED_MAX_MS = 1_000;

/** Resolves after the first contentful paint: before it, running the code would compete with it for the processor. */
function painted(): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAINTED_MAX_MS);
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve(undefined);
    }).observe({ type: 'paint', buffered: true });
  });
}

// First, before any request is sent and before slow code runs.
takePasswordFromAddress();
recordEarlyEvents();

// The server-rendered page is painted first. Its document preloads the code that hydrates it.
if (document.getElementById('root')?.hasChildNodes()) await painted();
await import('./main.tsx');
