import fs from 'node:fs';
import path from 'node:path';
import { compositionSchema } from '../../schemas/composition.ts';
import { compositionRunSchema } from '../../schemas/composition-run.ts';
import type { StudioServer } from './studio-server.ts';

/** A workspace with a scenario that breaks a law, a pathway, and a file that is none; and a run of the scenario. */

const base = { schema: 'trajectory-studio/composition', version: 1 };

const MONDAY = compositionSchema.parse({
  ...base,
  id: 'a-monday',
  kind: 'scenario',
  title: 'A Monday of Alex',
  context: {
    persona: 'Alex teaches, is often late, and hates the phone.',
    preferences: ['Alarms ten minutes early'],
    given: [{ name: 'room', value: 'Lab 305' }],
  },
  members: [
    {
      id: 'meeting',
      task: 'CALENDAR_1',
      window: { from: '08:30', to: '08:45' },
      place: 'Kitchen',
      narration: 'Alex looks at the day over breakfast.',
      instructions: { base: 'When is my meeting in {{given.room}}?' },
      outputs: [{ name: 'time', value: '9:00' }],
    },
    {
      id: 'alarm',
      window: { from: '08:45', to: '09:30' },
      instructions: {
        base: 'Set an alarm for 20 minutes before the meeting.',
        L0: 'Set an alarm for 8:50, ten minutes before the meeting at {{meeting.time}}, and call it "Meeting".',
        L1: 'Set an alarm before the meeting at {{meeting.time}}.',
        L2: 'Do not let me miss the meeting.',
      },
      outputs: [{ name: 'ring', value: '8:50' }],
    },
    {
      id: 'note',
      window: { from: '09:05', to: '09:30' },
      instructions: { base: 'Write down that the alarm rings at {{alarm.ring}}.' },
      outputs: [{ name: 'line', value: 'alarm 8:50', from: { check: 'line' } }],
    },
    {
      id: 'mail',
      window: { from: '10:00' },
      instructions: { base: 'Tell the others that the meeting is at {{meeting.time}}.', L0: 'Tell {{given.team}}.' },
    },
  ],
  edges: [
    { kind: 'data', from: 'meeting', to: 'alarm', output: 'time' },
    { kind: 'data', from: 'meeting', to: 'mail', output: 'time' },
    { kind: 'data', from: 'alarm', to: 'note', output: 'ring' },
    { kind: 'hard', from: 'note', to: 'mail' },
    { kind: 'time', from: 'alarm', to: 'mail', atLeast: 5 },
  ],
});

const PATHWAY = compositionSchema.parse({
  ...base,
  id: 'novels',
  kind: 'pathway',
  title: 'A novel and its author',
  level: 1,
  members: [
    {
      id: 'author',
      instructions: { base: 'Who wrote The Trial?' },
      apps: { Linux: ['Notes'] },
      outputs: [{ name: 'name', value: 'Kafka' }],
    },
    {
      id: 'born',
      instructions: { base: 'When was {{author.name}} born?' },
      apps: { Linux: ['Notes'] },
      outputs: [{ name: 'year', value: 1883 }],
    },
  ],
  edges: [{ kind: 'data', from: 'author', to: 'born', output: 'name' }],
});

const none = { score: 0, steps: 0, questions: 0, tookMs: 0, cost: null, answer: null, values: [], copy: null };
const RUN = compositionRunSchema.parse({
  schema: 'trajectory-studio/composition-run',
  version: 1,
  id: 'abcdef012345',
  at: '2026-11-20T10:00:00.000Z',
  composition: MONDAY,
  actor: { kind: 'player' },
  level: 'L1',
  context: 'none',
  order: ['meeting', 'alarm', 'note', 'mail'],
  kept: [],
  resumes: null,
  results: [
    {
      ...none,
      member: 'meeting',
      outcome: 'passed',
      why: '',
      level: 'base',
      instruction: 'When is my meeting in Lab 305?',
      recording: 'day-meeting',
      score: 1,
      steps: 4,
      tookMs: 21_400,
      answer: '9:00',
      values: [{ name: 'time', value: '9:00', right: true }],
    },
    {
      ...none,
      member: 'alarm',
      outcome: 'failed',
      why: '“ring” is “9:50”, not “8:50”',
      level: 'L1',
      instruction: 'Set an alarm before the meeting at 9:00.',
      recording: 'day-alarm',
      steps: 12,
      questions: 2,
      asked: [
        { question: 'When shall it ring?', answer: 'It is 8:50.', kind: 'valid' },
        { question: 'Is it cold?', answer: 'Please go on with what you know.', kind: 'irrelevant' },
      ],
      tookMs: 83_000,
      answer: '9:50',
      values: [{ name: 'ring', value: '9:50', right: false }],
    },
    {
      ...none,
      member: 'note',
      outcome: 'passed',
      why: '',
      level: 'base',
      instruction: 'Write down that the alarm rings at 9:50.',
      recording: null,
      score: 1,
      steps: 6,
      tookMs: 30_000,
    },
    {
      ...none,
      member: 'mail',
      outcome: 'blocked',
      why: 'it can be done only after “note”, which did not succeed',
      level: 'base',
      instruction: null,
      recording: null,
    },
  ],
  begun: null,
  ended: { how: 'done', why: '' },
});

/** Gives the workspace's id and the run's. */
export async function fillCompositions(
  api: StudioServer['api'],
  dir: string,
): Promise<{ ws: string; run: string; dir: string }> {
  const { id: ws } = await api.workspaces.open({ dir, create: true });
  const write = (folder: string, name: string, text: string): void => {
    fs.mkdirSync(path.join(dir, folder), { recursive: true });
    fs.writeFileSync(path.join(dir, folder, `${name}.json`), text);
  };
  for (const one of [MONDAY, PATHWAY]) write('compositions', one.id, JSON.stringify(one));
  write('compositions', 'torn', '{"schema": "trajectory-studio/compo');
  write('composition-runs', RUN.id, JSON.stringify(RUN));
  const { id: person } = await api.people.add({ ws, name: 'Ana', email: null });
  await api.compositions.verify({
    ws,
    composition: 'novels',
    person,
    event: '00000000-0000-4000-8000-000000000001',
    act: { type: 'claim', stage: 'design' },
  });
  return { ws, run: RUN.id, dir };
}
