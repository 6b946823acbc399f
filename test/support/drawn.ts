import type { Page } from 'playwright-core';

/** How much of a page React draws anew. Each drawing of a component counts, and the components that are there. */

type Fiber = {
  /** 0 a function, 1 a class, 11 and 15 forwarded and memoized ones; others are elements, texts and React's own. */
  tag: number;
  flags: number;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
};
type Drawing = { root: Fiber | null; drawn: number };
type Hooked = typeof globalThis & { drawing: Drawing; __REACT_DEVTOOLS_GLOBAL_HOOK__: unknown };

/** From the next time that a page is loaded here. React tells its developer tools of each commit, in built pages, too. */
export async function watchDrawing(page: Page): Promise<void> {
  await page.addInitScript(watchInPage);
}

// Both run in the page: nothing of this file is there.
function watchInPage(): void {
  const PERFORMED_WORK = 1;
  const COMPONENTS = [0, 1, 11, 15];
  const drawing: Drawing = { root: null, drawn: 0 };
  const countDrawn = (first: Fiber | null): void => {
    for (let fiber = first; fiber; fiber = fiber.sibling) {
      if (COMPONENTS.includes(fiber.tag) && (fiber.flags & PERFORMED_WORK) !== 0) drawing.drawn++;
      // The same children as before were left as they are.
      if (fiber.child !== fiber.alternate?.child) countDrawn(fiber.child);
    }
  };
  Object.assign(globalThis, {
    drawing,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      renderers: new Map(),
      inject: () => 1,
      onCommitFiberRoot: (_renderer: number, { current }: { current: Fiber }) => {
        drawing.root = current;
        countDrawn(current.child);
      },
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    },
  });
}

/** What was drawn since this was last asked, and how many components the page has now. `again`: it is asked for once more. */
export async function drawnSince(page: Page, next?: 'again'): Promise<{ drawn: number; components: number }> {
  return page.evaluate((isAskedAgain) => {
    const COMPONENTS = [0, 1, 11, 15];
    const { drawing } = globalThis as Hooked;
    const count = (first: Fiber | null): number => {
      let sum = 0;
      for (let fiber = first; fiber; fiber = fiber.sibling)
        sum += (COMPONENTS.includes(fiber.tag) ? 1 : 0) + count(fiber.child);
      return sum;
    };
    const { drawn } = drawing;
    if (!isAskedAgain) drawing.drawn = 0;
    return { drawn, components: count(drawing.root) };
  }, next === 'again');
}
