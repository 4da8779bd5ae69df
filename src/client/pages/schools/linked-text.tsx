const ADDRESS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/;

/** Text in which web addresses are links. Everything else stays plain text. */
export function LinkedText({ children }: { children: string }) {
  return children.split(ADDRESS).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change order.
      <a key={index} href={part} rel="nofollow noopener noreferrer" className="text-link wrap-anywhere">
        {part}
      </a>
    ),
  );
}
