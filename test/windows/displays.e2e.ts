import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { studioMust } from '../support/cli.ts';
import { chord, click, comparable, drag, expected, handsFor, perform, type } from '../support/person.ts';
import { must } from '../support/process.ts';
import { decode, problemsOf, readEvents, readRecording } from '../support/recordings.ts';
import { until } from '../support/until.ts';
import { startWindows, type Windows, winPath, withoutWindows } from '../support/wine.ts';
import { saved } from './on-windows.ts';

/** Windows with two displays of different sizes, of which the left one lies at negative positions. */

/** Of the left display; Windows counts from the right one, which is the primary one. */
const WIDTH = 400;

describe.skipIf(withoutWindows())('on Windows with two displays', () => {
  let windows: Windows;
  beforeAll(async () => {
    windows = await startWindows(
      (line) => process.stderr.write(`${line}\n`),
      [
        { name: 'right', x: WIDTH, width: 1280 - WIDTH, primary: true },
        { name: 'left', x: 0, width: WIDTH, primary: false },
      ],
    );
  }, 600_000);
  afterAll(async () => {
    await windows?.stop();
  });

  it('records the left one: negative positions to the pixel, and its picture byte for byte', async () => {
    const { display, folder, open } = windows;
    const file = path.join(folder, 'left.txt');
    fs.writeFileSync(file, '\ufeff');
    const notepad = await open('notepad', [winPath(file)], 'left.txt', {
      at: { x: 10, y: 60, width: 360, height: 500 },
    });
    const { x, y } = notepad.bounds;
    const workspace = path.join(folder, 'ws');
    const words = ['--workspace', winPath(workspace), '--display', '1', '--fps', '5', '--no-playback', '--json'];
    const task = ['--app', 'mousepad', '--goal', 'Write'];
    const said = await windows.start(['studio/cli/main.ts', 'record', ...task, ...words]);
    onTestFailed(() => console.log(said.stderr()));
    const id = await until(
      'the recording to begin',
      () => {
        if (said.started.exit()) throw new Error(`record ended: ${said.stderr()}`);
        return /^recording$/m.test(said.stderr()) && /^recording (\S+):/m.exec(said.stderr())?.[1];
      },
      { timeoutMs: 120_000, seen: said.stderr },
    );
    const steps = (left: number) => [
      click(left + x + 150, y + 200),
      type('left of zero'),
      drag([
        [left + x + 20, y + 30],
        [left + x + 40, y + 31],
        [left + x + 90, y + 32],
      ]),
      chord('ctrl', 's'),
      click(left + x + 200, y + 300, { button: 'middle' }),
    ];
    const hands = await handsFor(display, 'human');
    await perform(display, hands, steps(0));
    const shown = await grab();
    await perform(display, hands, [chord('ctrl', 'shift', 'F12')]);
    await until('record to end', () => said.started.exit(), { timeoutMs: 120_000, seen: said.stderr });

    const recorded = path.join(workspace, 'recordings', id);
    expect(await problemsOf(recorded)).toEqual([]);
    const { verdict, displays, segments } = readRecording(recorded);
    expect(verdict).toEqual({ kind: 'complete', missing: [], endedBy: 'shortcut' });
    expect(displays[0]?.displays).toMatchObject([
      { id: 1, x: -WIDTH, y: 0, width: WIDTH, height: 800, primary: false },
      { id: 2, x: 0, y: 0, width: 1280 - WIDTH, height: 800, primary: true },
    ]);
    expect(segments[0]).toMatchObject({ width: WIDTH, height: 800 });
    expect(readEvents(recorded).find(({ type }) => type === 'view')).toMatchObject({
      view: { x: -WIDTH, y: 0, width: WIDTH, height: 800 },
    });
    const { json } = await studioMust(['actions', id, '--workspace', workspace, '--json']);
    const { actions } = reduceResultSchema.parse(json);
    const wanted = expected(steps(-WIDTH));
    expect(actions.map((action, i) => comparable(action, wanted[i]))).toEqual(wanted);
    expect(actions[0]?.start.x).toBeLessThan(0);
    await saved(file, 'left of zero');
    const pictures: Buffer[] = [];
    await decode(path.join(recorded, 'screen.mkv'), null, (rgb) => void pictures.push(Buffer.from(rgb)));
    expect(pictures.some((picture) => picture.equals(shown))).toBe(true);
  });

  /** The X server's picture of the left display, RGB. */
  async function grab(): Promise<Buffer> {
    const file = path.join(windows.folder, 'screen.rgb');
    const from = [
      '-f',
      'x11grab',
      '-draw_mouse',
      '0',
      '-video_size',
      `${WIDTH}x800`,
      '-i',
      `${windows.display.name}+0,0`,
    ];
    const to = ['-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-y', file];
    await must('ffmpeg', ['-v', 'error', ...from, ...to], { env: windows.display.env });
    return fs.readFileSync(file);
  }
});
