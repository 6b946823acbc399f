import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DucktrackEvent } from '../../../schemas/import.ts';
import { readEvents, readRecording } from '../../store/recording-folder.ts';
import { importBench } from '../bench-for-tests.ts';
import { fakeRecording, SCREEN } from '../videos-for-tests.ts';

const bench = importBench();
const START = 1000;

type Timed = DucktrackEvent extends infer E ? (E extends DucktrackEvent ? Omit<E, 'time_stamp'> : never) : never;

/** A folder as AgentNet writes it, with a video of two colours; an event each 0.2 s. */
function folderOf(
  events: readonly Timed[],
  screen: object = { screen_width: 640, screen_height: 360 },
  size = '640x360',
) {
  const folder = join(bench.elsewhere, 'agentnet');
  mkdirSync(folder, { recursive: true });
  const lines = events.map((event, at) => `${JSON.stringify({ time_stamp: START + 1 + at / 5, ...event })}\n`);
  writeFileSync(join(folder, 'events.jsonl'), lines.join(''));
  const metadata = { system: 'Windows', video_start_timestamp: START, start_time: '2024-05-06 10:00:00', ...screen };
  writeFileSync(join(folder, 'metadata.json'), JSON.stringify(metadata));
  writeFileSync(join(folder, 'task_name.json'), JSON.stringify({ task_name: 'Sum' }));
  const seconds = Math.ceil(events.length / 5) + 2;
  const film = ['-f', 'lavfi', '-i', `color=c=gray:s=${size}:r=5:d=${seconds}`, '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...film, join(folder, 'video.mp4')]);
  return folder;
}

const key = (name: string | null, pynput_key?: string): Timed[] =>
  (['press', 'release'] as const).map((action) => ({ action, name, pynput_key }));
const click = (x: number, y: number): Timed[] =>
  [true, false].map((pressed) => ({ action: 'click' as const, x, y, button: 'left', pressed }));

async function imported(folder: string) {
  const { entry } = await bench.take(folder, { app: 'Calc' });
  const { steps } = await bench.documents.openRecording(entry.id);
  const { origin, verdict, counts } = readRecording(entry.folder);
  const { events } = readEvents(entry.folder);
  const said = steps.map(({ kind, text, keys, count }) => `${kind} ${text ?? keys?.join('+') ?? count}`);
  return { steps: said, origin: origin!, verdict: verdict!, counts, events };
}

describe('keys', () => {
  test('a number typed on the keypad is its text; what no name and no table tells is lost and said', async () => {
    const digits = [98, 96, 98, 100, 110, 101].flatMap((number) => key(null, `<${number}>`));
    const rest = [...key('+', "'+'"), ...key(null, '<99>'), ...key('enter', 'Key.enter'), ...key(null, '<255>')];
    const { steps, origin } = await imported(folderOf([...digits, ...rest]));
    expect(steps).toEqual(['type 2024.5+3', 'press Enter', 'press Unknown(255)']);
    expect(origin.lost).toContain('which key it was, of 2 key presses and releases');
  });

  test('a release that a lock screen took is put in, and said', async () => {
    const locked: Timed[] = [{ action: 'press', name: 'cmd' }, ...key('l')];
    const { steps, origin, counts, events } = await imported(folderOf([...locked, ...key('h'), ...key('i')]));
    expect(steps).toEqual(['press meta+l', 'type hi']);
    expect(origin.guessed.join()).toContain('the release of a modifier, 1 time (MetaLeft): the file has none');
    expect(counts.events).toBe(8);
    expect(events.filter(({ type }) => type === 'keyup')).toHaveLength(4);
  });

  test('one that is held until the end is said', async () => {
    const { steps, origin } = await imported(folderOf([{ action: 'press', name: 'ctrl_l' }, ...key('s')]));
    expect(steps).toEqual(['press ctrl+s']);
    expect(origin.guessed.join()).toContain('that ControlLeft was held until the end');
  });
});

describe('positions', () => {
  test('outside of the recorded screen: counted and said, and the recording is not complete', async () => {
    const { origin, verdict } = await imported(folderOf([...click(-300, 20), ...click(100, 100), ...click(639, 359)]));
    expect(origin.lost.join()).toMatch(
      /where 1 of 3 clicks and wheel turns were: outside.*\(-300, 20\) to \(639, 359\)/,
    );
    expect(verdict).toMatchObject({ kind: 'recovered', missing: [expect.stringContaining('1 of 3 clicks')] });
  });

  test('px of a screen that is told in points at 150 %: taken as px, and said', async () => {
    const screen = { screen_width: 640, screen_height: 360 };
    const { origin, verdict, events } = await imported(
      folderOf([...click(900, 500), ...click(30, 40)], screen, '960x540'),
    );
    expect(events.flatMap((one) => (one.type === 'down' ? [[one.x, one.y]] : []))).toEqual([
      [900, 500],
      [30, 40],
    ]);
    expect(origin.guessed.join()).toContain('scaled by 150 %');
    expect(verdict.kind).toBe('complete');
  });

  test('a screen that is told at another scale, by where the pictures change; the same on a second screen is not', async () => {
    // The square is seen where the points, halved, are: the screen was told at half its size.
    fakeRecording(bench.elsewhere, { offset: 0.1, kind: 'agentnet', points: { width: 640, height: 360 } });
    const file = join(bench.elsewhere, 'metadata.json');
    const metadata = JSON.parse(readFileSync(file, 'utf8'));
    const told = { ...metadata, system: 'Windows', screen_width: SCREEN.width, screen_height: SCREEN.height };
    writeFileSync(file, JSON.stringify(told));
    const { entry } = await bench.take(bench.elsewhere);
    const { origin, verdict } = readRecording(entry.folder);
    expect(origin?.guessed.join()).toContain('of a screen scaled by 200 %, at which the pictures change');
    expect(verdict?.kind).toBe('complete');
  });

  test('one press far beside the screen changes no scale', async () => {
    fakeRecording(bench.elsewhere, { offset: 0.1, kind: 'agentnet' });
    const last = { time_stamp: 150_200, action: 'click', x: 500, y: 100, button: 'left', pressed: true };
    appendFileSync(join(bench.elsewhere, 'events.jsonl'), `${JSON.stringify(last)}\n`);
    const { entry } = await bench.take(bench.elsewhere);
    const { origin, verdict } = readRecording(entry.folder);
    expect(origin?.lost.join()).toContain('outside of the recorded screen');
    expect(origin?.guessed.join()).not.toContain('scaled by');
    expect(verdict?.kind).toBe('recovered');
  });
});

test('a wheel that turns nothing is no step', async () => {
  const turn = (dy: number): Timed => ({ action: 'scroll', x: 10, y: 10, dx: 0, dy });
  expect((await imported(folderOf([...click(5, 5), turn(0), turn(0)]))).steps).toEqual(['click 1']);
});
