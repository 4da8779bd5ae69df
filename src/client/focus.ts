/** As a ref: gives an element the focus as soon as it is rendered. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
