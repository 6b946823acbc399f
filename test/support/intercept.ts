import type { Page, Route } from 'playwright-core';

/** No route of the studio has this address. */
const PROBE = '/is-intercepted';

/**
 * Answers requests of a page that is shown already. Chromium says that it intercepts before the page's own process knows it, and a
 * request that is made at once, of a key that is pressed next, passes by (2 % on a busy machine): the page asks until it is heard.
 */
export async function interceptRequests(
  page: Page,
  address: string | RegExp,
  answer: (route: Route) => unknown,
): Promise<void> {
  await page.route(address, answer);
  const heard = (route: Route): Promise<void> => route.fulfill({ status: 204 });
  await page.route(`**${PROBE}`, heard);
  await page.evaluate(async (probe) => {
    while ((await fetch(probe)).status !== 204);
  }, PROBE);
  await page.unroute(`**${PROBE}`, heard);
}
