import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeFilm } from '../../../native/ffmpeg/film.ts';
import { runExport } from '../../datasets/export/exports.ts';
import { validateExport } from '../../datasets/export/validate.ts';
import { readRecording } from '../../store/recording-folder.ts';
import { importBench } from '../bench-for-tests.ts';

const bench = importBench();
const [WIDTH, HEIGHT] = [120, 80];

/** A video of so many pictures at 5 a second, each of a grey of its own. */
async function writeTask(entries: readonly object[], { pictures = 40, name = 'task-7' } = {}): Promise<string> {
  const folder = join(bench.elsewhere, 'data', 'GIMP', name);
  mkdirSync(join(folder, 'video'), { recursive: true });
  async function* greys() {
    for (let at = 0; at < pictures; at++) yield Buffer.alloc(WIDTH * HEIGHT * 3, (37 * at) % 256);
  }
  const wish = { width: WIDTH, height: HEIGHT, fps: 5, exact: true, signal: undefined };
  await writeFilm(bench.ffmpeg, join(folder, 'video', 'video.mp4'), wish, greys());
  const log = { task_id: name, task_instruction: 'Crop it.', platform: 'GIMP', action_log: entries };
  writeFileSync(join(folder, 'action_log.json'), JSON.stringify(log));
  return folder;
}
const entry = (timestamp: number, action_type: string, action_params: object = {}) => ({
  timestamp,
  action_type,
  action_params,
});
const END = entry(7.9, 'AFTER_LAST_ACTION');
const ENTRIES = [
  entry(1, 'CLICK', { x: 30, y: 20, text: 'Left', numClicks: 1 }),
  entry(2, 'KEY_DOWN', { key: 'ctrl' }),
  entry(2.02, 'CLICK', { x: 50, y: 40, text: 'Left', numClicks: 1 }),
  entry(2.04, 'KEY_UP', { key: 'ctrl' }),
  entry(3, 'MOVE_TO', { x: 10, y: 10 }),
  entry(3.2, 'DRAG_TO', { x: 60, y: 30, button: 'left' }),
  entry(4, 'SCROLL', { scrollY: -3 }),
  entry(5, 'TYPING', { text: 'Grüße' }),
  entry(6, 'HOTKEY', { keys: ['ctrl', 's'] }),
  entry(7, 'CLICK', { x: 5, y: 6, text: 'Right', numClicks: 1 }),
  END,
];

const stepsOf = async (id: string) => (await bench.documents.openRecording(id)).steps;
const shortly = ({
  kind,
  text,
  keys,
  start,
  end,
  scroll,
  modifiers,
  button,
}: Awaited<ReturnType<typeof stepsOf>>[number]) =>
  text ??
  keys?.join('+') ?? [
    [...modifiers, ...(button === 'left' || button === null ? [] : [button]), kind].join('+'),
    ...start.slice(0, 2),
    ...(kind === 'drag' ? end.slice(0, 2) : []),
    ...(scroll ? [scroll.dy] : []),
  ];
const ALL = [
  ['click', 30, 20],
  ['ctrl+click', 50, 40],
  ['drag', 10, 10, 60, 30],
  ['scroll', 60, 30, 3],
  'Grüße',
  'ctrl+s',
  ['right+click', 5, 6],
];

async function exported(): Promise<string> {
  const out = join(bench.elsewhere, `out-${Math.random()}`);
  const source = { kind: 'filter' as const, filter: {} };
  await runExport(bench.workspace, { source, formats: [{ name: 'videocua' }], all: true }, out, { toolVersion: '1' });
  expect((await validateExport('videocua', out)).problems).toEqual([]);
  const [app] = readdirSync(join(out, 'data'));
  const [task] = readdirSync(join(out, 'data', app!));
  return join(out, 'data', app!, task!);
}

describe('a task of VideoCUA', () => {
  test('becomes a recording: its actions by the video’s times, with the screen before each', async () => {
    const { entry: row, kind } = await bench.take(await writeTask(ENTRIES));
    expect(kind).toBe('videocua');
    const { version, origin, app, task, verdict } = readRecording(row.folder);
    expect({ version, app, task, verdict }).toMatchObject({
      version: 7,
      app: { name: 'GIMP' },
      task: { goal: 'Crop it.' },
      verdict: { kind: 'complete' },
    });
    expect(origin).toMatchObject({ source: 'videocua', name: 'task-7 (VideoCUA)', lost: [] });
    const { steps, frames } = await bench.documents.openRecording(row.id);
    expect(steps.map(shortly)).toEqual(ALL);
    // Its converter takes the picture 0.1 s before; ours stands still then, too.
    const wanted = [1, 2, 3.2, 4, 5, 6, 7].map((t) => Math.floor((t - 0.1) * 5));
    for (const [at, { before }] of steps.entries()) expect([wanted[at]! - 1, wanted[at]!]).toContain(before);
    expect(frames).toHaveLength(40);
  });

  test('of our own export comes back with its words, and goes out the same', async () => {
    await bench.take(await writeTask(ENTRIES));
    const first = await exported();
    const copy = join(bench.elsewhere, 'copy');
    cpSync(first, copy, { recursive: true });
    // With words, as people write them.
    const log = JSON.parse(readFileSync(join(copy, 'action_log.json'), 'utf8'));
    const ids = [
      ...new Set(
        log.action_log.flatMap(
          (one: { trajectory_studio?: { action_id: string } }) => one.trajectory_studio?.action_id ?? [],
        ),
      ),
    ];
    for (const one of log.action_log) {
      const own = one.trajectory_studio;
      if (!own) continue;
      const at = ids.indexOf(own.action_id);
      Object.assign(own, { subtask: at < 3 ? 'Begin' : 'End', narration: `Step ${at}`, element: `Element ${at}` });
      if (at === 1) own.thought = 'It is there.';
    }
    writeFileSync(join(copy, 'action_log.json'), JSON.stringify(log));
    const { entry: row } = await bench.take(copy);
    expect((await stepsOf(row.id)).map(shortly)).toEqual(ALL);
    const { records } = await bench.documents.get(row.id);
    const of = (kind: string) => records.filter((record) => record.kind === kind);
    expect(
      of('subtask')
        .flatMap((one) => (one.kind === 'subtask' ? [one.title] : []))
        .sort(),
    ).toEqual(['Begin', 'End']);
    expect(of('label')).toHaveLength(7);
    expect(of('reasoning')).toMatchObject([{ thought: 'It is there.' }]);
    // Of two recordings of a task the one whose work is furthest goes out.
    expect(readRecording(row.folder).task.goal).toBe('Crop it.');
    const again = JSON.parse(readFileSync(join(await exported(), 'action_log.json'), 'utf8'));
    const bare = (value: { action_log: { action_type: string; action_params: object }[] }) =>
      value.action_log.map(({ action_type, action_params }) => [action_type, action_params]);
    expect(bare(again)).toEqual(bare(log));
  });

  test('what is not known is counted, what is far off and quick is kept in order', async () => {
    const { entry: row } = await bench.take(
      await writeTask([
        entry(1, 'CLICK', { x: 300, y: 20, text: 'Left', numClicks: 1 }),
        entry(2, 'TELEPORT', { x: 1 }),
        entry(2.5, 'CLICK', { x: 3, y: 4, text: 'Thumb', numClicks: 1 }),
        entry(3, 'TYPING', { text: 'x'.repeat(2000) }),
        entry(3.3, 'CLICK', { x: 3, y: 4, text: 'Left', numClicks: 2 }),
        END,
      ]),
    );
    expect((await stepsOf(row.id)).map(shortly)).toEqual(['x'.repeat(2000), ['click', 3, 4]]);
    expect(readRecording(row.folder).origin?.lost).toEqual([
      '1 action: a place of it does not lie in the picture before it',
      '1 action: TELEPORT, which is no action that is known',
      '1 action: CLICK without a button that there is',
    ]);
  });
});

test.each<[string, (folder: string) => void, RegExp]>([
  [
    'no video',
    (folder) => rmSync(join(folder, 'video'), { recursive: true }),
    /its video is not beside it\. Put it at video\/video\.mp4/,
  ],
  ['a video that is none', (folder) => writeFileSync(join(folder, 'video', 'video.mp4'), 'no'), /video\.mp4/],
  [
    'half a log',
    (folder) => writeFileSync(join(folder, 'action_log.json'), '{"task_id": "a", "task_'),
    /action_log\.json: it is not JSON/,
  ],
  [
    'a field of another kind',
    (folder) =>
      writeFileSync(
        join(folder, 'action_log.json'),
        JSON.stringify({
          task_id: 'a',
          task_instruction: '',
          platform: 'b',
          action_log: [{ action_type: 'CLICK', timestamp: 'x' }],
        }),
      ),
    /action_log\.0\.timestamp/,
  ],
  [
    'nothing that is known',
    (folder) =>
      writeFileSync(
        join(folder, 'action_log.json'),
        JSON.stringify({ task_id: 'a', task_instruction: '', platform: 'b', action_log: [entry(1, 'TELEPORT')] }),
      ),
    /none of its actions is known \(TELEPORT/,
  ],
])('refused, and nothing stays: %s', async (_what, damage, says) => {
  const folder = await writeTask([entry(1, 'CLICK', { x: 1, y: 1, text: 'Left', numClicks: 1 }), END], {
    pictures: 10,
  });
  damage(folder);
  const { message } = await bench.refusal(folder);
  expect(message).toMatch(says);
  expect(dirname(folder)).toContain('GIMP');
});
