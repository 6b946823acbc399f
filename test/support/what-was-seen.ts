import type { Browser, Page } from 'playwright-core';
import { afterEach } from 'vitest';

const MOST_LETTERS = 3000;
const MOST_IN_LINE = 900;

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

/**
 * The same of one page that is closed before the test has ended. Where `why` is given its first lines get what the page showed: the list
 * of failures at the end of a run is all that is kept of some runs.
 */
export async function tellPage(page: Page, name: string, why?: unknown): Promise<void> {
  const seen = await page.evaluate(lookAround).catch((error: Error) => error.message);
  console.log(`${name}\n${page.url()} showed when it failed:\n${seen.slice(0, MOST_LETTERS)}`);
  if (!(why instanceof Error)) return;
  const line = `The page showed: ${seen.replaceAll(/\s*\n\s*/g, ' | ')}`.slice(0, MOST_IN_LINE);
  const stack = why.stack ?? '';
  why.message = `${line}\n${why.message}`;
  why.stack = `${line}\n${stack}`;
}

/** In the page. A dialog hides the rest from whoever uses it, so it is told alone. */
function lookAround(): string {
  const focused = document.activeElement?.outerHTML.slice(0, 300) ?? 'nothing';
  const dialogs = [...document.querySelectorAll<HTMLElement>('[role=dialog]')];
  const seen = dialogs.length > 0 ? dialogs : [document.body];
  // Text as a person sees it, with its lines and without what is hidden.
  return `the focus is on ${focused}\n${seen.map(({ innerText }) => innerText).join('\n---\n')}`;
}
