import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecording } from '../../store/recording-folder.ts';
import { importBench } from '../bench-for-tests.ts';

const bench = importBench();
const SAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'samples', 'codex-record-replay');

const AT = '2026-06-21T00:00:';
const app = { app: { name: 'Chat' }, window: { title: 'Main' } };
const target = { role: 'AXTextArea', description: 'message' };
/** Made by hand: each kind of event, two at the same second, a tree, and one of a kind that is not known. */
const EXAMPLE: readonly object[] = [
  { id: 1, kind: 'session.started', timestamp: `${AT}00Z` },
  { id: 2, kind: 'window.changed', timestamp: `${AT}01Z`, ...app, ax: { mode: 'fullTree', text: 'x'.repeat(9000) } },
  { id: 3, kind: 'mouse.click', timestamp: `${AT}02Z`, ...app, mouse: { button: 'left', target } },
  { id: 4, kind: 'keyboard.text_input', timestamp: `${AT}02Z`, ...app, keyboard: { text: 'Grüße 世界', target } },
  { id: 5, kind: 'keyboard.submit', timestamp: `${AT}03Z`, ...app, keyboard: { keyEquivalent: 'cmd+return', target } },
  { id: 6, kind: 'keyboard.submit', timestamp: `${AT}04Z`, ...app, keyboard: { keyEquivalent: 'hyper', target } },
  {
    id: 7,
    kind: 'selection.changed',
    timestamp: `${AT}05Z`,
    ...app,
    selection: {
      target: { role: 'AXList', description: 'files' },
      selectedItems: [{ role: 'AXImage', title: 'a.png' }],
    },
  },
  { id: 8, kind: 'selection.changed', timestamp: `${AT}06Z`, ...app, selection: { target, selectedItems: [target] } },
  {
    id: 9,
    kind: 'mouse.drag',
    timestamp: `${AT}07Z`,
    ...app,
    mouse: { origin: { element: { role: 'AXList', description: 'files' } }, destination: { element: target } },
  },
  {
    id: 10,
    kind: 'mouse.click',
    timestamp: `${AT}08Z`,
    ...app,
    mouse: { button: 'right', target: { role: 'AXComboBox' } },
  },
  { id: 11, kind: 'clipboard.changed', timestamp: `${AT}09Z`, ...app },
  { id: 12, kind: 'session.ended', timestamp: `${AT}10Z` },
];
const SESSION = { id: 's', startedAt: `${AT}00Z`, endedAt: `${AT}10Z`, eventsPath: 'events.jsonl' };

function folder(events: readonly unknown[] = EXAMPLE, session: object = SESSION): string {
  const path = join(bench.elsewhere, 'take');
  mkdirSync(path);
  writeFileSync(join(path, 'session.json'), JSON.stringify(session));
  const text = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))).join('\n');
  writeFileSync(join(path, 'events.jsonl'), `${text}\n`);
  return path;
}

test('typed texts and keys are input, clicks and choices are steps with their words', async () => {
  const { entry: row, kind } = await bench.take(folder(), { goal: 'Send a file' });
  expect(kind).toBe('codex');
  expect(readRecording(row.folder)).toMatchObject({
    version: 6,
    app: { name: 'Chat' },
    origin: {
      source: 'codex',
      lost: [
        'where clicks and drags were: it tells elements, and no places',
        '1 accessibility tree',
        '1 event of "selection.changed"',
        '1 event of "clipboard.changed"',
      ],
    },
    verdict: { kind: 'damaged', missing: ['every picture'] },
  });
  const { steps } = await bench.documents.openRecording(row.id);
  expect(steps.map(({ kind, text, keys }) => text ?? keys?.join('+') ?? kind)).toEqual([
    'wait',
    'Grüße 世界',
    'meta+Enter',
    'wait',
    'wait',
    'wait',
    'wait',
  ]);
  const { records } = await bench.documents.get(row.id);
  const said = steps.map(({ id }) => {
    const label = Object.values(records).find((record) => record.kind === 'label' && record.action === id);
    return label?.kind === 'label' ? [label.narration, label.element] : null;
  });
  expect(said).toEqual([
    ['Click “message” (text area)', 'message'],
    [null, 'message'],
    [null, 'message'],
    ['Press hyper', 'message'],
    ['Select “a.png” (image) in “files” (list)', 'a.png'],
    ['Drag from “files” (list) to “message” (text area)', 'files'],
    ['Right-click a combo box', null],
  ]);
});

describe('refused, with the line', () => {
  test.each<[string, unknown[], RegExp]>([
    ['a line that is no JSON', [EXAMPLE[0], '{"id":', EXAMPLE[2]], /events\.jsonl line 2: it is not JSON/],
    ['a time that is none', [{ ...EXAMPLE[0], timestamp: 'yesterday' }], /events\.jsonl line 1: timestamp/],
    ['a kind that is no word', [{ ...EXAMPLE[0], kind: 7 }], /line 1: kind/],
  ])('%s', async (_what, events, says) => {
    const error = await bench.refusal(folder(events));
    expect([error.code, error.message]).toEqual(['BAD_FILE', expect.stringMatching(says)]);
  });

  test('a session that keeps its events elsewhere', async () => {
    const error = await bench.refusal(folder(EXAMPLE, { ...SESSION, eventsPath: '/etc/passwd' }));
    expect(error.message).toMatch(/session\.json: eventsPath/);
  });

  test('half a last line is passed over and said, as everywhere', async () => {
    const path = folder();
    writeFileSync(
      join(path, 'events.jsonl'),
      `${EXAMPLE.map((one) => JSON.stringify(one)).join('\n')}\n{"id": 13, "ki`,
    );
    const { entry: row } = await bench.take(path);
    expect(readRecording(row.folder).origin?.lost).toContain('the last line of events.jsonl, which was cut off');
  });
});

describe.skipIf(!existsSync(SAMPLES))('the public samples', () => {
  test.each([
    ['feishu-file-send', 9, ['Please see the attached files.', 'Enter']],
    ['youtube-play-video', 9, ['youtube.com', 'Enter', 'study jazz', 'Enter', 'k ']],
  ])('%s: its steps, texts and keys', async (name, count, typed) => {
    const { entry: row } = await bench.take(join(SAMPLES, name), { goal: 'Try it' });
    const { steps } = await bench.documents.openRecording(row.id);
    expect(steps).toHaveLength(count);
    expect(steps.flatMap(({ text, keys }) => text ?? keys?.join('+') ?? [])).toEqual(typed);
  });
});
