import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { runExport } from '../../datasets/export/exports.ts';
import { validateExport } from '../../datasets/export/validate.ts';
import { readOsworldTasks, takeOsworldTasks } from '../../play/osworld-tasks.ts';
import { readRecording } from '../../store/recording-folder.ts';
import { importBench } from '../bench-for-tests.ts';

const bench = importBench();

type Line = Record<string, unknown>;
const TRAJ = 'traj.jsonl';
const line = (n: number, action: unknown, more: Line = {}): Line => ({
  step_num: n,
  action_timestamp: `20250101@12000${n}000000`,
  action,
  response: `Thought of ${n}`,
  reward: 0,
  done: false,
  info: {},
  screenshot_file: `step_${n}_20250101@12000${n}000000.png`,
  ...more,
});
const click = (x: number, y: number): string => `pyautogui.click(x=${x}, y=${y})`;
const PROGRAMS: Line[] = [
  line(1, `import pyautogui\n${click(30, 20)}`),
  line(2, "pyautogui.write('Hi', interval=0.1)"),
  line(3, "pyautogui.hotkey('ctrl', 's')"),
  line(4, 'DONE', { done: true, reward: 1 }),
];

/** A folder as OSWorld keeps it; every picture that a line names is there, in a colour of its own. */
async function writeRun(
  lines: readonly (Line | string)[],
  result: string | null = '1.0\n',
  id = 'gimp/0a1b',
): Promise<string> {
  const folder = join(bench.elsewhere, 'results', id);
  mkdirSync(folder, { recursive: true });
  const shot = (at: number) =>
    sharp({ create: { width: 120, height: 80, channels: 3, background: { r: 40 * at, g: 90, b: 200 } } });
  await shot(0).toFile(join(folder, 'step_0.png'));
  for (const [at, one] of lines.entries()) {
    const name = typeof one === 'string' ? null : one.screenshot_file;
    if (typeof name === 'string' && !name.includes('/')) await shot(at + 1).toFile(join(folder, name));
  }
  writeFileSync(
    join(folder, TRAJ),
    lines.map((one) => (typeof one === 'string' ? one : `${JSON.stringify(one)}\n`)).join(''),
  );
  if (result !== null) writeFileSync(join(folder, 'result.txt'), result);
  return folder;
}

const shortly = ({ kind, text, keys, start, end, scroll, modifiers }: Awaited<ReturnType<typeof stepsOf>>[number]) =>
  text ??
  keys?.join('+') ?? [
    [...modifiers, kind].join('+'),
    ...start.slice(0, 2),
    ...(kind === 'drag' ? end.slice(0, 2) : []),
    ...(scroll ? [scroll.dy] : []),
  ];
const stepsOf = async (id: string) => (await bench.documents.openRecording(id)).steps;

async function exported(): Promise<{ out: string; folder: string; text: string }> {
  const out = join(bench.elsewhere, `out-${Math.random()}`);
  const source = { kind: 'filter' as const, filter: {} };
  await runExport(bench.workspace, { source, formats: [{ name: 'osworld' }], all: true }, out, { toolVersion: '1' });
  expect((await validateExport('osworld', out)).problems).toEqual([]);
  const [row] = readFileSync(join(out, 'runs.jsonl'), 'utf8').trim().split('\n');
  const folder = join(out, JSON.parse(row!).folder);
  return { out, folder, text: readFileSync(join(folder, TRAJ), 'utf8') };
}

describe('a run of OSWorld', () => {
  test('becomes a recording with its clicks, keys, thoughts and screens', async () => {
    const folder = await writeRun(PROGRAMS);
    const { entry, kind } = await bench.take(folder);
    expect(kind).toBe('osworld');
    const { origin, version, verdict, app } = readRecording(entry.folder);
    expect({ version, verdict, app }).toMatchObject({
      version: 5,
      verdict: { kind: 'complete' },
      app: { name: 'GIMP' },
    });
    expect(origin).toMatchObject({ source: 'agent', name: '0a1b (OSWorld, result 1, DONE)', lost: [] });
    expect((await stepsOf(entry.id)).map(shortly)).toEqual([['click', 30, 20], 'Hi', 'ctrl+s']);
    const { records } = await bench.documents.get(entry.id);
    expect(records.flatMap((one) => (one.kind === 'reasoning' ? [one.thought] : [])).sort()).toEqual([
      'Thought of 1',
      'Thought of 2',
      'Thought of 3',
    ]);
    const { frames } = await bench.documents.openRecording(entry.id);
    const last = await sharp(await bench.documents.framePicture(entry.id, frames.at(-1)![0]))
      .raw()
      .toBuffer();
    expect([...last.subarray(0, 3)]).toEqual([120, 90, 200]);
  });

  test('comes out as it came: each line byte for byte but for our member, each picture, its result', async () => {
    const text = PROGRAMS.map((one) => `${JSON.stringify(one).replace('"reward":0', '"reward": 0.0')}\n`);
    const folder = await writeRun([...text]);
    for (const [at, one] of PROGRAMS.entries())
      await sharp({ create: { width: 120, height: 80, channels: 3, background: { r: at, g: 0, b: 0 } } }).toFile(
        join(folder, String(one.screenshot_file)),
      );
    await bench.take(folder);
    const out = await exported();
    const bare = out.text.split('\n').map((row) => row.replace(/, "trajectory_studio": \{.*\}\}$/, '}'));
    expect(bare.join('\n')).toBe(text.join(''));
    expect(readFileSync(join(out.folder, 'result.txt'), 'utf8')).toBe('1.0\n');
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.png')))
      expect(readFileSync(join(out.folder, name)).equals(readFileSync(join(folder, name)))).toBe(true);
    expect(readdirSync(out.folder)).toContain('recording.mp4');
    // What went out is a run again, and goes out the same.
    const again = join(bench.elsewhere, 'again', 'other');
    cpSync(out.folder, again, { recursive: true });
    const [first] = await bench.workspace.listAll();
    const { entry } = await bench.take(again);
    expect((await stepsOf(entry.id)).map(shortly)).toEqual((await stepsOf(first!.id)).map(shortly));
  });

  test('of computer_13: held buttons and keys over several lines are one step, places may be where the pointer is', async () => {
    const act = (action_type: string, parameters: object = {}) => ({ action_type, parameters });
    const folder = await writeRun([
      line(1, act('MOVE_TO', { x: 10, y: 10 })),
      line(2, act('MOUSE_DOWN', { button: 'left' })),
      line(3, act('MOVE_TO', { x: 60, y: 40 })),
      line(4, act('MOUSE_UP')),
      line(5, { action_type: 'CLICK', x: 5, y: 6, button: 'right' }),
      line(6, act('KEY_DOWN', { key: 'ctrl' })),
      line(7, act('CLICK', { x: 7, y: 8 })),
      line(8, act('KEY_UP', { key: 'ctrl' })),
      line(9, act('SCROLL', { dx: 0, dy: -3 })),
      line(9, 'WAIT'),
      line(9, act('TELEPORT', { x: 1 })),
      line(9, act('FAIL')),
    ]);
    const { entry } = await bench.take(folder);
    expect((await stepsOf(entry.id)).map(shortly)).toEqual([
      expect.arrayContaining(['wait']),
      ['drag', 10, 10, 60, 40],
      ['click', 5, 6],
      ['ctrl+click', 7, 8],
      ['scroll', 7, 8, 3],
      expect.arrayContaining(['wait']),
      expect.arrayContaining(['wait']),
    ]);
    expect(readRecording(entry.folder).origin?.lost).toEqual([
      '4 screens between a press and its release: kept in attachments/ beside the others',
      'what 1 step did, beside words and screens: it gave no input',
      expect.stringContaining('its calls are none that are known'),
    ]);
  });

  test('of agents with forms of their own: a call beside its program, an action in an action', async () => {
    const folder = await writeRun([
      line(1, { action_space: 'pyautogui', action: click(9, 9), pending_checks: [], call_id: 'c' }),
      line(2, { name: 'computer', input: { action: 'left_click', coordinate: [4, 4] }, command: click(8, 8) }),
      line(3, { name: 'computer', input: { action: 'key', text: 'ctrl+c' } }),
      line(4, "```python\npyautogui.keyDown('shift')\npyautogui.click(3, 3)\npyautogui.keyUp('shift')\n```"),
      line(5, 'pyautogui.moveTo(1, 1); pyautogui.mouseDown(); pyautogui.moveTo(50, 50); pyautogui.mouseUp()'),
    ]);
    const { entry } = await bench.take(folder);
    expect((await stepsOf(entry.id)).map(shortly)).toEqual([
      ['click', 9, 9],
      ['click', 8, 8],
      'ctrl+c',
      ['shift+click', 3, 3],
      ['drag', 1, 1, 50, 50],
    ]);
  });

  test('of a task that is in the workspace has its goal, and goes out under its name there', async () => {
    const file = join(bench.elsewhere, 'task.json');
    writeFileSync(
      file,
      JSON.stringify({
        id: '0a1b',
        instruction: 'Crop it.',
        related_apps: ['gimp'],
        evaluator: { func: 'infeasible' },
      }),
    );
    const [task] = await takeOsworldTasks(bench.workspace, readOsworldTasks(file).tasks, undefined);
    const { entry } = await bench.take(await writeRun(PROGRAMS));
    expect(readRecording(entry.folder).task).toEqual({ id: task!.id, goal: 'Crop it.' });
    expect((await exported()).folder).toMatch(/pyautogui\/screenshot\/human\/gimp\/0a1b$/);
  });

  test('what is missing is named: pictures, the end of a file, a line of an error, a result that is no number', async () => {
    const folder = await writeRun(
      [
        line(1, click(30, 20)),
        { Error: 'Time limit exceeded' },
        line(2, 'os.system("x")'),
        line(3, click(200, 200)),
        '{"step_num": 4, "act',
      ],
      'none\n',
    );
    rmSync(join(folder, String(line(2, '').screenshot_file)));
    writeFileSync(join(folder, 'runtime.log'), 'x');
    const { entry } = await bench.take(join(folder, TRAJ));
    const { origin, verdict } = readRecording(entry.folder);
    expect(origin?.lost).toEqual([
      'the picture "step_2_20250101@120002000000.png": it is not there, and nothing is fetched',
      'line 2, which is no step: {"Error":"Time limit exceeded"}',
      'the last line of traj.jsonl, which is cut off',
      'result.txt, which says no number: "none"',
      'other files of its folder: runtime.log',
      'what 1 step did, beside words and screens: its call "os.system("x")" is none that is known',
      'what 1 step did, beside words and screens: there is no picture before it',
    ]);
    expect(verdict).toMatchObject({
      kind: 'recovered',
      missing: ['the picture after the step of line 3', 'the picture before the step of line 4'],
    });
    expect((await exported()).text.trim().split('\n')).toHaveLength(4);
  });

  test('without a screen at first: the first picture of its recording', async () => {
    const folder = await writeRun(PROGRAMS);
    await bench.take(folder);
    const { folder: made } = await exported();
    const bare = join(bench.elsewhere, 'bare', 'b');
    cpSync(made, bare, { recursive: true });
    rmSync(join(bare, 'step_0.png'));
    const { entry } = await bench.take(bare);
    const { origin, verdict } = readRecording(entry.folder);
    expect(verdict?.kind).toBe('complete');
    expect(origin?.guessed).toContain('the screen before the first step: the first picture of recording.mp4');
    expect((await stepsOf(entry.id)).map(shortly)).toEqual([['click', 30, 20], 'Hi', 'ctrl+s']);
    rmSync(join(bare, 'recording.mp4'));
    writeFileSync(join(bare, 'recording.mp4'), 'no video');
    writeFileSync(join(bare, TRAJ), readFileSync(join(bare, TRAJ), 'utf8').replaceAll('Thought', 'Idea'));
    const second = await bench.take(bare);
    expect(readRecording(second.entry.folder).verdict).toMatchObject({
      kind: 'recovered',
      missing: ['the picture before the step of line 1'],
    });
  });
});

describe('what is no sound run is refused with its line, and nothing stays', () => {
  test.each<[string, () => Promise<string>, RegExp]>([
    [
      'a torn line in the middle',
      () => writeRun([line(1, click(1, 1)), '{"step_num": 2,\n', line(3, click(1, 1))]),
      /traj\.jsonl line 2: it is not JSON/,
    ],
    [
      'a field of another kind',
      () => writeRun([line(1, click(1, 1), { screenshot_file: 7 })]),
      /traj\.jsonl line 1: screenshot_file/,
    ],
    [
      'a picture outside of the folder',
      () => writeRun([line(1, click(1, 1), { screenshot_file: '../x.png' })]),
      /line 1: its picture "\.\.\/x\.png" cannot be imported: the part "\.\." leads elsewhere/,
    ],
    ['an absolute one', () => writeRun([line(1, click(1, 1), { screenshot_file: '/etc/passwd' })]), /it is absolute/],
    [
      'a link',
      async () => {
        const folder = await writeRun([line(1, click(1, 1), { screenshot_file: 'a/b.png' })]);
        mkdirSync(join(folder, 'a'));
        symlinkSync('/etc/passwd', join(folder, 'a', 'b.png'));
        return folder;
      },
      /line 1: its picture "a\/b\.png" is a link/,
    ],
    ['no step', () => writeRun([line(1, 'DONE')]), /it holds no step, only how the run ended/],
    ['nothing', () => writeRun([]), /it holds no step/],
    [
      'no screen',
      async () => {
        const folder = await writeRun([line(1, click(1, 1))]);
        for (const name of readdirSync(folder)) if (name.endsWith('.png')) rmSync(join(folder, name));
        return folder;
      },
      /it shows no screen: none of the pictures that it names is there/,
    ],
  ])('%s', async (_what, write, says) => {
    const { message, code } = await bench.refusal(await write());
    expect([code, message]).toEqual(['BAD_FILE', expect.stringMatching(says)]);
    expect(message).toMatch(/Nothing was kept\.$/);
  });

  test('a folder of runs is named', async () => {
    const folder = dirname(await writeRun(PROGRAMS));
    expect((await bench.refusal(folder)).message).toContain('a folder with 1 OSWorld run in it, which is not imported');
  });
});
