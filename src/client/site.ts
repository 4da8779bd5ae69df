/** What the operator calls the site; the server writes both into the document's head. */
function metaContent(name: string, fallback: string): string {
  if (typeof document === 'undefined') return fallback;
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || fallback;
}

export function siteName(): string {
  return metaContent('application-name', 'School Reviews');
}

export function supportEmail(): string {
  return metaContent('support-email', 'support@example.com');
}
