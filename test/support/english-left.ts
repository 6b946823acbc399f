import path from 'node:path';
import type { Page } from 'playwright-core';
import { catalogueOf } from '../../scripts/texts.mjs';

const ROOT = path.join(import.meta.dirname, '../..');
const german = new Map([...catalogueOf(ROOT, 'de').values()].flatMap((texts) => Object.entries(texts)));

/** Texts in view, and names and titles of elements, that the catalogue has in German. */
export async function englishLeft(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push((node.textContent ?? '').trim());
    for (const element of document.querySelectorAll('[aria-label],[title],[placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) found.push(element.getAttribute(name) ?? '');
    }
    return found;
  });
  return [...new Set(texts)].filter((text) => text.length > 3 && (german.get(text) ?? text) !== text);
}
