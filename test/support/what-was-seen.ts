import type { Browser, Page } from 'playwright-core';
import { afterEach } from 'vitest';

const MOST_LETTERS = 3000;

/** After a test that failed: prints what its pages still show and where the focus is. A rare failure is told by that alone. */
export function tellPagesOfFailures(browser: () => Browser | null): void {
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    for (const page of browser()
      ?.contexts()
      .flatMap((context) => context.pages()) ?? []) {
      await tellPage(page, task.name);
    }
  });
}

/** The same of one page that is closed before the test has ended. */
export async function tellPage(page: Page, name: string): Promise<void> {
  const seen = await page.evaluate(lookAround).catch((error: Error) => error.message);
  console.log(`${name}\n${page.url()} showed when it failed:\n${seen.slice(0, MOST_LETTERS)}`);
}

/** In the page. A dialog hides the rest from whoever uses it, so it is told alone. */
function lookAround(): string {
  const focused = document.activeElement?.outerHTML.slice(0, 300) ?? 'nothing';
  const dialogs = [...document.querySelectorAll<HTMLElement>('[role=dialog]')];
  const seen = dialogs.length > 0 ? dialogs : [document.body];
  // Text as a person sees it, with its lines and without what is hidden.
  return `the focus is on ${focused}\n${seen.map(({ innerText }) => innerText).join('\n---\n')}`;
}
