import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McapRecordBuilder } from '@mcap/core';
import { codexSteps } from '../../core/import/codex.ts';
import { elementOf } from '../../core/import/elements.ts';
import { createStopLook } from '../../core/import/stop-shortcut.ts';
import { videocuaInput } from '../../core/import/videocua.ts';
import { readPictureSize } from '../../native/mkv/picture-size.ts';
import { codexEventSchema, videocuaSourceSchema } from '../../schemas/import.ts';
import { type HostileReader, hostile } from '../../test/support/growth.ts';
import { tarHeader } from '../files/tar.ts';
import { annotationFileSchema } from '../import/annotation-file.ts';
import { isArchive, openArchive } from '../import/archive/read-archive.ts';
import { readArrival } from '../import/arrival-file.ts';
import { readAtifRun } from '../import/atif/read.ts';
import { checkHistory } from '../import/history-file.ts';
import { kindOfImport } from '../import/import-any.ts';
import { LIMITS } from '../import/limits.ts';
import { parseLine, readBoundedJson } from '../import/lines.ts';
import { readTrajectories } from '../import/naturalgaia/read.ts';
import { readOsworldRun } from '../import/osworld/read.ts';
import { readOwamcap } from '../import/owamcap/read.ts';
import { readTable } from '../import/table/read-table.ts';
import { unpackTar } from '../import/unpack.ts';

/** Recordings, archives and trajectories that somebody else packed. */

const signal = new AbortController().signal;

const written = (place: string, name: string, content: string | Buffer): string => {
  const path = join(place, name);
  writeFileSync(path, content);
  return path;
};

const sized = { upTo: 400_000 };

const tar = (what: string, make: (n: number) => Buffer, upTo = 16_384): HostileReader =>
  hostile(
    `archive of a recording (.tar): ${what}`,
    (n, place) => written(place, 'recording.tar', make(n)),
    async (path) => {
      const to = `${path}.out-${Math.random()}`;
      mkdirSync(to);
      await unpackTar(path, to, { limits: LIMITS, signal, report: () => undefined });
    },
    { upTo },
  );

const table = (what: string, text: (n: number) => string): HostileReader =>
  hostile(
    `table of tasks: ${what}`,
    (n) => Buffer.from(text(n)),
    (bytes) => readTable(bytes),
    { upTo: 400_000 },
  );

const entry = (path: string, size = 0, kind: 'file' | 'folder' = 'file') => tarHeader({ path, size, kind });

/** An archive of a workspace whose manifest says so. */
const archive = (what: string, manifest: (n: number) => string): HostileReader =>
  hostile(
    `archive of a workspace: ${what}`,
    (n, place) => {
      const text = Buffer.from(manifest(n));
      const room = Buffer.alloc((512 - (text.length % 512)) % 512);
      return written(
        place,
        'all.tar',
        Buffer.concat([entry('w', 0, 'folder'), entry('w/archive.json', text.length), text, room]),
      );
    },
    async (path) => {
      await isArchive(path);
      const { each, close } = await openArchive(path, LIMITS, signal);
      try {
        await each(async () => undefined);
      } finally {
        await close();
      }
    },
    { upTo: 200_000 },
  );
const HASH = '0'.repeat(64);
const manifestOf = (files: readonly string[], recordings: readonly string[] = ['r1']): string =>
  JSON.stringify({
    schema: 'trajectory-studio/archive',
    version: 2,
    tool: { name: 't', version: '1' },
    recordings,
    files: files.map((path) => ({ path, bytes: 0, sha256: HASH })),
  });

/** One trajectory of NaturalGAIA whose parts are as given. */
const trajectory = (
  what: string,
  parts: (n: number) => { user?: string; text?: string; solution?: string; images?: string[] },
) =>
  hostile(
    `NaturalGAIA: ${what}`,
    (n, place) => {
      const { user = 'Do it', text = '', solution = 'Done', images = [] } = parts(n);
      const messages = [
        { role: 'user', content: user },
        { role: 'assistant', content: `=== Step1 ===\n${text}` },
      ];
      return written(place, 'trajectories.json', JSON.stringify([{ messages, images, solution }]));
    },
    (path) => readTrajectories(path, LIMITS),
    sized,
  );

/** A run of ATIF whose steps are as given. */
const run = (what: string, steps: (n: number) => readonly object[]): HostileReader =>
  hostile(
    `ATIF: ${what}`,
    (n, place) => {
      const agent = { name: 'a', version: '1' };
      return written(place, 'run.json', JSON.stringify({ schema_version: 'ATIF-v1.7', agent, steps: steps(n) }));
    },
    (path) => readAtifRun(path, LIMITS),
    sized,
  );
const SHOT = { type: 'image', source: { media_type: 'image/png', path: 'a.png' } };
const runStep = (n: number, more: object = {}): object => ({ step_id: n + 1, source: 'agent', message: '', ...more });
const CLICK = { tool_call_id: 'c', function_name: 'computer', arguments: { action: 'left_click', coordinate: [1, 2] } };

/** A recording of open-world-agents whose messages of a schema are as given. */
const mcap = (what: string, schema: string, messages: (n: number) => readonly object[]): HostileReader =>
  hostile(
    `OWAMcap: ${what}`,
    (n, place) => {
      const file = new McapRecordBuilder();
      file.writeMagic();
      file.writeHeader({ profile: 'owa', library: '' });
      file.writeSchema({ id: 1, name: `desktop/${schema}`, encoding: '', data: new Uint8Array() });
      file.writeChannel({ id: 1, schemaId: 1, topic: 'a', messageEncoding: 'json', metadata: new Map() });
      for (const [at, value] of messages(n).entries()) {
        const [time, data] = [BigInt(at + 1), Buffer.from(JSON.stringify(value))];
        file.writeMessage({ channelId: 1, sequence: 0, logTime: time, publishTime: time, data });
      }
      file.writeDataEnd({ dataSectionCrc: 0 });
      file.writeFooter({ summaryStart: 0n, summaryOffsetStart: 0n, summaryCrc: 0 });
      file.writeMagic();
      return written(place, 'take.mcap', Buffer.from(file.buffer));
    },
    (path) => readOwamcap(path, LIMITS, signal),
    sized,
  );

/** Events of Codex Record & Replay. */
const codex = (what: string, events: (n: number) => readonly object[]): HostileReader =>
  hostile(
    `Codex Record & Replay: ${what}`,
    (n) => events(n).map((event, id) => ({ id, kind: '', timestamp: '2026-06-21T00:00:00Z', ...event })),
    (lines) =>
      codexSteps(
        lines.map((line) => codexEventSchema.parse(line)),
        1,
      ),
    sized,
  );

/** A run of OSWorld whose lines are as given; the first shows a picture that is there. */
const osworld = (what: string, lines: (n: number) => readonly object[]): HostileReader =>
  hostile(
    `OSWorld: ${what}`,
    (n, place) => {
      written(place, 'a.png', '');
      const all = [{ action: 'WAIT', screenshot_file: 'a.png' }, ...lines(n)];
      return written(place, 'traj.jsonl', all.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
    (path) => readOsworldRun(path, LIMITS, signal),
    sized,
  );

/** A log of VideoCUA. */
const videocua = (what: string, entries: (n: number) => readonly object[]): HostileReader =>
  hostile(
    `VideoCUA: ${what}`,
    (n) => ({
      task_id: 'a',
      task_instruction: '',
      platform: 'a',
      action_log: [{ action_type: 'WAIT', timestamp: 0 }, ...entries(n)],
    }),
    (log) => videocuaInput(videocuaSourceSchema.parse(log).action_log, { offset: 0, size: { width: 9, height: 9 } }),
    sized,
  );

const history = (what: string, lines: (n: number) => string): HostileReader =>
  hostile(
    `history.jsonl: ${what}`,
    (n, place) => written(place, 'history.jsonl', lines(n)),
    (path) => checkHistory(path, 'r1', LIMITS, signal),
    sized,
  );
const HEAD = { schema: 'trajectory-studio/history', version: 1, recording: 'r1', state: 'recorded', people: [] };

export const importReaders: HostileReader[] = [
  mcap('moves of a mouse', 'MouseEvent', (n) =>
    Array.from({ length: n / 60 }, (_, x) => ({ event_type: 'move', x, y: 1 })),
  ),
  mcap('messages of no known kind', 'More', (n) => Array.from({ length: n / 40 }, () => ({}))),
  mcap('a title without an end', 'WindowInfo', (n) => [{ title: 'a'.repeat(Math.min(n, 9000)), rect: [0, 0, 1, 1] }]),
  osworld('steps', (n) => Array.from({ length: n / 60 }, () => ({ action: 'pyautogui.click(1, 2)' }))),
  osworld('presses without a release', (n) =>
    Array.from({ length: n / 60 }, () => ({ action: 'pyautogui.mouseDown()' })),
  ),
  osworld('keys that stay down', (n) =>
    Array.from({ length: n / 60 }, (_, at) => ({ action: { action_type: 'KEY_DOWN', key: `k${at}` } })),
  ),
  osworld('a long answer', (n) => [{ action: 'WAIT', response: 'a'.repeat(n) }]),
  videocua('keys that stay down', (n) =>
    Array.from({ length: n / 60 }, (_, at) => ({
      action_type: 'KEY_DOWN',
      timestamp: at,
      action_params: { key: `k${at}` },
    })),
  ),
  videocua('a long text', (n) => [{ action_type: 'TYPING', timestamp: 1, action_params: { text: 'a'.repeat(n) } }]),
  codex('clicks', (n) => Array.from({ length: n / 60 }, () => ({ kind: 'mouse.click', mouse: {} }))),
  codex('a long text', (n) => [{ kind: 'keyboard.text_input', keyboard: { text: 'a'.repeat(Math.min(n, 90_000)) } }]),
  codex('entries that are selected', (n) => [
    {
      kind: 'selection.changed',
      selection: {
        target: { role: 'AXList' },
        selectedItems: Array.from({ length: Math.min(n / 40, 10_000) }, () => ({ title: 'a' })),
      },
    },
  ]),
  tar('empty files without end', (n) => Buffer.concat(Array.from({ length: n / 16 }, (_, i) => entry(`r/${i}`)))),
  tar('the same file again and again', (n) => Buffer.concat(Array.from({ length: n / 16 }, () => entry('r/a')))),
  tar('folders without end', (n) => Buffer.concat(Array.from({ length: n }, (_, i) => entry(`r/${i}`, 0, 'folder')))),
  tar('a name without an end', (n) => Buffer.concat([entry('r/a'), Buffer.alloc(n, 'a')])),
  table('rows without end', (n) => 'a,b\n'.repeat(Math.min(n / 4, 20_000))),
  table('cells without end', (n) => ','.repeat(n)),
  table('a text that does not end', (n) => `a,"${'x\n'.repeat(n / 2)}`),
  table('quotation marks', (n) => '"'.repeat(n)),
  table('blank lines', (n) => `a${'\n'.repeat(n)}`),
  table('returns alone', (n) => `a${'\r'.repeat(n)}`),
  tar('nothing but zeros', (n) => Buffer.alloc(n * 512)),
  tar('files of numbers', (n) => Buffer.concat([entry('r/recording.json', n), Buffer.alloc(n, '1')]), 4_000_000),
  archive('files without end', (n) => manifestOf(Array.from({ length: n / 100 }, (_, i) => `recordings/r1/${i}.png`))),
  archive('recordings without end', (n) =>
    manifestOf(
      [],
      Array.from({ length: n / 10 }, (_, i) => `r${i}`),
    ),
  ),
  archive('one name in all spellings', (n) =>
    manifestOf(Array.from({ length: n / 100 }, (_, i) => `recordings/r1/${i % 2 === 0 ? 'A' : 'a'}${i}`)),
  ),
  archive('deep values', (n) => `${'['.repeat(n)}${']'.repeat(n)}`),
  archive('no JSON', (n) => '{"schema":'.repeat(n / 10)),
  run('steps', (n) =>
    Array.from({ length: n / 400 }, (_, at) =>
      runStep(at, { tool_calls: [CLICK], observation: { results: [{ source_call_id: 'c', content: [SHOT] }] } }),
    ),
  ),
  run('calls of one step', (n) => [
    runStep(0, { tool_calls: Array.from({ length: n / 100 }, (_, at) => ({ ...CLICK, tool_call_id: `c${at}` })) }),
  ]),
  run('pictures of one step', (n) => [
    runStep(0, {
      observation: {
        results: [
          {
            content: Array.from({ length: n / 100 }, (_, at) => ({
              type: 'image',
              source: { media_type: 'image/png', path: `${at}.png` },
            })),
          },
        ],
      },
    }),
  ]),
  run('a text with quotes', (n) => [runStep(0, { message: '"\\'.repeat(n / 4) })]),
  run('a time without an end', (n) => [runStep(0, { timestamp: '2026-01-01T00:00:00.'.padEnd(n, '1') })]),
  trajectory('steps', (n) => ({ text: '=== Step1 ===\nx\n'.repeat(n / 16) })),
  trajectory('equal signs', (n) => ({ text: '='.repeat(n) })),
  trajectory('a step with blanks', (n) => ({ text: `== Step${' '.repeat(n)}x` })),
  trajectory('a step with line ends', (n) => ({ text: `== Step 1${'\n'.repeat(n)}x` })),
  trajectory('a heading with blanks', (n) => ({ text: `**Thought${' '.repeat(n)}x` })),
  trajectory('a heading with blanks at its end', (n) => ({ text: `**Thought**${' '.repeat(n)}x` })),
  trajectory('blanks before a heading', (n) => ({ text: `${' '.repeat(n)}x` })),
  trajectory('headings', (n) => ({ text: '**Thought**\n'.repeat(n / 12) })),
  trajectory('stars', (n) => ({ text: '*'.repeat(n) })),
  trajectory('brackets', (n) => ({ text: '<'.repeat(n) })),
  trajectory('brackets with blanks', (n) => ({ text: `<${' '.repeat(n)}` })),
  trajectory('images', (n) => ({ text: '<image>'.repeat(n / 7), images: ['a.png'] })),
  trajectory('an image with blanks', (n) => ({ text: `<image${' '.repeat(n)}` })),
  trajectory('images that begin', (n) => ({ text: '<image '.repeat(n / 7) })),
  trajectory('blocks that begin', (n) => ({ text: '<think'.repeat(n / 6) })),
  trajectory('a block with blanks', (n) => ({ text: `</think${' '.repeat(n)}` })),
  trajectory('answers that begin', (n) => ({ solution: '<answer>'.repeat(n / 8) })),
  trajectory('a goal of blanks', (n) => ({ user: ' '.repeat(n) })),
  trajectory('images that are listed', (n) => ({ text: 'x', images: Array.from({ length: n / 8 }, () => 'a') })),
  trajectory('marks that were taken out', (n) => ({ text: `**Thought**\n${'&lt;/'.repeat(n / 5)}` })),
  history(
    'a head alone, with documents without end',
    (n) =>
      `${JSON.stringify({
        ...HEAD,
        documents: Array.from({ length: Math.min(1000, n / 80) }, (_, i) => ({
          id: `r1/${i}`,
          person: null,
          version: 1,
          createdAt: '2026-01-01T00:00:00.000Z',
        })),
      })}\n`,
  ),
  history(
    'lines that follow from nothing',
    (n) => `${JSON.stringify({ ...HEAD, documents: [] })}\n${'{}\n'.repeat(n / 3)}`,
  ),
  history(
    'changes that belong to nothing',
    (n) => `${JSON.stringify({ ...HEAD, documents: [] })}\n${'{"line":"changes","changes":[]}\n'.repeat(n / 32)}`,
  ),
  hostile(
    'annotation.json: records without end',
    (n, place) =>
      written(
        place,
        'annotation.json',
        `{"schema":"trajectory-studio/annotation","version":1,"recording":"r1","records":[${'{},'.repeat(n / 3)}{}]}`,
      ),
    (path) => readBoundedJson(path, annotationFileSchema, LIMITS),
    sized,
  ),
  hostile(
    'arrival.json: tags without end',
    (n, place) => {
      written(place, 'arrival.json', JSON.stringify({ tags: Array.from({ length: n / 4 }, () => 'a') }));
      return place;
    },
    (folder) => readArrival(folder),
    sized,
  ),
  hostile(
    'a line of an import: deep values',
    (n) => Buffer.from(`${'['.repeat(n)}${']'.repeat(n)}`),
    (line) => parseLine(line, annotationFileSchema),
    { upTo: 1_000_000 },
  ),
  hostile(
    'the kind of an import: a folder of many files',
    (n, place) => {
      for (let i = 0; i < n; i++) written(place, `${i}.json`, '{}');
      return place;
    },
    (path) => kindOfImport(path),
    { upTo: 4096 },
  ),
  hostile(
    'AgentNet: a tree of elements',
    (n) => ({ Children: Array.from({ length: n }, () => ({ Children: Array.from({ length: 50 }, () => ({})) })) }),
    (tree) => elementOf(tree, 0, { x: 1, y: 1 }),
  ),
  hostile(
    'AgentNet: keys that may stop the recorder',
    (n) => Array.from({ length: n }, (_, i) => ({ time_stamp: i, action: 'press' as const, name: 'ctrl_l' })),
    (keys) => {
      const look = createStopLook('Windows');
      for (const [line, key] of keys.entries()) look.take(key, line + 1, key.time_stamp);
    },
  ),
  hostile(
    'screen.mkv: the head that tells the size',
    (n, place) => written(place, 'screen.mkv', Buffer.alloc(n * 2, Buffer.from([0xec, 0x80]))),
    (path) => readPictureSize(path),
    { upTo: 1_000_000 },
  ),
];
