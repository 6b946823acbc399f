import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';

/** A real Chromium, headless, driven by playwright-core. */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
/** The same engine without a browser's own windows, menus and services. */
const SHELL = 'chromium-headless-shell';

function findChromium(names: readonly string[] = NAMES): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => fs.existsSync(file));
  const file = process.env.CHROMIUM_PATH ?? found;
  if (!file) throw new Error(`no Chromium was found: install ${NAMES[0]}, or set CHROMIUM_PATH`);
  return file;
}

// No sandbox: tests often run as root in a container, where Chromium's own refuses to start.
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--disable-lcd-text'];

/** Without a process that draws by a graphics card which is not there: a sixth less of a processor, and the same pictures. */
const SHELL_ARGS = [...args, '--disable-gpu'];

/** SHOW_BROWSER=1 of a test's run: its browser is shown, and each of its acts takes a moment (CONTRIBUTING.md). */
const SHOWN_MS = 250;

/** For tests of what a page does: Chromium's shell where it is installed, which takes a fifth less of a processor. */
export const startShell = (): Promise<Browser> =>
  process.env.SHOW_BROWSER
    ? chromium.launch({ executablePath: findChromium(), headless: false, slowMo: SHOWN_MS, args })
    : chromium.launch({ executablePath: findChromium([SHELL, ...NAMES]), headless: true, args: SHELL_ARGS });

/** `display`: a browser with windows on it, which shares the whole of it when a page asks for the screen. */
export function startBrowser(display?: { env: NodeJS.ProcessEnv }): Promise<Browser> {
  if (!display) return chromium.launch({ executablePath: findChromium(), headless: true, args });
  const share = '--auto-select-desktop-capture-source=Entire screen';
  const env = Object.fromEntries(Object.entries(display.env).filter((one): one is [string, string] => !!one[1]));
  return chromium.launch({ executablePath: findChromium(), headless: false, env, args: [...args, share] });
}

export type Look = { width?: number; height?: number; scheme?: 'light' | 'dark'; language?: string };

/** The faults of a page that no test asked for: exceptions, and what the browser refused by the page's policy. */
export type Watched = { context: BrowserContext; page: Page; faults: string[] };

/** A window of its own (own cookies), signed in by an address of its own; `at` is the page that it opens, by its path. */
export async function openStudio(
  browser: Browser,
  server: { login(): Promise<string> },
  look: Look = {},
  at = '/',
): Promise<Watched> {
  const { width = 1366, height = 768, scheme = 'light', language = 'en-US' } = look;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, locale: language });
  const login = new URL(await server.login());
  const address = new URL(at, login.origin);
  for (const [name, value] of login.searchParams) address.searchParams.append(name, value);
  const { page, faults } = await openTab(context, address.href);
  return { context, page, faults };
}

/** One more tab of the same window. */
export async function openTab(context: BrowserContext, address: string): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  // Ends what hangs; a busy machine may need many seconds for what a quiet one does at once.
  page.setDefaultTimeout(45_000);
  watchRequests(page);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(address, { waitUntil: 'load' });
  // The page that signs in goes on by itself.
  await page.waitForURL((url) => !url.searchParams.has('code'));
  await heard(page);
  return { page, faults };
}

/** The page has its heading and listens to keys: what a person would have seen before pressing one. */
export async function heard(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  // Effects run after the frame that shows the heading.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

const asking = new WeakMap<Page, Set<Request>>();

/** Keeps what a page asks for and has not got yet. A stream of events counts as got when it begins: it never ends. */
function watchRequests(page: Page): void {
  const open = new Set<Request>();
  asking.set(page, open);
  page.on('request', (request) => void open.add(request));
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) open.delete(response.request());
  });
}

/**
 * Nothing is on its way or moves any more: every answer has come, no transition runs, and the page has stayed as it is for a
 * moment. A fixed time would be too long on a quiet machine and too short on a busy one.
 */
export async function still(page: Page): Promise<void> {
  const end = performance.now() + 10_000;
  const open = asking.get(page);
  do {
    while (open && open.size > 0 && performance.now() < end) await page.waitForTimeout(20);
    await page.evaluate(
      (momentMs) =>
        new Promise<void>((done) => {
          const begin = performance.now();
          let changed = begin;
          const observer = new MutationObserver(() => {
            changed = performance.now();
          });
          observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
          const look = () => {
            const now = performance.now();
            const moves = document.getAnimations().some(({ playState, effect }) => {
              // A loader turns for ever.
              return playState === 'running' && Number.isFinite(Number(effect?.getComputedTiming().endTime));
            });
            if (moves) changed = now;
            if (now - changed < momentMs && now - begin < 5000) return requestAnimationFrame(look);
            observer.disconnect();
            done();
          };
          requestAnimationFrame(look);
        }),
      120,
    );
  } while (open && open.size > 0 && performance.now() < end);
}

export type Violation = { id: string; impact: string; help: string; where: string[] };

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe that look at colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * The serious or critical findings of axe on the page, once it is still: colours that change are not those that are read.
 * `within`: in the elements of this selector alone. `colours`: a page of which all else was read in its other colours.
 */
export async function axeViolations(
  page: Page,
  within: string | null = null,
  what: 'all' | 'colours' = 'all',
): Promise<Violation[]> {
  await still(page);
  // Evaluated by the debugger's protocol, which the page's script policy does not reach; once for each page that is loaded.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(
    async ({ part, only }) => {
      type Rule = { id: string; impact: string };
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe & { _audit: { rules: Rule[] } } };
      // Whatever these find is less than serious.
      const lesser = inPage._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
      const results = await inPage.run(part ?? document, {
        resultTypes: ['violations'],
        ...(only && { runOnly: { type: 'rule', values: only } }),
        rules: only ? {} : Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }])),
      });
      return results.violations.map(({ id, impact, help, nodes }) => ({
        id,
        impact: impact ?? '',
        help,
        where: nodes.slice(0, 5).map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
      }));
    },
    { part: within, only: what === 'colours' ? OF_COLOURS : null },
  );
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
