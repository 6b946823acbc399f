import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tarHeader } from '../files/tar.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { kindOfImport } from './import-any.ts';

const folders = temporaryFolders();
const SAMPLES = join(import.meta.dirname, '..', '..', '..', 'shared', 'samples');

/** What an import says of a file with this name and content: its kind, or the error's words after the path. */
function said(name: string, content: string | Buffer): string {
  const path = join(folders.make(), name);
  writeFileSync(path, content);
  return saidOf(path);
}

function saidOf(path: string): string {
  try {
    return kindOfImport(path);
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_FILE' });
    return (error as Error).message.replace(`${path} is `, '');
  }
}

const json = (value: unknown): string => JSON.stringify(value);
const lines = (...values: unknown[]): string => values.map((value) => `${json(value)}\n`).join('');

/** A record as TensorFlow writes it; its length's checksum is right. */
const TFRECORD = Buffer.concat([
  Buffer.from('2800000000000000', 'hex'),
  Buffer.from('ff70164a', 'hex'),
  Buffer.alloc(48, 10),
]);

describe('a file is named by its content, whatever it is called', () => {
  const files: [what: string, content: string | Buffer, says: string][] = [
    [
      'an OSWorld task',
      json({ id: 'a', snapshot: 'chrome', instruction: 'Hide it', config: [], evaluator: {} }),
      'an OSWorld task, which is not imported.',
    ],
    [
      'an OSWorld run',
      lines({ step_num: 1, action_timestamp: 't', action: 'pyautogui.click()', screenshot_file: 'a.png' }),
      'osworld',
    ],
    [
      'AgentNet as published',
      lines({ task_id: '1', instruction: 'Do', task_completed: true, traj: [{}, {}, {}] }),
      'a published AgentNet trajectory of 3 steps',
    ],
    [
      'a line of VideoGUI-Action',
      lines({ split: 'action', app: 'PPT', action_type: 'click', action_narration: 'Click' }),
      'rows of VideoGUI-Action',
    ],
    ['a Mid-Plan', lines({ split: 'mid', subtask_query: 'q', action_sequence: '1.' }), 'rows of VideoGUI-Mid-Plan'],
    ['a High-Plan', lines({ task_id: 'PPT_1', app: 'PPT', fulltask_query: 'q' }), 'rows of VideoGUI-High-Plan'],
    ['chat data', lines({ messages: [{ role: 'user', content: 'hi' }], images: [] }), 'chat data of 1 message'],
    [
      'chat data in parts',
      lines({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] }),
      'chat data of 1 message',
    ],
    ['ShareGPT', json([{ conversations: [{ from: 'human', value: 'hi' }, {}] }]), 'chat data of 2 messages'],
    [
      'an AndroidControl episode',
      lines({ goal: 'Open', is_successful: true, steps: [{}] }),
      'an AndroidControl episode of 1 step',
    ],
    ['a log of VideoCUA', json({ task_id: 'a', task_instruction: 'Do', platform: 'b', action_log: [] }), 'videocua'],
    ['LeRobot', json({ codebase_version: 'v3.0', features: {} }), 'the head of a LeRobot data set v3.0'],
    [
      'Codex Record & Replay',
      json({ id: 'a', startedAt: 't', eventsPath: 'events.jsonl' }),
      'a session of Codex Record & Replay',
    ],
    [
      "DuckTrack's events",
      lines({ time_stamp: 1, action: 'move', x: 1, y: 2 }),
      'the events of a DuckTrack or AgentNet recording',
    ],
    ['our own events', lines({ type: 'move', t: 0, x: 1, y: 2 }), 'a file of a recording of ours'],
    ['our own manifest', json({ schema: 'trajectory-studio/export', version: 1 }), 'the manifest of an export of ours'],
    ['a zip', Buffer.from('PK\x03\x04\x14\0\0\0a.txt'), 'a zip archive, which is not imported. Unpack it first'],
    ['a Playwright trace', Buffer.from(`PK\x03\x04${'\0'.repeat(26)}trace.trace`), 'a Playwright trace (a zip)'],
    ['MCAP', Buffer.from('\x89MCAP0\r\n\x01\x0c\0\0\0\0\0\0\0\x04\0\0\0ros2', 'latin1'), 'an MCAP recording'],
    ['OWAMcap', Buffer.from('\x89MCAP0\r\n\x01\x2d\0\0\0\0\0\0\0\x03\0\0\0owa"', 'latin1'), 'owamcap'],
    ['TFRecord', TFRECORD, 'a TFRecord file'],
    [
      'TFRecord in gzip',
      gzipSync(TFRECORD),
      'a TFRecord file, as AndroidControl and AITW are published, packed by gzip',
    ],
    [
      'a .tar in gzip',
      gzipSync(Buffer.concat([tarHeader({ path: 'a', size: 0, kind: 'folder' }), Buffer.alloc(1024)])),
      'a .tar packed by gzip',
    ],
    ['a GIF', Buffer.from('GIF89a'.padEnd(40, '\0')), 'a GIF, which is not imported. Make an .mp4'],
    ['AVI', Buffer.from('RIFF\0\0\0\0AVI LIST'), 'an AVI video'],
    ['Parquet', Buffer.from('PAR1'.padEnd(40, '\0')), 'a Parquet table'],
    ['SQLite', Buffer.from('SQLite format 3\0'.padEnd(100, '\0')), 'an SQLite database'],
  ];
  test.each(files)('%s', (_what, content, says) => {
    for (const name of ['file.json', 'file.jsonl', 'file.tar', 'file.mp4', 'file']) {
      expect(said(name, content).slice(0, says.length)).toBe(says);
    }
  });

  test('what is imported is so by any name', () => {
    const trajectory = json({ images: [], messages: [{ role: 'assistant', content: 'x\n=== Step1 ===\n' }] });
    const tar = Buffer.concat([tarHeader({ path: 'take', size: 0, kind: 'folder' }), Buffer.alloc(1024)]);
    const video = Buffer.from('\0\0\0\x18ftypmp42'.padEnd(64, '\0'), 'latin1');
    const run = json({ schema_version: 'ATIF-v1.7', session_id: 'a', agent: {}, steps: [{}, {}] });
    for (const name of ['a', 'a.dat', 'a.json', 'a.tar', 'a.mp4']) {
      // A run that is cut off is one, too: its reader says where.
      expect([said(name, run), said(name, run.slice(0, 60))]).toEqual(['atif', 'atif']);
      expect([said(name, trajectory), said(name, tar), said(name, video)]).toEqual([
        'naturalgaia',
        'recording',
        'video',
      ]);
    }
  });

  test('what nobody knows is described, with what is known', () => {
    expect(said('a.json', json({ foo: 1, bar: 2 }))).toBe(
      "not known: it is JSON with the fields foo, bar. What is imported: a recording's folder or its .tar, a workspace archive (.tar), a video (mp4, mov, mkv, webm), a folder of DuckTrack, AgentNet or Codex Record & Replay, an OWAMcap recording (.mcap), NaturalGAIA trajectories (.json, .jsonl), runs in ATIF (.json), runs of OSWorld (a folder with traj.jsonl), tasks of VideoCUA (a folder with action_log.json).",
    );
    expect(said('notes.txt', 'Hello there\n')).toMatch(
      /^not known: it is text that begins with "Hello there"\. What is imported/,
    );
    expect(said('a.bin', Buffer.alloc(1000, 7))).toMatch(/^not known: it is a file of a form that is not known here\./);
    expect(said('a.bin', '')).toMatch(/^not known: it is empty\./);
  });

  test('no content is ever an error of another form (law)', () => {
    const start = fc.constantFrom(
      '',
      '{',
      '[{"messages":',
      'PK\x03\x04',
      '\x1f\x8b',
      '\x89MCAP0\r\n',
      'RIFF',
      '{"id":1,"instruction":',
    );
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (begin, rest) => {
        const answer = said('a.dat', Buffer.concat([Buffer.from(begin, 'latin1'), rest]));
        expect(answer).not.toMatch(/Invalid input|ends early|at byte/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a folder', () => {
  const folderOf = (files: Record<string, string>): string => {
    const folder = folders.make();
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return folder;
  };
  const OUR_EXPORT = JSON.stringify({ schema: 'trajectory-studio/export', version: 1 });
  const OSWORLD_TASK = JSON.stringify({ id: '1', instruction: 'Save it', evaluator: {} });
  test.each([
    ['an OSWorld run', { 'traj.jsonl': '{}\n{}\n', 'recording.mp4': '' }, 'osworld'],
    ['a task of VideoCUA', { 'action_log.json': '{}', 'video/video.mp4': '' }, 'videocua'],
    [
      'OSWorld runs in it',
      { 'a/traj.jsonl': '', 'b/traj.jsonl': '' },
      'a folder with 2 OSWorld runs in it, which is not imported. Import each of them by itself.',
    ],
    ['Codex Record & Replay', { 'session.json': '{}', 'events.jsonl': '' }, 'codex'],
    [
      'MCAP files',
      { 'a.mcap': '', 'b.mcap': '' },
      'a folder of 2 MCAP recordings, which is not imported. Import each of them',
    ],
    ['LeRobot', { 'meta/info.json': '{}' }, 'a LeRobot data set'],
    ['a workspace', { 'studio.sqlite': '' }, 'a workspace of ours, which is not imported. Open it'],
    [
      'recordings in it',
      { 'a/recording.json': '', 'b/recording.json': '' },
      'a folder with 2 recordings of ours in it',
    ],
    [
      'an export of ours beside other files',
      { 'manifest.json': OUR_EXPORT, 'agentnet.jsonl': '{"task_id":"a","traj":[]}', 'images/a.png': '' },
      'an export of ours, which is not imported. To have it here, import the recordings that it was made of',
    ],
    ['a video in it', { 'lesson.mp4': '' }, 'a folder with a video'],
    ['a task of OSWorld', { 'a.json': OSWORLD_TASK }, 'a folder with a JSON file: an OSWorld task'],
    [
      'tasks of OSWorld',
      { 'a.json': OSWORLD_TASK, 'b.json': OSWORLD_TASK, 'README.md': 'Two tasks.' },
      'a folder with 2 JSON files, each like a.json: an OSWorld task, which is not imported. It says what is to be done',
    ],
    [
      'JSON of several forms',
      { 'a.json': OSWORLD_TASK, 'b.json': '{"log":{"entries":[]}}' },
      'not known: it is a folder that',
    ],
    [
      'JSON that is torn',
      { 'a.json': '{"id":1,' },
      'not known: it is a folder that holds nothing of what is imported. What is imported',
    ],
    ['nothing', {}, 'not known: it is a folder that holds nothing of what is imported. What is imported'],
  ])('%s', (_what, files, says) => {
    expect(saidOf(folderOf(files)).slice(0, says.length)).toBe(says);
  });
});

test.each([
  ['pyautogui/screenshot/human/gimp/GIMP_1/traj.jsonl', 'pyautogui/screenshot/human/gimp/GIMP_1'],
  ['data/GIMP/GIMP_1/action_log.json', 'data/GIMP/GIMP_1'],
  ['trajectories/GIMP_1.json', 'trajectories/GIMP_1.json'],
])('an export of ours in a form that is imported names a task in it: %s', (file, task) => {
  const folder = folders.make();
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ schema: 'trajectory-studio/export', version: 1 }, null, 1),
  );
  writeFileSync(join(folder, 'runs.jsonl'), '{"task_id":"GIMP_1"}');
  writeFileSync(join(folder, file), '{"schema_version": "ATIF-v1.7", "session_id": "a", "agent": {}, "steps": [{}]}');
  expect(saidOf(folder)).toContain(`Import each of its tasks by itself, such as ${join(folder, task)}.`);
});

/** Files as other tools published them, where they lie beside the project. */
describe.skipIf(!existsSync(SAMPLES))('public samples', () => {
  const all = (folder: string, ending: string): string[] =>
    readdirSync(join(SAMPLES, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => join(SAMPLES, folder, name));

  test('OSWorld tasks, OWAMcap, AndroidControl and Codex Record & Replay are named', () => {
    const tasks = all('osworld-tasks', '.json');
    expect(tasks.length).toBeGreaterThan(20);
    for (const path of tasks) expect(saidOf(path)).toMatch(/^an OSWorld task/);
    for (const path of all('owamcap', '.mcap')) expect(saidOf(path)).toBe('owamcap');
    for (const path of all('owamcap', '.mkv')) expect(saidOf(path)).toBe('video');
    for (const path of all('androidcontrol', '.jsonl')) {
      const { steps } = JSON.parse(readFileSync(path, 'utf8').split('\n', 1)[0]!);
      expect(saidOf(path)).toMatch(new RegExp(`^an AndroidControl episode of ${steps.length} step`));
    }
    for (const name of ['feishu-file-send', 'youtube-play-video'])
      expect(saidOf(join(SAMPLES, 'codex-record-replay', name))).toBe('codex');
  });
});
