import { expect, type Page } from 'playwright/test';

/** What a browser's translator does to the text nodes of a page. It runs in the page, before any script of the page. */
function wrapTexts(): void {
  /** The translator leaves these alone. */
  const LEFT_ALONE = 'font, head, script, style, noscript, textarea, svg, code, [translate=no]';
  const isLeftAlone = (text: Node) => !text.textContent?.trim() || text.parentElement?.closest(LEFT_ALONE) !== null;
  function wrap(within: Node): void {
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    const texts: Node[] = within.nodeType === Node.TEXT_NODE ? [within] : [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.isConnected || isLeftAlone(text)) continue;
      const outer = document.createElement('font');
      const inner = outer.appendChild(document.createElement('font'));
      // A new text node: the page keeps the one that it made, which is in the document no more.
      inner.append(text.textContent ?? '');
      text.parentNode?.replaceChild(outer, text);
    }
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes, type } of changes) {
      if (type === 'characterData') wrap(target);
      for (const node of addedNodes) wrap(node);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

/**
 * Translates every page that this tab opens from now on, as a browser does: each text node is replaced by elements of
 * the translator, at once and again whenever texts change. The words stay, so that tests find what they look for.
 */
export const translate = (page: Page) => page.addInitScript(wrapTexts);

/** Expects that the page is translated, and that it is not replaced by an error. */
export async function expectTranslated(page: Page): Promise<void> {
  await expect(page.locator('h1 font font').first()).toBeAttached();
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
}
