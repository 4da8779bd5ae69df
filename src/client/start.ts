import { takePasswordFromAddress } from './pages/accounts/pending-password.ts';
import './styles/base.css';

/** Longest wait for a painting: a page in the background is painted only when somebody looks at it. */
const PAINTED_MAX_MS = 1_000;

/** Resolves when the first text or picture has been seen: a frame that is only due would share the line with the code. */
function painted(): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAINTED_MAX_MS);
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve(undefined);
    }).observe({ type: 'paint', buffered: true });
  });
}

// Before anything that takes time, or that asks a server for more.
takePasswordFromAddress();

for (const element of document.querySelectorAll<HTMLElement>('[data-style]')) {
  element.style.cssText = element.dataset.style ?? '';
}
// What the server drew is seen before the code that brings it to life takes line and processor.
if (document.getElementById('root')?.hasChildNodes()) await painted();
// All at once, where each script would only be asked for by the one before it.
for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-scripts]')) {
  for (const href of dataset.scripts?.split(' ') ?? []) {
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
    );
  }
}
await import('./main.tsx');
