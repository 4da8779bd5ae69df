import { takePasswordFromAddress } from './pages/accounts/pending-password.ts';
import './styles/base.css';
import 'virtual:category-hues.css';

/**
 * How long after the navigation the page's code is requested even without a paint, because a tab in the background is
 * not painted until it is shown. Where this comes before the paint, on a slow line, it does no harm: the style is
 * already there, and the code arrives after the paint.
 */
const ASKED_MAX_MS = 600;

/** Resolves after the first paint, or after ASKED_MAX_MS. */
function waitForPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, ASKED_MAX_MS - performance.now());
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
  });
}

// First, before any request is sent.
takePasswordFromAddress();

// An async script can be there before the document is.
if (document.readyState === 'loading')
  await new Promise((resolve) => document.addEventListener('readystatechange', resolve));
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
