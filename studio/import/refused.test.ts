import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importBench } from './bench-for-tests.ts';
import { EXAMPLE, writeOwamcap } from './owamcap/mcap-for-tests.ts';

const bench = importBench();
const file = (name: string, content: string | Buffer): string => {
  const path = join(bench.elsewhere, name);
  writeFileSync(path, content);
  return path;
};
const folder = (files: Readonly<Record<string, string>>): string => {
  const path = join(bench.elsewhere, 'folder');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
};
const json = (value: unknown): string => JSON.stringify(value);
const atif = (ids: readonly number[]): string =>
  json({
    schema_version: 'ATIF-v1.7',
    agent: { name: 'a', version: '1' },
    steps: ids.map((step_id) => ({ step_id, source: 'agent', message: 'x' })),
  });
const evaluator = { func: 'check_moved_jpgs', result: { type: 'vm_command_line', command: 'python3 eval.py' } };

/** Damaged or foreign, each named for what it is, with what to do: a sentence, and never a stack. */
test.each<[what: string, path: () => string | Promise<string>, says: RegExp]>([
  [
    'a torn MCAP',
    async () => {
      const path = await writeOwamcap(join(bench.elsewhere, 'a.mcap'), EXAMPLE);
      truncateSync(path, readFileSync(path).length - 40);
      return path;
    },
    /a\.mcap.*(?:cut off|ends early)/s,
  ],
  ['a run of ATIF with a gap in step_id', () => file('a.json', atif([1, 2, 4])), /step 3: its step_id is 4, not 3/],
  [
    'a task of OSWorld whose evaluator is code',
    () => file('a.json', json({ id: 'a', instruction: 'Sort', config: [], evaluator })),
    /is an OSWorld task, which is not imported\. .*`tasks import-osworld FILE`/,
  ],
  [
    'a run of OSWorld that is torn',
    () => folder({ 'traj.jsonl': '{"step_num": 1, "act' }),
    /traj\.jsonl: it holds no step/,
  ],
  ['a folder of runs of OSWorld', () => folder({ 'a/traj.jsonl': '' }), /a folder with 1 OSWorld run in it/],
  [
    'a log of VideoCUA alone',
    () =>
      folder({
        'action_log.json': json({
          task_id: 'a',
          task_instruction: '',
          platform: 'b',
          action_log: [{ action_type: 'PRESS', timestamp: 1 }],
        }),
      }),
    /its video is not beside it\. Put it at video\/video\.mp4/,
  ],
  [
    'a session of Codex that is torn',
    () => folder({ 'session.json': '{"id": "a"', 'events.jsonl': '' }),
    /session\.json: it is not JSON/,
  ],
  ['a skill', () => folder({ 'SKILL.md': '---\nname: a\n---\n' }), /is a skill, which is not imported/],
  ['LeRobot', () => folder({ 'meta/info.json': '{}' }), /is a LeRobot data set, which is not imported/],
  ['a video that is torn', () => file('a.mp4', Buffer.from('\0\0\0\x18ftypmp42'.padEnd(64, '\0'), 'latin1')), /a\.mp4/],
  [
    'a .tar that is torn',
    () => file('a.tar', Buffer.alloc(512, 1)),
    /The archive cannot be read at byte 0: it is damaged, or no \.tar/,
  ],
  [
    'NaturalGAIA without steps',
    () => file('a.json', json([{ messages: [{ role: 'user', content: 'x' }], images: [] }])),
    /chat data of 1 message/,
  ],
  ['text', () => file('a.txt', 'Hello'), /is not known: it is text that begins with "Hello"\. What is imported:/],
  ['nothing', () => file('a.bin', ''), /is not known: it is empty/],
])('%s is named', async (_what, path, says) => {
  const { message, code } = await bench.refusal(await path());
  expect(code).toBe('BAD_FILE');
  expect(message).toMatch(says);
  expect(message).not.toMatch(/\n\s+at |undefined|\[object/);
  expect(message).toMatch(/\.$/);
});
