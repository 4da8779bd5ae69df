import { recordEarlyEvents } from './early-events.ts';
import { takePasswordFromAddress } from './pages/accounts/pending-password.ts';
import './styles/base.css';
import 'virtual:category-hues.css';

/**
 * The page's code is requested this long after the navigation at the latest. On a slow line that does no harm: once the
 * style is there the code competes with nothing, and it arrives after the paint. A page in a background tab is not
 * painted until the tab is shown.
 */
const ASKED_MAX_MS = 600;

/** Resolves after the first paint, or after ASKED_MAX_MS. */
function waitForPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, ASKED_MAX_MS - performance.now());
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
  });
}

// These two come first, before any request is sent and before slow code runs.
takePasswordFromAddress();
recordEarlyEvents();

// The server-rendered page is painted first: the code that hydrates it would compete for network and processor.
if (document.getElementById('root')?.hasChildNodes()) await waitForPaint();
// All at once: otherwise each script is requested only after the one that imports it has arrived.
for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-scripts]')) {
  for (const href of dataset.scripts?.split(' ') ?? []) {
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
    );
  }
}
await import('./main.tsx');
