import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { compositionSchema } from '../../../schemas/composition.ts';
import { compositionRunSchema } from '../../../schemas/composition-run.ts';
import { keepComposition } from '../../documents/joined/composition-files.ts';
import { keepRun } from '../../documents/joined/run-files.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { compositionOpened, compositionsListed, runOpened } from './shown.ts';

/** What the page of compositions is given. */

const folders = temporaryFolders();
afterAll(folders.clean);
let workspace: Workspace;
beforeEach(() => {
  workspace = openWorkspace(folders.make(), { create: true });
  return () => workspace.close();
});

const DAY = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 1,
  id: 'day',
  kind: 'scenario',
  title: 'Day',
  members: [
    // Written second, done first.
    { id: 'tell', window: { from: '10:00' }, instructions: { base: 'Tell {{ask.time}}', L0: 'Tell {{ask.when}}' } },
    { id: 'ask', window: { from: '09:00' }, instructions: { base: 'Ask' }, outputs: [{ name: 'time', value: '9:30' }] },
  ],
  edges: [{ kind: 'data', from: 'ask', to: 'tell', output: 'time' }],
});
const run = compositionRunSchema.parse({
  schema: 'trajectory-studio/composition-run',
  version: 1,
  id: 'abcdef012345',
  at: '2026-11-27T10:00:00.000Z',
  composition: { ...DAY, title: 'Day as it was' },
  actor: { kind: 'player' },
  level: 'base',
  context: 'none',
  order: ['ask', 'tell'],
  kept: [],
  resumes: null,
  results: [],
  begun: 'ask',
  ended: null,
});

test('tasks stand in the order in which they are done, slots with what gives them, laws at their places', async () => {
  keepComposition(workspace, DAY);
  keepRun(workspace, run);
  const { composition, laws, runs, scores } = await compositionOpened(workspace, 'day');
  expect(composition.members.map(({ id, window }) => [id, window?.from])).toEqual([
    ['ask', '09:00'],
    ['tell', '10:00'],
  ]);
  expect(composition.lines).toMatchObject([{ from: 'ask', to: ['tell'], first: 0, last: 1, lane: 0 }]);
  expect(composition.members[1]?.levels.map(({ pieces }) => pieces[1])).toEqual([
    { text: '{{ask.time}}', slot: 'ask.time', value: '9:30' },
    { text: '{{ask.when}}', slot: 'ask.when', value: null },
  ]);
  expect(laws).toContainEqual({
    law: 'CP3',
    kind: 'broken',
    member: 'tell',
    level: 'L0',
    why: 'Nothing gives {{ask.when}}.',
    sentence: { text: 'Nothing gives {slot}.', values: { slot: '{{ask.when}}' } },
  });
  expect(runs).toMatchObject([{ id: run.id, actor: 'player', tasks: 2, passed: 0, passedOver: 0, ended: null }]);
  expect(scores.length).toBeGreaterThan(0);
});

test('a run is shown with its composition as it was then, and only as one of its composition', async () => {
  keepComposition(workspace, DAY);
  keepRun(workspace, run);
  expect(runOpened(workspace, 'day', 'abc')).toMatchObject({ begun: 'ask', composition: { title: 'Day as it was' } });
  expect(() => runOpened(workspace, 'night', 'abc')).toThrow(/is one of “day”, not of “night”/);
});

test('the recording of a task that was broken off is shown as half', async () => {
  keepRun(workspace, run);
  expect(runOpened(workspace, 'day', 'abc').half).toBeNull();
  const half = { member: 'ask', recording: '20261129-101010-aaaaaaaa' };
  keepRun(workspace, { ...run, half });
  expect(runOpened(workspace, 'day', 'abc').half).toEqual(half);
});

test('a file that cannot be read says why among the others; a cycle leaves the tasks as they are written', async () => {
  keepComposition(workspace, { ...DAY, edges: [...DAY.edges, { kind: 'hard', from: 'tell', to: 'ask' }] });
  mkdirSync(join(workspace.dir, 'compositions'), { recursive: true });
  writeFileSync(join(workspace.dir, 'compositions', 'torn.json'), '{');
  expect(await compositionsListed(workspace)).toMatchObject([
    { id: 'day', why: null, kind: 'scenario', members: 2, runs: 0 },
    { id: 'torn', why: expect.stringContaining('cannot be read'), kind: null, members: 0 },
  ]);
  const { composition } = await compositionOpened(workspace, 'day');
  expect(composition.members.map(({ id }) => id)).toEqual(['tell', 'ask']);
});

test('what happens by itself is told in its own words, and of a run what has come', async () => {
  const events = [
    { id: 'paper', at: { from: '09:05', to: '09:30' }, happens: [{ kind: 'file', to: 'Downloads/a.txt', text: 'a' }] },
    {
      id: 'call',
      at: { after: 'ask' },
      happens: [
        { kind: 'notification', title: 'Ana', text: 'Call me' },
        { kind: 'notification', title: 'Ben' },
        {
          kind: 'mail',
          folder: 'Mail/me',
          from: 'Ana <a@lab.example>',
          to: 'me@lab.example',
          subject: 'Hi',
          text: 'b',
        },
        { kind: 'service', service: 'shop', change: 'sold-out' },
        { kind: 'window', title: 'Alarm' },
      ],
    },
  ];
  const day = compositionSchema.parse({ ...DAY, version: 2, context: { begins: '2026-03-02' }, events });
  keepComposition(workspace, day);
  const came = [
    { id: 'paper', kind: 'file', at: '2026-03-02T09:11:00', before: 'tell', after: null, failed: null },
    { id: 'call', kind: 'window', at: '2026-03-02T09:40:00', before: null, after: 'ask', failed: 'no such window' },
  ];
  keepRun(workspace, compositionRunSchema.parse({ ...run, composition: day, events: came }));
  const { composition } = await compositionOpened(workspace, 'day');
  expect(composition.begins).toBe('2026-03-02');
  expect(composition.events).toEqual([
    {
      id: 'paper',
      after: null,
      stage: null,
      window: { day: 1, from: '09:05', to: '09:30' },
      happens: [{ kind: 'file', about: 'Downloads/a.txt' }],
    },
    {
      id: 'call',
      after: 'ask',
      stage: null,
      window: null,
      happens: [
        { kind: 'notification', about: 'Ana: Call me' },
        { kind: 'notification', about: 'Ben' },
        { kind: 'mail', about: 'Ana <a@lab.example>: Hi' },
        { kind: 'service', about: 'shop: sold-out' },
        { kind: 'window', about: 'Alarm' },
      ],
    },
  ]);
  expect(runOpened(workspace, 'day', run.id).events).toEqual(came);
  // One from before there were events has none.
  keepComposition(workspace, DAY, { replace: true });
  expect((await compositionOpened(workspace, 'day')).composition).toMatchObject({ begins: null, events: [] });
});
