import { Fragment } from 'react';

/** Some text and the web address that follows it; the last match has none. */
const PARTS = /(.*?)(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]|$)/gs;

/** Text in which web addresses are links. Everything else stays plain text. */
export function LinkedText({ children }: { children: string }) {
  return [...children.matchAll(PARTS)].map(({ index, 1: text, 2: address }) => (
    <Fragment key={index}>
      {text}
      {address && (
        <a href={address} rel="nofollow noopener noreferrer" className="text-link wrap-anywhere">
          {address}
        </a>
      )}
    </Fragment>
  ));
}
