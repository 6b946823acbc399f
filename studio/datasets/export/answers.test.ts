import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANSWER_WAYS } from '../../../core/export/chat/words.ts';
import { findFormat } from '../../../core/export/formats.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { click, drag, makeTask, of, pressed, scroll, typed } from './example-for-tests.ts';
import { exportTasks } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { validateExport } from './validate.ts';

/** Conversations in the words of today's models: each is sound, and damages of its calls are found. */

const folders = temporaryFolders();
afterAll(folders.clean);
const FILES = { 'ms-swift': 'messages.jsonl', llamafactory: 'trajectories.jsonl' } as const;
const WAYS = ANSWER_WAYS.filter((way) => way !== 'code');
const SHARED = folders.make();
let task: Awaited<ReturnType<typeof makeTask>>;

beforeAll(async () => {
  const actions = [
    click(3, 4),
    click(5, 6, { count: 2 }),
    click(63, 39, { button: 'right' }),
    typed('Ada: "1 < 2"\n</parameter> \\n'),
    typed('plain'),
    pressed('ctrl', 's'),
    drag([1, 2], [30, 20]),
    scroll(0, 3),
    of('wait'),
  ];
  task = await makeTask(path.join(SHARED, 'stills'), 'PPT_1', [{ query: 'q', actions }]);
});

const written = new Map<string, Promise<string>>();
/** An export of this way, made once; the damages are done to copies. */
function exported(format: keyof typeof FILES, way: string): Promise<string> {
  const key = `${format}-${way}`;
  const out = path.join(SHARED, key);
  const request = requestOf(format, { options: { answer: way } });
  const made = written.get(key) ?? exportTasks([task], out, request, { toolVersion: '0', filters: {} }).then(() => out);
  written.set(key, made);
  return made;
}

async function problemsAfter(format: keyof typeof FILES, way: string, damage: (text: string) => string) {
  const dir = path.join(folders.make(), 'copy');
  await cp(await exported(format, way), dir, { recursive: true });
  const file = path.join(dir, FILES[format]);
  const before = await readFile(file, 'utf8');
  const after = damage(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
  return (await validateExport(format, dir)).problems.map(({ code }) => code);
}

test('the option has the names that the words have', () => {
  for (const format of Object.keys(FILES)) {
    const options = findFormat(format)!.options;
    expect(options.find(({ name }) => name === 'answer')?.values.map(({ name }) => name)).toEqual(ANSWER_WAYS);
  }
});

describe.each(Object.keys(FILES) as (keyof typeof FILES)[])('%s', (format) => {
  test.each(WAYS)('in the words of %s is sound, and its card says in what places count', async (way) => {
    const out = await exported(format, way);
    expect((await validateExport(format, out)).problems).toEqual([]);
    const card = await readFile(path.join(out, 'README.md'), 'utf8');
    expect(card).toMatch(way === 'qwen' ? /0 to 1000/ : /pixels of the picture of their turn/);
    const line = JSON.parse((await readFile(path.join(out, FILES[format]), 'utf8')).split('\n')[0]!);
    // Each step and the end; of UI-TARS's all but the text that its marks keep out.
    expect(line.images).toHaveLength(way.startsWith('ui-tars') ? 9 : 10);
  });

  test.each<[string, (typeof WAYS)[number], (text: string) => string, string]>([
    ['a call of no tool', 'anthropic', (text) => text.replace('left_click', 'left_glance'), 'CODE_BAD'],
    ['a place outside', 'openai', (text) => text.replace('\\"x\\":3', '\\"x\\":300'), 'POSITION_OUTSIDE'],
    [
      'a place above 1000',
      'qwen',
      (text) => text.replace(/coordinate\\":\[\d+/, 'coordinate\\":[1200'),
      'POSITION_OUTSIDE',
    ],
    ['an answer without its call', 'ui-tars', (text) => text.replace('Action: click', 'Then: click'), 'CODE_BAD'],
    [
      'a call of another tool',
      'tools',
      (text) => text.replace('\\"name\\":\\"computer\\"', '\\"name\\":\\"shell\\"'),
      'CODE_BAD',
    ],
    ['a tool’s place outside', 'tools', (text) => text.replace('\\"x\\":3', '\\"x\\":300'), 'POSITION_OUTSIDE'],
    [
      'a turn of no tool',
      'tools',
      (text) => text.replace(/"role":"(?:observation|tool_response)"/, '"role":"user"'),
      'TURNS_WRONG',
    ],
    ['tools that are none', 'tools', (text) => text.replace(/"tools":"[^}]*/, '"tools":"[{'), 'CODE_BAD'],
    ['another way’s words', 'ui-tars-2', (text) => text.replaceAll('<seed:tool_call>', '<tool>'), 'CODE_BAD'],
  ])('%s is found', async (_what, way, damage, code) => {
    expect(await problemsAfter(format, way, damage)).toContain(code);
  });
});
