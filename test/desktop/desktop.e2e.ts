import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordingSchema } from '../../schemas/recording.ts';
import { startApp } from '../support/apps.ts';
import { chord, click, handsFor, perform, type } from '../support/person.ts';
import { readEvents, readRecording } from '../support/recordings.ts';
import { SHORTCUTS } from '../support/shortcuts.ts';
import { soon } from '../support/studio-expect.ts';
import { makeRecording } from '../support/studio-recording.ts';
import { until } from '../support/until.ts';
import { type Made, recorderIs, recorderState, startRecording, stopRecording, withTask } from './asks.ts';
import type { Driver } from './driver.ts';
import { desktopFixture, SIZE } from './fixture.ts';
import { electronProgram, startWithElectron } from './with-electron.ts';

/**
 * The desktop app as a person has it: the whole host, pages, studio and capture processes. Over a double of Electron's
 * functions with a real Chromium behind it; over Electron itself with `npm run test:electron`, where its program is there.
 */
const REAL = process.env.STUDIO_DESKTOP === 'electron';

const desktop = desktopFixture(REAL ? 'none' : 'unseen');
beforeAll(() => {
  if (REAL && electronProgram() === null)
    throw new Error('Electron’s program is not installed: see npm run test:electron');
});

async function start(): Promise<Driver> {
  if (!REAL) return desktop.start();
  return desktop.keep(await startWithElectron({ env: desktop.display.env, size: SIZE }));
}

/** A region that leaves room for the bar below it. */
const REGION = { x: 100, y: 60, width: 900, height: 560 };
async function record(driver: Driver, made: Made): Promise<void> {
  await startRecording(driver, made, { target: { kind: 'region', region: REGION }, countdown: 1 });
  await recorderIs(driver, 'recording');
}

describe('the desktop app', { timeout: 240_000 }, () => {
  it('opens a window with the studio, opens no port, and its menu has the page’s commands with their keys', async () => {
    const driver = await start();
    const page = await driver.main();
    await page.getByRole('heading', { name: 'Trajectory Studio' }).waitFor();
    expect(
      await page.evaluate(() => Reflect.get(globalThis, 'require') ?? Reflect.get(globalThis, 'process')),
    ).toBeFalsy();
    await soon(async () => (await driver.menuItem('app.palette'))?.label).toMatch(/^Command palette/);
    await soon(async () => (await driver.menuItem('welcome.new'))?.label).toBe('New workspace (N)');
    await driver.choose('welcome.new');
    await page.getByRole('dialog', { name: 'New workspace' }).waitFor();
    const { pid } = (await driver.ask('/health')) as { pid: number };
    expect(listeningTcp(pid)).toEqual([]);
  });

  it('records beside its bar, which is no part of the demonstration; pauses, marks and stops', async () => {
    const driver = await start();
    const made = await withTask(driver);
    const editor = await startApp(desktop.display, 'mousepad', { x: 120, y: 80, width: 800, height: 480 });
    const { x, y } = await editor.bounds();
    const hands = await handsFor(desktop.display, 'human');
    await record(driver, made);
    const bar = await until('the bar', () => driver.bar());
    await perform(desktop.display, hands, [click(x + 300, y + 200), type('Milk')]);
    await bar.getByRole('button', { name: /^Mark the end/ }).click();
    await soon(async () => (await recorderState(driver))?.marks).toBe(1);
    await bar.getByRole('button', { name: /^Pause/ }).click();
    await bar.getByText('Paused', { exact: true }).waitFor();
    await perform(desktop.display, hands, [type(' unseen')]);
    await bar.getByRole('button', { name: /^Resume/ }).click();
    await soon(async () => (await recorderState(driver))?.paused).toBeNull();
    // Where the bar lies: below the region. A click there is not the demonstration's.
    await perform(desktop.display, hands, [click(550, 660), click(x + 320, y + 220)]);
    await perform(desktop.display, hands, [chord(...SHORTCUTS.stop)]);
    await recorderIs(driver, 'done');
    const recording = (await recorderState(driver))?.recording ?? '';
    const { steps } = (await driver.ask(`/api/workspaces/${made.ws}/recordings/${recording}`)) as {
      steps: { kind: string; text: string | null; start: [number, number, number] }[];
    };
    expect(steps.map(({ kind, text }) => text ?? kind)).toEqual(['click', 'Milk', 'click']);
    const events = readEvents(path.join(made.dir, 'recordings', recording));
    const own = events.flatMap((event) => (event.type === 'own' && event.reason === 'window' ? event.events : []));
    expect(own.map((at) => events[at]?.type)).toEqual(['down', 'up']);
    await soon(() => driver.bar()).toBeNull();
  });

  it('asks before it quits in the middle of a recording, and ends only when that is whole', async () => {
    const driver = await start();
    const made = await withTask(driver);
    await record(driver, made);
    const recording = (await recorderState(driver))?.recording ?? '';
    await driver.answer(1);
    await driver.choose('quit');
    await soon(async () => (await driver.asked()).at(-1)).toContain('is being recorded');
    expect((await recorderState(driver))?.phase).toBe('recording');
    await driver.answer(0);
    await driver.choose('quit');
    await until('the app to end', () => driver.hasEnded(), { timeoutMs: 120_000 });
    const folder = path.join(made.dir, 'recordings', recording);
    expect(readRecording(folder)).toMatchObject({ state: 'closed', verdict: { kind: 'complete' } });
    expect(fs.existsSync(path.join(folder, 'keyframes', 'index.json'))).toBe(true);
  });

  it('starts the studio again when its process is killed, and the page goes on; the recording is closed whole', async () => {
    const driver = await start();
    const page = await driver.main();
    const made = await withTask(driver);
    await record(driver, made);
    const recording = (await recorderState(driver))?.recording ?? '';
    const { pid } = (await driver.ask('/health')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    const again = await until('the studio again', async () => {
      const answer = (await driver.ask('/health').catch(() => null)) as { pid: number } | null;
      return answer !== null && answer.pid !== pid && answer.pid;
    });
    expect(again).not.toBe(pid);
    await driver.ask('/api/workspaces');
    expect(await page.getByRole('heading', { name: 'Trajectory Studio' }).count()).toBe(1);
    const file = path.join(made.dir, 'recordings', recording, 'recording.json');
    // The capture process saw that the studio was gone, and closed the recording itself (D2).
    await until('the recording to be closed', () => {
      const read = recordingSchema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')));
      return read.success && read.data.state === 'closed';
    });
    await soon(() => driver.bar()).toBeNull();
  });

  it('a second start shows what it was asked for in the first one’s window: a workspace, a link, an archive', async () => {
    const driver = await start();
    const page = await driver.main();
    const { ws, dir } = await withTask(driver);
    await driver.secondInstance([dir]);
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    await driver.secondInstance([`trajectory-studio://open/w/${ws}/recordings`]);
    await page.getByRole('heading', { name: 'Recordings', exact: true }).waitFor();
    const { folder } = await makeRecording(driver.home.dir('elsewhere'), {
      id: 'from-afar',
      steps: 2,
      pictures: 'plain',
    });
    await driver.secondInstance([folder]);
    const dialog = page.getByRole('dialog', { name: 'Import a recording' });
    await dialog.waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Folder, archive or video on this machine' }).inputValue()).toBe(
      folder,
    );
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await soon(async () => {
      const rows = (await driver.ask(`/api/workspaces/${ws}/recordings`)) as { id: string }[];
      return rows.map(({ id }) => id);
    }).toEqual(['from-afar']);
  });

  it('pauses while the machine sleeps, and goes on when it wakes', async () => {
    const driver = await start();
    const made = await withTask(driver);
    await record(driver, made);
    await driver.power('suspend');
    await soon(async () => (await recorderState(driver))?.paused).toBe('suspend');
    await driver.power('resume');
    await soon(async () => (await recorderState(driver))?.paused).toBeNull();
    await stopRecording(driver);
  });
});

/** TCP ports that a process listens on, from /proc. */
function listeningTcp(pid: number): string[] {
  const inodes = new Set(
    fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((name) =>
    fs
      .readFileSync(`/proc/${pid}/net/${name}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && inodes.has(fields[9] ?? ''))
      .map((fields) => fields[1] ?? ''),
  );
}
