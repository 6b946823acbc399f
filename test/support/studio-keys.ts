import type { Locator, Page } from 'playwright-core';

/** Walks with the keyboard, as somebody without a pointer does. */

const hasFocus = (control: Locator) => control.evaluate((element) => element === document.activeElement);

/** By Tab. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let n = 0; n < 120; n++) {
    if (await hasFocus(control)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(control)}`);
}

/** By Tab, to the field or button whose name begins so. */
export async function tabToNamed(page: Page, name: string): Promise<void> {
  for (let n = 0; n < 60; n++) {
    const focused = await page.evaluate(() => {
      const now = document.activeElement;
      const label = now instanceof HTMLInputElement || now instanceof HTMLTextAreaElement ? now.labels?.[0] : null;
      return (label?.textContent ?? now?.getAttribute('aria-label') ?? now?.textContent ?? '').trim();
    });
    if (focused.startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to “${name}”.`);
}

/** Into the field that has the focus; what is long comes in one piece, as it is pasted. */
export const writeIn = (page: Page, text: string): Promise<void> =>
  text.length < 30 ? page.keyboard.type(text) : page.keyboard.insertText(text);

/** By the arrows, as in a menu. */
export async function arrowTo(page: Page, item: Locator): Promise<void> {
  await item.waitFor();
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press('ArrowDown');
    if (await hasFocus(item)) return;
  }
  throw new Error(`The arrows do not reach ${String(item)}`);
}
