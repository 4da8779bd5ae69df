const ADDRESS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/;

/** Text with the web addresses in it made into links; everything else stays the characters it is. */
export function LinkedText({ children }: { children: string }) {
  return children.split(ADDRESS).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
      <a key={index} href={part} rel="nofollow noopener noreferrer" className="text-link wrap-anywhere">
        {part}
      </a>
    ),
  );
}
