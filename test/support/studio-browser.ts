import fs from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** A real Chromium, headless, driven by playwright-core. */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) =>
    fs.existsSync(file),
  );
  const file = process.env.CHROMIUM_PATH ?? found;
  if (!file) throw new Error(`no Chromium was found: install ${NAMES[0]}, or set CHROMIUM_PATH`);
  return file;
}

/** `display`: a browser with windows on it, which shares the whole of it when a page asks for the screen. */
export function startBrowser(display?: { env: NodeJS.ProcessEnv }): Promise<Browser> {
  // No sandbox: tests often run as root in a container, where Chromium's own refuses to start.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--disable-lcd-text'];
  if (!display) return chromium.launch({ executablePath: findChromium(), headless: true, args });
  const share = '--auto-select-desktop-capture-source=Entire screen';
  const env = Object.fromEntries(Object.entries(display.env).filter((one): one is [string, string] => !!one[1]));
  return chromium.launch({ executablePath: findChromium(), headless: false, env, args: [...args, share] });
}

export type Look = { width?: number; height?: number; scheme?: 'light' | 'dark' };

/** What went wrong in a page without a test asking: exceptions, and what the browser refused by the page's policy. */
export type Watched = { context: BrowserContext; page: Page; faults: string[] };

/** A window of its own (own cookies), signed in by the address that the server printed. */
export async function openStudio(browser: Browser, address: string, look: Look = {}): Promise<Watched> {
  const { width = 1366, height = 768, scheme = 'light' } = look;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const { page, faults } = await openTab(context, address);
  return { context, page, faults };
}

/** One more tab of the same window. */
export async function openTab(context: BrowserContext, address: string): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(address, { waitUntil: 'load' });
  await heard(page);
  return { page, faults };
}

/** The page has its heading and listens to keys: what a person would have seen before pressing one. */
export async function heard(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  // Effects run after the frame that shows the heading.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

export type Violation = { id: string; impact: string; help: string; where: string[] };

/** What axe finds serious or critical on the page as it stands. */
export async function axeViolations(page: Page): Promise<Violation[]> {
  // Evaluated by the debugger's protocol, which the page's script policy does not reach.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const results = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    });
    return results.violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact: impact ?? '',
      help,
      where: nodes.slice(0, 5).map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
    }));
  });
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
