import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_KEYS } from '../../electron/host/shortcuts.ts';
import { DEFAULT_SHORTCUTS } from '../../schemas/shortcuts.ts';
import { axeViolations, heard } from '../support/studio-browser.ts';
import { soon } from '../support/studio-expect.ts';
import { hostLog, openWorkspace, recorderIs, recorderState, startRecording, stopRecording, withTask } from './asks.ts';
import { preventable } from './double-windows.ts';
import { desktopFixture } from './fixture.ts';
import { type DoubleDriver, flat } from './with-double.ts';

/** Each door of the host, over the double: what a page, a link, another program or the system may do, and may not. */

const desktop = desktopFixture();
const { start } = desktop;
const OWN = { url: 'studio://app/', parent: null };

describe('what a page may do', () => {
  it('is separated from Node and from the preload script, in every window', async () => {
    const driver = await start();
    await driver.main();
    const [window] = driver.double.windows;
    expect(window?.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
    });
    expect(driver.double.schemes).toEqual(['studio']);
  });

  it('has the strict policy that the browser edition has, and keeps to it', async () => {
    const driver = await start();
    const page = await driver.main();
    const answer = await page.reload();
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    await heard(page);
    expect((await driver.window()).faults).toEqual([]);
  });

  it('stays where it is: another address, a new window and a web view are refused; a web link opens in the browser', async () => {
    const driver = await start();
    const page = await driver.main();
    const { url } = await driver.window();
    await page.evaluate(() => {
      location.href = 'https://evil.example/steal';
    });
    await soon(() => hostLog(driver)).toContain('navigation to https://evil.example/steal');
    await page.evaluate(() => void window.open('https://example.org/video'));
    await soon(() => driver.double.external).toEqual(['https://example.org/video']);
    const contents = (await driver.window()).webContents;
    expect(contents.windowOpen?.({ url: 'file:///etc/passwd' })).toEqual({ action: 'deny' });
    expect(contents.windowOpen?.({ url: 'javascript:alert(1)' })).toEqual({ action: 'deny' });
    expect(driver.double.external).toHaveLength(1);
    const event = preventable({});
    contents.emit('will-attach-webview', event);
    expect(event.prevented).toBe(true);
    expect((await driver.window()).url).toBe(url);
  });

  it('reaches no network: every request but its own is cancelled for the whole session, and no name is looked up', async () => {
    const driver = await start();
    await driver.main();
    const { double } = driver;
    for (const url of [
      'https://example.org/',
      'http://127.0.0.1:80/',
      'ws://example.org/',
      'file:///etc/passwd',
      'studio://other/',
    ]) {
      expect([url, double.mayRequest(url)]).toEqual([url, false]);
    }
    expect(double.mayRequest('studio://app/rpc/settings/get')).toBe(true);
    expect(double.switches).toContainEqual(['host-resolver-rules', 'MAP * ~NOTFOUND']);
    expect(double.switches).toContainEqual(['disable-background-networking']);
    expect(double.spellChecker).toBe(false);
    expect(double.crashReports).toEqual([{ submitURL: '', uploadToServer: false, compress: false }]);
  });

  it('gets no permission but the few that it needs', async () => {
    const driver = await start();
    await driver.main();
    const refused = [
      'geolocation',
      'media',
      'notifications',
      'midi',
      'hid',
      'display-capture',
      'openExternal',
      'unknown',
    ];
    for (const name of refused) {
      expect([name, await driver.double.permission(name), driver.double.permissionCheck(name)]).toEqual([
        name,
        false,
        false,
      ]);
    }
    expect(await driver.double.permission('clipboard-sanitized-write')).toBe(true);
    expect(driver.double.device()).toBe(false);
  });

  it('calls the host by a handful of names only, with checked words, and from its own top frame only', async () => {
    const driver = await start();
    await driver.main();
    const { invoke } = driver.double;
    const strangers = [
      null,
      { url: 'https://evil.example/', parent: null },
      { url: 'studio://other/', parent: null },
      { url: 'studio://app.evil.example/', parent: null },
      { url: 'studio://app/', parent: {} },
      { url: 'about:blank', parent: null },
    ];
    for (const channel of ['menu', 'pick', 'dropped', 'sources', 'open-folder', 'allow']) {
      for (const frame of strangers)
        await expect(invoke(frame, `desktop:${channel}`, [])).rejects.toThrow('may not ask');
    }
    await expect(invoke(OWN, 'desktop:exec', 'ls')).rejects.toThrow('No handler');
    const command = { id: 'a', label: 'A', group: 'G', key: null, enabled: true };
    for (const wrong of [
      null,
      7,
      'x',
      [null],
      [{ ...command, id: 7 }],
      [{ ...command, enabled: 'yes' }],
      Array(1001).fill(command),
    ]) {
      await expect(invoke(OWN, 'desktop:menu', wrong)).rejects.toThrow('cannot be taken');
    }
    await expect(invoke(OWN, 'desktop:pick', 'everything')).rejects.toThrow('cannot be taken');
    await expect(invoke(OWN, 'desktop:allow', 'x-apple.systempreferences:evil')).rejects.toThrow('cannot be taken');
    await expect(invoke(OWN, 'desktop:dropped', 7)).rejects.toThrow('cannot be taken');
    await expect(invoke(OWN, 'desktop:open-folder', '/etc')).rejects.toThrow('cannot be taken');
    expect(driver.double.openedPaths).toEqual([]);
    expect(await invoke(OWN, 'desktop:dropped', '/etc/passwd')).toBeNull();
    expect(await invoke(OWN, 'desktop:dropped', '../..')).toBeNull();
  });
});

describe('one program on the desktop', () => {
  it('a second instance ends at once and starts nothing', async () => {
    const driver = await start({ isFirst: false });
    expect(await driver.double.ended).toBe(0);
    expect(driver.double.windows).toEqual([]);
    expect(driver.double.schemes).toEqual([]);
  });

  it('a link shows a page and nothing else', async () => {
    const driver = await start();
    await driver.main();
    const { ws: id } = await openWorkspace(driver);
    const window = await driver.window();
    for (const link of [
      `trajectory-studio://open/w/${id}/../../settings`,
      'trajectory-studio://open/desktop/bar',
      'trajectory-studio://elsewhere/settings',
      'trajectory-studio://open/settings?token=x',
      'trajectory-studio://open//evil.example',
      'studio://app/settings',
    ]) {
      await driver.secondInstance([link]);
    }
    await driver.secondInstance([`trajectory-studio://open/w/${id}`]);
    await soon(() => window.url).toBe(`studio://app/w/${id}`);
    expect(driver.double.windows).toHaveLength(1);
  });

  it('opens what was dropped on it, and says when it has no use for it', async () => {
    const driver = await start();
    const page = await driver.main();
    await heard(page);
    const { dir } = await openWorkspace(driver, 'dropped');
    const drop = (name: string, at: string): Promise<void> =>
      page.evaluate(
        ([file, place]) => {
          Reflect.set(globalThis, '__paths', { [file]: place });
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['x'], file));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        [name, at] as const,
      );
    await drop('passwd', '/etc/passwd');
    await page.getByText('passwd is neither a workspace').waitFor();
    await drop('dropped', dir);
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    await soon(async () => flat(driver.double.menu).map(({ id }) => id)).toContainEqual(
      expect.stringMatching(/^recent:/),
    );
    await soon(() => driver.double.recentDocuments).toEqual([dir]);
  });

  it('says at the tray that the key that starts is another program’s', async () => {
    const driver = await start({ taken: ['Control+Shift+F12'] });
    await driver.main();
    const label = () => flat(driver.double.tray?.items ?? []).find(({ id }) => id === 'start')?.label;
    await soon(label).toBe('Start Recording (Ctrl+Shift+F12 cannot be used: choose another key in the settings)');
    expect([...driver.double.shortcuts.keys()]).toEqual([]);
  });

  it('remembers where its window was, and opens its folder of logs', async () => {
    const driver = await start();
    await driver.main();
    const window = await driver.window();
    window.setBounds({ x: 40, y: 30, width: 1000, height: 700 });
    const file = path.join(driver.home.dir('app'), 'userData', 'windows.json');
    await soon(() => fs.existsSync(file) && JSON.parse(fs.readFileSync(file, 'utf8')).bounds).toEqual({
      x: 40,
      y: 30,
      width: 1000,
      height: 700,
    });
    await driver.choose('logs');
    expect(driver.double.openedPaths).toEqual([path.join(driver.home.dir('app'), 'logs')]);
  });

  it('says that the studio cannot be started, with its own words, and tries again when it is asked to', async () => {
    const driver = await start({
      program: { command: process.execPath, args: ['-e', 'throw new Error("no such disk")'] },
    });
    driver.double.answers.push(1, 2);
    await soon(() => driver.double.asked.length, 40_000).toBe(2);
    expect(driver.double.asked[0]?.message).toBe('The studio has stopped and cannot be started again.');
    expect(driver.double.asked[0]?.detail).toContain('no such disk');
    expect(driver.double.openedPaths).toEqual([path.join(driver.home.dir('app'), 'logs')]);
    expect(await driver.double.ended).toBe(0);
  });
});

describe('recording', { timeout: 240_000 }, () => {
  async function record(driver: DoubleDriver, target: object): Promise<void> {
    await startRecording(driver, await withTask(driver), { target, fps: 10 });
    await recorderIs(driver, 'recording');
  }

  it('keeps the studio’s window, the bar and the frame out of the picture; the tray says what goes on', async () => {
    const driver = await start();
    await driver.main();
    const window = await driver.window();
    const { double } = driver;
    await soon(() => double.tray?.toolTip).toBe('Trajectory Studio: Not recording');
    await record(driver, { kind: 'region', region: { x: 100, y: 60, width: 800, height: 500 } });
    await soon(() => window.minimized).toBe(true);
    const bar = double.windows.find((one) => one.options.frame === false);
    expect(bar?.options).toMatchObject({ focusable: false, alwaysOnTop: true, skipTaskbar: true });
    expect(bar).toMatchObject({ protectedContent: true, level: 'screen-saver' });
    expect(bar?.bounds).toMatchObject({ y: 60 + 500 + 12 });
    expect(double.sides.map(({ bounds }) => bounds)).toEqual([
      { x: 97, y: 57, width: 806, height: 3 },
      { x: 97, y: 560, width: 806, height: 3 },
      { x: 97, y: 60, width: 3, height: 500 },
      { x: 900, y: 60, width: 3, height: 500 },
    ]);
    expect(double.sides.every((side) => side.visible && side.ignoresMouse)).toBe(true);
    await soon(() => double.tray?.toolTip).toMatch(/Recording GIMP_1, 0:0/);
    expect(double.tray?.image).toMatch(/recording\.png$/);
    expect(flat(double.tray?.items ?? []).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['stop', 'pause', 'mark']),
    );
    const page = await bar?.page;
    await page?.getByRole('button', { name: /^Stop/ }).waitFor();
    expect(await axeViolations(page!)).toEqual([]);
    await stopRecording(driver);
    await soon(() => window.minimized).toBe(false);
    expect(bar?.destroyed).toBe(true);
    expect(double.sides.every((side) => side.destroyed)).toBe(true);
    await soon(() => flat(double.tray?.items ?? []).some(({ id }) => id?.startsWith('recording:'))).toBe(true);
  });

  it('shows no bar where it could not be kept out of the picture', async () => {
    const driver = await start();
    await driver.main();
    await record(driver, { kind: 'display', display: null });
    await soon(() => driver.double.tray?.image).toMatch(/recording\.png$/);
    expect(driver.double.windows.filter((one) => one.options.frame === false)).toEqual([]);
    expect(driver.double.sides).toEqual([]);
    await stopRecording(driver);
  });

  it('a global key that the capture process did not hear is done by the host, once; one that it heard is not done twice', async () => {
    const driver = await start();
    await driver.main();
    const { shortcuts } = driver.double;
    await soon(() => [...shortcuts.keys()]).toEqual(['Control+Shift+F12']);
    expect(driver.double.awake.size).toBe(0);
    await record(driver, { kind: 'display', display: null });
    await soon(() => [...shortcuts.keys()].toSorted()).toEqual(
      [7, 8, 9, 10, 11, 12].map((n) => `Control+Shift+F${n}`).toSorted(),
    );
    expect(driver.double.awake.size).toBe(1);
    shortcuts.get('Control+Shift+F9')?.();
    await soon(async () => (await recorderState(driver))?.marks).toBe(1);
    // Heard by the capture process too: it has paused before the host looks.
    shortcuts.get('Control+Shift+F10')?.();
    await driver.ask('/api/recorder/command', { type: 'pause', reason: 'user' });
    await soon(async () => (await recorderState(driver))?.paused).toBe('user');
    await new Promise((done) => setTimeout(done, 1000));
    expect((await recorderState(driver))?.paused).toBe('user');
    // Who pauses may go away; the display may sleep then.
    await soon(() => driver.double.awake.size).toBe(0);
    shortcuts.get('Control+Shift+F12')?.();
    await recorderIs(driver, 'done');
    await soon(() => [...shortcuts.keys()]).toEqual(['Control+Shift+F12']);
  });

  it.each(['key', 'tray'])('the start %s starts what was recorded last, on its page', async (by) => {
    const driver = await start();
    const page = await driver.main();
    const { ws, task } = await withTask(driver);
    await driver.secondInstance([`trajectory-studio://open/w/${ws}/tasks/${task}/record`]);
    await page.getByRole('heading', { name: `Record ${task}` }).waitFor();
    await driver.secondInstance([`trajectory-studio://open/w/${ws}`]);
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    if (by === 'key') driver.double.shortcuts.get('Control+Shift+F12')?.();
    else
      flat(driver.double.tray?.items ?? [])
        .find(({ id }) => id === 'start')
        ?.click?.();
    await recorderIs(driver, 'recording');
    await stopRecording(driver);
  });

  it('keeps the last window open while it asks', async () => {
    const driver = await start();
    await driver.main();
    await record(driver, { kind: 'display', display: null });
    const window = await driver.window();
    driver.double.answers.push(1);
    window.close();
    await soon(() => driver.double.asked.length).toBe(1);
    expect(window.destroyed).toBe(false);
    expect((await recorderState(driver))?.phase).toBe('recording');
    await stopRecording(driver);
  });
});

describe('macOS', () => {
  it('a permission that was given in the settings is seen when the person comes back', async () => {
    const driver = await start({ platform: 'darwin' });
    const page = await driver.main();
    const { ws, task } = await withTask(driver);
    const what = 'The system does not let this program record the screen.';
    let given = false;
    // This machine's own answer, as it would be without the permission.
    await page.route('**/rpc/recorder/preflight*', async (route) => {
      const response = await route.fetch();
      const { json, ...rest } = (await response.json()) as { json: { checks: object[] } };
      const missing = { id: 'permission:screen-recording', status: 'fail', what, fix: 'Allow it.' };
      const lacking = { ...json, status: 'fail', checks: [...json.checks, missing] };
      await route.fulfill({ response, json: { json: given ? json : lacking, ...rest } });
    });
    await page.goto(new URL(`/w/${ws}/tasks/${task}/record`, page.url()).href);
    await page.getByText(what).waitFor();
    await page.getByRole('button', { name: 'Open the settings' }).click();
    await soon(() => driver.double.external).toEqual([
      'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture',
    ]);
    given = true;
    // The window was in sight behind the settings: it only gets the focus back.
    await page.evaluate(() => void dispatchEvent(new Event('focus')));
    await page.getByText(what).waitFor({ state: 'detached' });
  });

  it('opens the settings page of a permission that is missing, and no other address', async () => {
    const driver = await start({ platform: 'darwin' });
    await driver.main();
    await driver.double.invoke(OWN, 'desktop:allow', 'screen-recording');
    expect(driver.double.external).toEqual([
      'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture',
    ]);
    expect(flat(driver.double.menu).some(({ role }) => role === 'services')).toBe(true);
    expect(driver.double.tray?.image).toMatch(/idleTemplate\.png$/);
  });
});

it('knows the recorder’s keys as everybody else does', () => {
  expect(DEFAULT_KEYS).toEqual(DEFAULT_SHORTCUTS);
});
