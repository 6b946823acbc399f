import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { writeFilm } from '../../native/ffmpeg/film.ts';
import { readRecording } from '../store/recording-folder.ts';
import { importBench } from './bench-for-tests.ts';
import { EXAMPLE, writeOwamcap } from './owamcap/mcap-for-tests.ts';

/**
 * What a small recording of each other tool becomes, as files that a person reads: its input, and what is said of it. `npx vitest run
 * studio/import/golden.test.ts -u` writes them anew.
 */

const bench = importBench();
const at = (...names: string[]): string => join(bench.elsewhere, ...names);
const jsonl = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const shot = (name: string, n: number) =>
  sharp({ create: { width: 120, height: 80, channels: 3, background: { r: 60 * n, g: 10, b: 200 } } }).toFile(at(name));

const SOURCES: Readonly<Record<string, () => Promise<string>>> = {
  owamcap: () => writeOwamcap(at('take.mcap'), EXAMPLE),
  async codex() {
    const event = (id: number, kind: string, more: object) => ({
      id,
      kind,
      timestamp: `2026-06-21T08:00:0${id}.000Z`,
      app: { name: 'Notes' },
      ...more,
    });
    const session = { id: 's', startedAt: '2026-06-21T08:00:00.000Z', eventsPath: 'events.jsonl' };
    const events = [
      event(1, 'mouse.click', {
        mouse: { button: 'left', clickCount: 1, target: { role: 'AXButton', title: 'Send' } },
      }),
      event(2, 'keyboard.text_input', { keyboard: { text: 'Hi' } }),
      event(4, 'keyboard.key_equivalent', { keyboard: { keyEquivalent: 'cmd+s' } }),
    ];
    mkdirSync(at('take'));
    writeFileSync(at('take', 'session.json'), JSON.stringify(session));
    writeFileSync(at('take', 'events.jsonl'), jsonl(events));
    return at('take');
  },
  async atif() {
    mkdirSync(at('shots'));
    for (const [n, name] of ['0.png', '1.png', '2.jpg', '3.png'].entries()) await shot(join('shots', name), n);
    copyFileSync(new URL('./atif/example-run.atif', import.meta.url), at('run.json'));
    return at('run.json');
  },
  async osworld() {
    mkdirSync(at('0a1b'));
    const line = (n: number, action: unknown) => ({
      step_num: n,
      action_timestamp: `20250101@12000${n}000000`,
      action,
      response: `Thought ${n}`,
      reward: 0,
      done: action === 'DONE',
      info: {},
      screenshot_file: `step_${n}.png`,
    });
    const actions = [
      'pyautogui.click(30, 20)',
      { action_type: 'MOUSE_DOWN', parameters: { button: 'left' } },
      { action_type: 'MOVE_TO', parameters: { x: 60, y: 40 } },
      { action_type: 'MOUSE_UP', parameters: {} },
      'import os; os.remove("x")',
      'DONE',
    ];
    for (let n = 0; n <= actions.length; n++) await shot(join('0a1b', `step_${n}.png`), n % 4);
    writeFileSync(at('0a1b', 'traj.jsonl'), jsonl(actions.map((action, n) => line(n + 1, action))));
    writeFileSync(at('0a1b', 'result.txt'), '1.0\n');
    return at('0a1b');
  },
  async videocua() {
    mkdirSync(at('task', 'video'), { recursive: true });
    async function* greys() {
      for (let n = 0; n < 20; n++) yield Buffer.alloc(120 * 80 * 3, (37 * n) % 256);
    }
    const wish = { width: 120, height: 80, fps: 5, exact: true, signal: undefined };
    await writeFilm(bench.ffmpeg, at('task', 'video', 'video.mp4'), wish, greys());
    const action_log = [
      { timestamp: 1, action_type: 'CLICK', action_params: { x: 30, y: 20, text: 'Left', numClicks: 2 } },
      { timestamp: 2, action_type: 'HOTKEY', action_params: { keys: ['ctrl', 's'] } },
      { timestamp: 3, action_type: 'SCROLL', action_params: { x: 50, y: 50, scrollY: -2 } },
      { timestamp: 3.5, action_type: 'AFTER_LAST_ACTION', action_params: {} },
    ];
    const log = { task_id: 'task', task_instruction: 'Save it.', platform: 'GIMP', action_log };
    writeFileSync(at('task', 'action_log.json'), JSON.stringify(log));
    return at('task');
  },
};

test.each(Object.keys(SOURCES))('%s is as its golden file', async (kind) => {
  const { entry, kind: found } = await bench.take(await SOURCES[kind]!());
  expect(found).toBe(kind);
  const { version, app, task, origin, verdict, counts } = readRecording(entry.folder);
  // When it was made may be the file's date.
  const guessed = origin?.guessed.filter((one) => !one.startsWith('when it was made'));
  const said = { version, app: app.name, goal: task.goal, origin: { ...origin, guessed }, verdict, counts };
  const text = `${JSON.stringify(said, null, 1)}\n${readFileSync(join(entry.folder, 'events.jsonl'), 'utf8')}`;
  await expect(text).toMatchFileSnapshot(`golden/${kind}.golden`);
});
