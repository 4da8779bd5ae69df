// How texts are made alike before they are compared, on both sides: what the browser finds, the server finds too.

/** Without case, accents kept. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Without case and accents, so that É stands by E in lists and not after Z. */
export function foldAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
