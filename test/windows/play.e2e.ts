import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { type PlayReport, playReportSchema } from '../../schemas/play.ts';
import { scriptOf } from '../../studio/play/script.ts';
import { chord, click, drag, press, scroll, type } from '../support/person.ts';
import { readRecording } from '../support/recordings.ts';
import { startWindows, type Windows, type WinWindow, winPath, withoutWindows } from '../support/wine.ts';
import { commands, go, inside, note, record, saved } from './on-windows.ts';

/** Plays on Windows' present display, by SendInput, under Wine: a demonstration in Notepad, performed again. */

const BEFORE = 'Shopping\r\n';
const AFTER = 'Shopping: milk & (2) eggs\r\nBread\r\n';
const CHECKS = {
  schema: 'trajectory-studio/checks',
  version: 4,
  combine: 'any',
  checks: [
    { id: 'open', kind: 'window', title: 'list.txt' },
    { id: 'desktop', kind: 'region', x: 1000, y: 700, width: 40, height: 40, colour: '#000000' },
    { id: 'button', kind: 'element', name: 'Save' },
  ],
};
const PLACE = { x: 60, y: 60, width: 900, height: 600 };

describe.skipIf(withoutWindows())('plays on Windows', () => {
  let windows: Windows;
  let workspace: string;
  let recording: Awaited<ReturnType<typeof record>>;
  let notepad: WinWindow | null = null;
  const file = (): string => path.join(windows.folder, 'list.txt');

  beforeAll(async () => {
    windows = await startWindows((line) => process.stderr.write(`${line}\n`));
    workspace = path.join(windows.folder, 'ws');
  }, 600_000);
  afterEach(close);
  afterAll(async () => {
    await windows?.stop();
  });

  it('performs a demonstration again, step by step, with the same file in the end', async () => {
    await open();
    recording = await record(windows, { into: workspace }, ['--fps', '10']);
    const at = inside(notepad!);
    await go(windows, [
      click(...at(300, 200)),
      chord('ctrl', 'Home'),
      press('End'),
      type(': milk & (2) eggs'),
      press('ArrowDown'),
      type('Bread'),
      press('Enter'),
      drag([at(6, 30), at(30, 31), at(70, 33)]),
      scroll(...at(320, 240), { dy: 2 }),
      chord('ctrl', 's'),
    ]);
    expect(await recording.stop()).toMatchObject({ status: 0 });
    await saved(file(), AFTER);
    await close();
    const checks = path.join(windows.folder, 'checks.json');
    fs.writeFileSync(checks, JSON.stringify(CHECKS));
    const { task } = readRecording(recording.folder);
    const words = ['tasks', 'attach', task.id, winPath(checks), '--role', 'checks', '--workspace', winPath(workspace)];
    expect(await commands(windows, [words])).toMatchObject([{ status: 0 }]);
    // The ffmpeg for Windows that npm has lacks the filter that stills are cut with; played by its stills alone, none is.
    await scriptOf(recording.folder, await findFfmpeg());
    fs.rmSync(path.join(recording.folder, 'screen.mkv'));
    await open();
    const { status, report } = await play();
    expect(report).toMatchObject({ stage: 'display', agreed: report.of, stopped: null, actionsEqual: true });
    expect(status).toBe(0);
    expect(report.checks).toMatchObject([
      { id: 'open', score: 1 },
      { id: 'desktop', score: 1 },
      { id: 'button', score: 0, why: expect.stringContaining('work on Linux with X11 so far') },
    ]);
    await saved(file(), AFTER);
  });

  it('finds the window elsewhere', async () => {
    await open({ at: { ...PLACE, x: PLACE.x + 40, y: PLACE.y + 30 } });
    const { report } = await play();
    expect(report).toMatchObject({ agreed: report.of, stopped: null, actionsEqual: true });
    expect(report.steps[0]).toMatchObject({ verdict: 'moved', shift: { x: 40, y: 30 } });
    await saved(file(), AFTER);
  });

  it('stops where the text is another, and writes nothing', async () => {
    await open({ text: 'Meetings\r\n' });
    const { status, report } = await play('--patience', '2');
    expect(report.stopped).not.toBeNull();
    expect(report.steps.at(-1)).toMatchObject({ verdict: expect.stringMatching(/missing|different/) });
    expect(status).toBe(1);
    expect(fs.readFileSync(file(), 'utf8')).toBe('\ufeffMeetings\r\n');
  });

  async function open({ at = PLACE, text = BEFORE } = {}): Promise<void> {
    notepad = await windows.open('notepad', [winPath(note(windows.folder, 'list.txt', text))], 'list.txt', { at });
  }

  async function close(): Promise<void> {
    await notepad?.close();
    notepad = null;
  }

  async function play(...words: string[]): Promise<{ status: number; report: PlayReport }> {
    const all = ['play', recording.id, '--workspace', winPath(workspace), '--stage', 'display', '--json', ...words];
    const [said] = await commands(windows, [all]);
    if (!said?.stdout) throw new Error(`play said nothing: ${said?.stderr}`);
    onTestFailed(() => console.log(said.stdout));
    return { status: said.status, report: playReportSchema.parse(JSON.parse(said.stdout)) };
  }
});
