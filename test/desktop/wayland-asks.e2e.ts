import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { soon } from '../support/studio-expect.ts';
import { recorderIs, recorderState, withTask } from './asks.ts';
import { desktopFixture } from './fixture.ts';
import type { DoubleDriver } from './with-double.ts';

/** What a page and the system are asked before a screen is shared in a Wayland session; what is recorded then, wayland.e2e.ts shows. */

const desktop = desktopFixture('on the display');
const start = (): Promise<DoubleDriver> =>
  desktop.start({
    env: { ...desktop.display.env, WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland' },
    wayland: true,
  });

describe('in a Wayland session', { timeout: 300_000 }, () => {
  it('the page starts only once it is accepted what goes unheard; a no to the system’s question records nothing, and is said', async () => {
    const driver = await start();
    const page = await driver.main();
    driver.double.shares = false;
    const made = await withTask(driver, 'Paint');
    await page.goto(new URL(`/w/${made.ws}/tasks/${made.task}/record`, page.url()).href);
    const button = page.getByRole('button', { name: /^Start recording/ });
    await page.getByText('Confirm that you know what is not recorded here.').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.press('a');
    await page.getByRole('checkbox', { name: /^Record only the keys and clicks/, checked: true }).waitFor();
    expect(await button.isEnabled()).toBe(true);
    await page.getByLabel('Countdown (seconds)').fill('0');
    await page.keyboard.press('Control+Enter');
    await recorderIs(driver, 'failed');
    expect((await recorderState(driver))?.error).toMatchObject({
      code: 'NO_PERMISSION',
      message: expect.stringContaining('not shared'),
    });
    await page.getByRole('alert').filter({ hasText: 'not shared' }).waitFor();
    expect(fs.readdirSync(path.join(made.dir, 'recordings'))).toEqual([]);
    await soon(() =>
      driver.double.windows.filter((one) => one.url.endsWith('/desktop/screen') && !one.destroyed),
    ).toEqual([]);
  });

  it('gives the screen to the hidden page alone', async () => {
    const driver = await start();
    await driver.main();
    for (const url of ['studio://app/', 'studio://app/desktop/bar', 'https://evil.example/desktop/screen'])
      expect([url, await driver.double.displayMedia({ url })]).toEqual([url, false]);
    expect(await driver.double.displayMedia({ url: 'studio://app/desktop/screen' })).toBe(true);
    expect(await driver.double.permission('display-capture')).toBe(false);
    expect(driver.double.switches).toContainEqual(['enable-features', 'GlobalShortcutsPortal']);
  });
});
