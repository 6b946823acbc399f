import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import type { Action } from '../../schemas/actions.ts';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { keyframeIndexSchema } from '../../schemas/recording.ts';
import { cutKeyframes } from '../../studio/recordings/cut.ts';
import { studioMust } from '../support/cli.ts';
import {
  capsLock,
  chord,
  click,
  comparable,
  drag,
  expected,
  press,
  type Step,
  scroll,
  type,
  wait,
} from '../support/person.ts';
import { must } from '../support/process.ts';
import { decode, problemsOf, readEvents, readRecording } from '../support/recordings.ts';
import { until } from '../support/until.ts';
import { startWindows, type Windows, winPath, withoutWindows } from '../support/wine.ts';
import { commands, go, inside, note, record, saved } from './on-windows.ts';

/**
 * The whole way on Windows, from the screen to a data set: the Windows adapter, Node and every native module as they are on
 * Windows, under Wine (docs/platforms.md says what Wine cannot show).
 */

describe.skipIf(withoutWindows())('on Windows', () => {
  let windows: Windows;
  let workspace: string;
  /** For recordings in Latin-1. */
  let plain: string;
  beforeAll(async () => {
    windows = await startWindows((line) => process.stderr.write(`${line}\n`));
    workspace = path.join(windows.folder, 'ws');
    plain = path.join(windows.plain, 'ws');
  }, 600_000);
  afterAll(async () => {
    await windows?.stop();
  });

  /** The exported recording. */
  const made: { id: string; folder: string; actions: Action[] }[] = [];

  it('gives back clicks, drags, wheel, text, CapsLock and shortcuts, without what is left out and its own shortcuts', async () => {
    const file = note(windows.folder, 'note.txt');
    const notepad = await windows.open('notepad', [winPath(file)], 'note.txt');
    const at = inside(notepad);
    const recording = await record(windows, { into: workspace }, ['--exclude', 'KeePass', '--fps', '10']);
    const steps = [
      click(...at(300, 200)),
      type('Hello, World! {[\\|]} ~@#$%^&*'),
      press('Enter'),
      // So long that the state of the keys is taken from Windows again.
      wait(900),
      capsLock(),
      type('caps AND 123', { caps: true }),
      capsLock(),
      click(...at(60, 30), { count: 2 }),
      click(...at(400, 330), { button: 'right' }),
      press('Escape'),
      click(...at(420, 310), { button: 'middle' }),
      click(...at(200, 150), { count: 3 }),
      drag([at(40, 30), at(60, 32), at(131, 35)]),
      press('End'),
      click(...at(501, 303), { modifiers: ['shift'] }),
      scroll(...at(320, 240), { dy: 3 }),
      scroll(...at(320, 240), { dy: -2 }),
      chord('ctrl', 'a'),
      press('End'),
      chord('ctrl', 's'),
    ];
    await go(windows, steps);

    await windows.open('notepad', [winPath(note(windows.folder, 'KeePass.txt'))], 'KeePass', { at: HIGH });
    await recording.until('paused (excluded-app)');
    const shownPrivately = await screen();
    await go(windows, [type('hunter2'), press('Enter')]);
    await notepad.activate();
    await recording.until('recording');
    await go(windows, [chord('ctrl', 'shift', 'F9')]);
    await until('the mark', () => recording.said.stderr().includes('subtask marked'), { seen: recording.said.stderr });
    const last = [click(...at(250, 250)), press('End'), type('S')];
    await go(windows, last.slice(0, 2));
    await must('xdotool', ['keydown', 'shift', 'sleep', '1.5', 'key', 's', 'sleep', '0.1', 'keyup', 'shift'], {
      env: windows.display.env,
    });
    const shown = await screen();
    await recording.stop();

    const actions = await actionsOf(recording.id);
    expectExactly(actions, [...steps, ...last]);
    made.push({ id: recording.id, folder: recording.folder, actions });
    await saved(file, 'Hello, World! {[\\|]} ~@#$%^&*\r\ncaps AND 123');
    const { window } = actions[0] ?? {};
    expect(window).toMatchObject({ title: 'note.txt - Notepad', app: expect.stringMatching(/notepad/i) });
    expect(readEvents(recording.folder).filter((event) => event.type === 'mark')).toHaveLength(1);

    const { verdict, capture } = readRecording(recording.folder);
    expect(verdict).toEqual({ kind: 'complete', missing: [], endedBy: 'shortcut' });
    expect(capture).toMatchObject({ grabber: 'gdi' });
    expect(await problemsOf(recording.folder)).toEqual([]);
    // Nothing of the window that is left out: no key, no title, no picture.
    for (const name of ['events.jsonl', 'windows.jsonl', 'recording.json', 'frames.jsonl'])
      expect(fs.readFileSync(path.join(recording.folder, name), 'utf8'), name).not.toMatch(/KeePass|hunter/i);
    const pictures = await picturesOf(recording.folder);
    expect(pictures.some((picture) => picture.equals(shownPrivately))).toBe(false);
    // The X server's picture is in the recording, byte for byte.
    expect(pictures.some((picture) => picture.equals(shown))).toBe(true);
  });

  it('proves itself by sixty inputs of SendInput (doctor --prove)', async () => {
    const out = path.join(windows.folder, 'proof.json');
    const said = await windows.run(
      ['studio/cli/main.ts', 'doctor', '--prove', '--yes', '--out', winPath(out)],
      500_000,
    );
    expect(fs.existsSync(out), said.stderr).toBe(true);
    const proof = JSON.parse(fs.readFileSync(out, 'utf8'));
    expect(proof.failure).toBeNull();
    expect(proof.result.actions).toEqual({ exact: 60, of: 60, wrong: [] });
    expect(proof.result.texts).toEqual([{ layout: 'en-US', exact: 12, of: 12, characters: 144 }]);
    expect(proof.result.capture).toMatchObject({ grabber: 'gdi', lossless: true });
  });

  // Wine 8 tells of no AltGr, dead keys and other scripts (docs/platforms.md): unit tests of native/windows do.
  it('rebuilds text of a German keyboard as the program took it', async () => {
    await windows.display.setLayout({ layout: 'de' });
    const file = note(windows.plain, 'de.txt');
    const notepad = await windows.open('notepad', [winPath(file)], 'de.txt', { characters: 'latin1' });
    const recording = await record(windows, { into: plain, characters: 'latin1' }, ['--fps', '5']);
    const text = 'Größe: äöü ÄÖÜ, zwölf §§ (#2/3)';
    const steps = [click(...inside(notepad)(300, 200)), type(text), press('Enter'), chord('ctrl', 's')];
    await go(windows, steps);
    await recording.stop();
    const actions = await actionsOf(recording.id, plain);
    expectExactly(actions, steps);
    await saved(file, `${text}\r\n`);
  });

  it('keeps everything up to a kill of every process, on a French keyboard', async () => {
    await windows.display.setLayout({ layout: 'fr' });
    const notepad = await windows.open('notepad', [winPath(note(windows.plain, 'fr.txt'))], 'fr.txt', {
      characters: 'latin1',
    });
    const recording = await record(windows, { into: plain, characters: 'latin1' }, ['--fps', '5']);
    const steps = [
      click(...inside(notepad)(300, 200)),
      type('Voilà: "où çà", 1234567890 $'),
      press('Enter'),
      press('Home'),
    ];
    await go(windows, steps);
    await until('the last key to be written', () =>
      readEvents(recording.folder, 'torn-end-allowed').some((one) => one.type === 'keyup' && one.code === 'Home'),
    );
    for (const pid of windows.processes(recording.id)) process.kill(pid, 'SIGKILL');
    process.kill(recording.said.started.pid, 'SIGKILL');
    await recording.said.started.exited;
    await until('all of them to be gone', () => windows.processes(recording.id).length === 0);
    const [recovered, read] = await commands(windows, [
      ['recover', '--workspace', winPath(plain)],
      ['actions', recording.id, '--workspace', winPath(plain), '--json'],
    ]);
    expect(recovered).toMatchObject({ status: 0 });
    expect(readRecording(recording.folder).verdict).toMatchObject({ kind: 'recovered' });
    expect(await problemsOf(recording.folder)).toEqual([]);
    const { actions } = reduceResultSchema.parse(JSON.parse(read?.stdout ?? ''));
    expectExactly(actions, steps);
  });

  it('exports data sets with the stills, and validates them', async () => {
    // Stills that were kept while recording are there; the ffmpeg for Windows that npm has lacks the filter for the others.
    const ffmpeg = await findFfmpeg();
    for (const { folder } of made) {
      const kept = new Set(fs.readdirSync(path.join(folder, 'keyframes')));
      expect(kept.size).toBeGreaterThan(0);
      await cutKeyframes(folder, ffmpeg);
      const index = JSON.parse(fs.readFileSync(path.join(folder, 'keyframes', 'index.json'), 'utf8'));
      const pictures = await picturesOf(folder);
      for (const { file, frame } of keyframeIndexSchema.parse(index).keyframes.filter((one) => kept.has(one.file))) {
        const still = await sharp(path.join(folder, 'keyframes', file))
          .removeAlpha()
          .raw()
          .toBuffer();
        expect(pictures[frame]?.equals(still), file).toBe(true);
      }
    }
    const out = (name: string) => winPath(path.join(windows.folder, `Export ${name} für alle`));
    const formats = ['videogui', 'agentnet'];
    const said = await commands(windows, [
      ...made.map(({ id }) => ['actions', id, '--workspace', winPath(workspace), '--json']),
      ...formats.map((name) => ['export', name, '--workspace', winPath(workspace), '--out', out(name), '--all']),
      ...formats.map((name) => ['validate', name, out(name), '--json']),
    ]);
    expect(said.map(({ status, stderr }) => (status === 0 ? 0 : stderr))).toEqual(said.map(() => 0));
    for (const [i, { actions }] of made.entries())
      expect(reduceResultSchema.parse(JSON.parse(said[i]?.stdout ?? '')).actions).toEqual(actions);

    // The studio's own lines end as everywhere, so that a data set is the same bytes wherever it was made.
    const folders = [path.join(windows.folder, 'Export agentnet für alle'), ...made.map(({ folder }) => folder)];
    const lines = folders.flatMap((folder) =>
      fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(jsonl?|csv|md|txt)$/.test(name))
        .map((name) => path.join(folder, name)),
    );
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((file) => fs.readFileSync(file, 'utf8').includes('\r'))).toEqual([]);
  });

  /** Reduced here: a start under Wine takes seconds. That Windows says the same is looked at in the end. */
  async function actionsOf(id: string, from = workspace): Promise<Action[]> {
    const { json } = await studioMust(['actions', id, '--workspace', from, '--json']);
    return reduceResultSchema.parse(json).actions;
  }

  /** The X server's picture now, RGB. */
  async function screen(): Promise<Buffer> {
    const { name, width, height } = windows.display;
    const file = path.join(windows.folder, 'screen.rgb');
    const grab = ['-f', 'x11grab', '-draw_mouse', '0', '-video_size', `${width}x${height}`, '-i', name];
    const out = ['-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-y', file];
    await must('ffmpeg', ['-v', 'error', ...grab, ...out], { env: windows.display.env });
    return fs.readFileSync(file);
  }
});

/** Every picture of the master, RGB. */
async function picturesOf(folder: string): Promise<Buffer[]> {
  const pictures: Buffer[] = [];
  await decode(path.join(folder, 'screen.mkv'), null, (rgb) => void pictures.push(Buffer.from(rgb)));
  return pictures;
}

/** Where the second window lies: over the first one. */
const HIGH = { x: 120, y: 20, width: 700, height: 300 };

function expectExactly(actions: Action[], steps: Step[]): void {
  const wanted = expected(steps);
  expect(actions.map((action, i) => comparable(action, wanted[i]))).toEqual(wanted);
}
