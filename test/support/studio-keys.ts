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

/** By the arrows, as in a menu. */
export async function arrowTo(page: Page, item: Locator): Promise<void> {
  await item.waitFor();
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press('ArrowDown');
    if (await hasFocus(item)) return;
  }
  throw new Error(`The arrows do not reach ${String(item)}`);
}
