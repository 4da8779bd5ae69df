import type { ProposalMode } from '../contract/proposals.ts';

interface Site {
  readonly siteName: string;
  readonly supportEmail: string;
  readonly proposals: ProposalMode;
}

/** Set on the server, which has no document to read. */
let providedSite: Site | undefined;

/** Sets the settings that server rendering needs. */
export function provideSite(site: Site): void {
  providedSite = site;
}

/** A setting that the server writes into the document's head. */
function metaContent(name: string, fallback: string): string {
  if (typeof document === 'undefined') return fallback;
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || fallback;
}

export function siteName(): string {
  return providedSite?.siteName ?? metaContent('application-name', 'School Reviews');
}

export function supportEmail(): string {
  return providedSite?.supportEmail ?? metaContent('support-email', 'support@example.com');
}

/** How proposals are handled; off: none can be made. */
export function proposalMode(): ProposalMode {
  return providedSite?.proposals ?? (metaContent('proposals', 'review') as ProposalMode);
}
