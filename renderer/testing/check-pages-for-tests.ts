import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type MemoryApi, startMemoryApi } from './memory-api.ts';

/**
 * Opens the built pages over the in-memory API in a real Chromium: what is asked of every page (no error in the console,
 * nothing refused by the policy, nothing serious found by axe), and what a page does. `node
 * renderer/testing/check-pages-for-tests.ts [--dist DIR] [--pictures DIR]`; ends with 1 when something is wrong.
 */
const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const dist = argument('--dist');
const pictures = argument('--pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = [
  { width: 1366, height: 768 },
  { width: 2560, height: 1440 },
];

const wrong: string[] = [];
const say = (text: string): void => void process.stdout.write(`${text}\n`);

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
}

/** A page whose console and policy errors are collected under `name`. */
async function openPage(browser: Browser, scheme: 'light' | 'dark', size: (typeof SIZES)[0]): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    bypassCSP: false,
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    // Chromium reports an answer of 404 by itself; the page says it in words.
    if (message.text().includes('status of 404') && page.url().includes('NO_1')) return;
    if (message.type() === 'error') wrong.push(`${page.url()}: console: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`));
  return page;
}

/** What axe finds serious or critical; its script goes in past the policy, which it would rightly break. */
async function axe(page: Page, name: string): Promise<void> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    // axe.min.js puts itself on the window.
    const { axe } = window as unknown as { axe: { run: (o: object) => Promise<{ violations: Violation[] }> } };
    type Violation = {
      id: string;
      impact: string;
      help: string;
      nodes: { html: string; any: { message: string }[] }[];
    };
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      nodes: nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
    }));
  });
  for (const { id, impact, help, nodes } of found) {
    const line = `${name}: axe ${impact} ${id}: ${help}\n    ${nodes.join('\n    ')}`;
    if (impact === 'serious' || impact === 'critical') wrong.push(line);
    else say(`  (${line})`);
  }
}

type View = { name: string; path: string; act?: (page: Page, api: MemoryApi) => Promise<void> };

const VIEWS: View[] = [
  { name: 'welcome', path: '/' },
  { name: 'welcome-new', path: '/', act: (page) => page.keyboard.press('n') },
  { name: 'library', path: '/w/w1' },
  { name: 'library-none-fits', path: '/w/w1', act: (page) => page.getByLabel('Search tasks').fill('zzzz') },
  { name: 'library-new-task', path: '/w/w1', act: (page) => page.keyboard.press('n') },
  { name: 'library-people', path: '/w/w1', act: (page) => page.keyboard.press('p') },
  { name: 'library-software', path: '/w/w1', act: (page) => page.keyboard.press('s') },
  { name: 'palette', path: '/w/w1', act: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', path: '/w/w1', act: (page) => page.keyboard.press('?') },
  { name: 'task', path: '/w/w1/tasks/PPT_1' },
  { name: 'task-long', path: '/w/w1/tasks/AE_1' },
  { name: 'task-empty', path: '/w/w1/tasks/RW_1' },
  { name: 'task-unknown', path: '/w/w1/tasks/NO_1' },
  { name: 'recordings', path: '/w/w1/recordings' },
  { name: 'import', path: '/w/w1/recordings', act: importSomething },
  { name: 'record', path: '/w/w1/tasks/PPT_1/record' },
  { name: 'record-region', path: '/w/w1/tasks/PPT_1/record', act: (page) => page.keyboard.press('g') },
  { name: 'record-window', path: '/w/w1/tasks/PPT_1/record', act: (page) => page.keyboard.press('w') },
  { name: 'record-wayland', path: '/w/w1/tasks/PPT_1/record', act: inWayland },
  { name: 'record-live', path: '/w/w1/tasks/PPT_1/record', act: (page, api) => live(page, api) },
  { name: 'work-nobody', path: '/w/w1/work' },
  { name: 'person', path: '/w/w1', act: (page) => page.keyboard.press('Alt+p') },
  { name: 'work', path: '/w/w1/work', act: beAna },
  { name: 'policy', path: '/w/w1/work', act: (page) => page.keyboard.press('r') },
  { name: 'review-nobody', path: '/w/w1/recordings/rec-0001/review' },
  { name: 'settings', path: '/settings' },
  { name: 'not-found', path: '/nowhere/at/all' },
];

async function beAna(page: Page): Promise<void> {
  await page.keyboard.press('Alt+p');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Ana Lind/ })
    .waitFor();
  await page.keyboard.press('1');
  await page.getByRole('list', { name: 'Work, the next first' }).waitFor();
}

async function importSomething(page: Page): Promise<void> {
  await page.keyboard.press('i');
  await page.getByLabel('Folder, archive or video on this machine').fill('/home/ana/recordings/2026-11-21');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Stop/ }).waitFor();
}

/** The desktop app in a Wayland session: Start waits until what goes unheard is accepted. */
async function inWayland(page: Page, api: MemoryApi): Promise<void> {
  api.data.preflight.shared = true;
  await page.getByRole('button', { name: /^Check again/ }).click();
  const start = page.getByRole('button', { name: 'Start recording' });
  await page.getByText('Say that you know what is not heard here.').waitFor();
  if (await start.isEnabled()) wrong.push('record-wayland: Start is enabled before anything was accepted');
  await page.keyboard.press('a');
  await page.getByRole('checkbox', { name: /^Record only the keys and clicks/, checked: true }).waitFor();
  if (await start.isDisabled()) wrong.push('record-wayland: Start is disabled though it was accepted');
}

async function live(page: Page, api: MemoryApi): Promise<void> {
  await page.getByRole('button', { name: 'Start recording' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('timer', { name: 'Recorded time' }).waitFor();
  if (api.data.recorder) {
    api.data.recorder.notices = [{ code: 'lost', message: 'Three frames were lost while the machine was busy.' }];
    api.data.recorder.dropped = 3;
    api.data.recorder.marks = 2;
  }
  await page.getByText('Three frames were lost').waitFor();
}

async function look(browser: Browser, scheme: 'light' | 'dark', size: (typeof SIZES)[0], only?: string): Promise<void> {
  for (const { name, path, act } of VIEWS) {
    if (only && !name.startsWith(only)) continue;
    const api = await startMemoryApi({ tasks: 60, ...(dist ? { dist } : {}) });
    const page = await openPage(browser, scheme, size);
    await page.goto(api.url + path);
    await page.locator('h1').first().waitFor();
    await page.waitForTimeout(250);
    await act?.(page, api);
    await page.waitForTimeout(350);
    if (size.width === 1366) await axe(page, `${name} (${scheme})`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) wrong.push(`${name} at ${size.width}: ${wide} px wider than the window`);
    if (pictures) await page.screenshot({ path: join(pictures, `${name}-${size.width}-${scheme}.png`) });
    await page.context().close();
    await api.close();
  }
}

if (process.argv[1]?.endsWith('check-pages-for-tests.ts')) {
  if (pictures) mkdirSync(pictures, { recursive: true });
  const browser = await openBrowser();
  try {
    for (const scheme of ['light', 'dark'] as const) {
      for (const size of SIZES) {
        if (size.width === 2560 && !pictures) continue;
        await look(browser, scheme, size, argument('--only'));
      }
    }
  } finally {
    await browser.close();
  }
  say(wrong.length === 0 ? 'Nothing is wrong.' : [...new Set(wrong)].join('\n'));
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
