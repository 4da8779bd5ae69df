import { takePasswordFromAddress } from './pages/accounts/pending-password.ts';
import './styles/base.css';
import 'virtual:category-hues.css';

/**
 * The latest time, after the navigation, at which the page's code is requested: a tab in the background is not painted
 * until it is shown. On a slow line this can come before the paint, which does no harm: the style is already there, and
 * the code arrives after the paint.
 */
const REQUESTED_MAX_MS = 600;

/** Resolves after the first paint, or after REQUESTED_MAX_MS. */
function waitForPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, REQUESTED_MAX_MS - performance.now());
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
  });
}

// First, before any request is sent.
takePasswordFromAddress();

// An async script can run before the document is parsed.
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
try {
  await import('./main.tsx');
} catch (cause) {
  // Without the code, which a new version may have renamed, buttons do nothing: the page must not be silent about it.
  const notice = document.createElement('p');
  notice.role = 'alert';
  notice.className = 'notice card fixed inset-x-2 bottom-2 z-40 p-4';
  notice.textContent = 'This page was not loaded completely. Please reload it.';
  document.body.append(notice);
  throw cause;
}
