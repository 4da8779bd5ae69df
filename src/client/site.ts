interface Site {
  readonly siteName: string;
  readonly supportEmail: string;
}

/** Where there is no document to read. */
let provided: Site | undefined;

/** Hands in what the operator calls the site, where pages are drawn without a document. */
export function provideSite(site: Site): void {
  provided = site;
}

/** What the operator calls the site; the server writes both into the document's head. */
function metaContent(name: string, fallback: string): string {
  if (typeof document === 'undefined') return fallback;
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || fallback;
}

export function siteName(): string {
  return provided?.siteName ?? metaContent('application-name', 'School Reviews');
}

export function supportEmail(): string {
  return provided?.supportEmail ?? metaContent('support-email', 'support@example.com');
}
