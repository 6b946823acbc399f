import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOVELS } from '../../core/compositions/novels-for-tests.ts';
import type { VerificationStage } from '../../schemas/composition-terms.ts';
import type { VerificationAct } from '../../schemas/composition-verification.ts';
import { runHere } from '../cli/run-for-tests.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

/** Compositions verified by people, by the calls of the page and by the command line. */

const folders = temporaryFolders();
let server: TestServer;
let ws: string;
let dir: string;
const people: Record<string, string> = {};

let events = 0;
const nextEvent = (): string => `00000000-0000-4000-8000-${String(++events).padStart(12, '0')}`;
const act = (composition: string, name: string, one: VerificationAct, event = nextEvent()) =>
  server.client.compositions.verify({ ws, composition, person: people[name] ?? '', event, act: one });
const claim = (composition: string, name: string, stage: VerificationStage) =>
  act(composition, name, { type: 'claim', stage });
const submit = (composition: string, name: string, year = '1883', recordings = [`${name}-1`, `${name}-2`]) =>
  act(composition, name, {
    type: 'submit',
    platform: 'Linux',
    members: [
      { member: 'author', recording: recordings[0] ?? null, answers: [{ output: 'name', text: ' kafka' }] },
      { member: 'born', recording: recordings[1] ?? null, answers: [{ output: 'year', text: year }] },
    ],
  });
const shown = (composition: string, name?: string) =>
  server.client.compositions.verification({ ws, composition, ...(name && { person: people[name] ?? '' }) });
const save = (id: string) =>
  server.client.compositions.save({ ws, composition: id, content: { ...NOVELS, id }, version: null });
const log = (id: string): string => join(dir, 'composition-verification', `${id}.jsonl`);

beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  dir = join(folder, 'work');
  ({ id: ws } = await server.client.workspaces.open({ dir, create: true }));
  const recordingsDir = join(dir, 'recordings');
  for (const name of ['ada', 'ben', 'cem', 'dea', 'eva']) {
    people[name] = (await server.client.people.add({ ws, name, email: null })).id;
    for (const n of [1, 2]) await addRecording({ recordingsDir }, { id: `${name}-${n}`, task: `GIMP_${n}` });
  }
  await server.client.recordings.list({ ws });
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

test('CV5: four people verify it; everybody sees it stand, side by side, in lists and tables', async () => {
  await save('whole');
  const { client } = server;
  expect(await client.compositions.queue({ ws, person: 'ada' })).toMatchObject([
    { composition: 'whole', stage: 'design' },
  ]);
  await claim('whole', 'ada', 'design');
  expect(await client.compositions.queue({ ws, person: 'ada' })).toMatchObject([{ stage: 'design', mine: true }]);
  await submit('whole', 'ada');
  for (const name of ['ben', 'cem']) {
    await claim('whole', name, 'independent');
    const own = await shown('whole', name);
    expect(own).toMatchObject({ truth: [], handed: [], isClosed: false, mine: { platforms: ['Linux'] } });
    await submit('whole', name);
  }
  await claim('whole', 'dea', 'blind');
  const answers: VerificationAct = { type: 'answer', answers: ['1883'], recording: null };
  const event = nextEvent();
  await act('whole', 'dea', answers, event);
  // Sent again after a lost answer, it is done once.
  const last = await act('whole', 'dea', answers, event);
  expect(last.n).toBe(8);
  expect(last).toMatchObject({ standing: { verified: true, outOfDate: false } });
  expect(last.handed.map(({ name, stage, matches }) => [name, stage, matches])).toEqual([
    ['ada', 'design', true],
    ['ben', 'independent', true],
    ['cem', 'independent', true],
    ['dea', 'blind', true],
  ]);
  const [one] = await client.compositions.list({ ws });
  expect(one).toMatchObject({ id: 'whole', verification: 'verified', kept: false });
  const { tables, scores } = await client.compositions.get({ ws, composition: 'whole' });
  expect(tables[1]?.rows.at(-1)).toEqual(['Answer of atomic task 2', '✓']);
  expect(scores.at(-1)?.rows[1]?.slice(0, 4)).toEqual(['human', '1', '1', '100.0']);

  // CV6: what was changed is out of date, and is verified again when it is as it was.
  const edited = await client.compositions.edit({ ws, composition: 'whole' });
  const change = (title: string, version: string) =>
    client.compositions.save({ ws, composition: 'whole', content: { ...edited.composition, title }, version });
  const changed = await change('Other', edited.version);
  expect((await shown('whole')).standing).toMatchObject({ verified: false, outOfDate: true });
  expect((await client.compositions.list({ ws }))[0]?.verification).toBe('outOfDate');
  await change(NOVELS.title, changed.version);
  expect((await shown('whole')).standing.verified).toBe(true);
});

test('CV1, CV2: refusals say who has it, and nothing of them is in the log', async () => {
  await save('refused');
  await claim('refused', 'ada', 'design');
  const before = readFileSync(log('refused'), 'utf8');
  await expect(claim('refused', 'ben', 'design')).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Somebody else has the design of it, or did it.',
  });
  await expect(claim('refused', 'ada', 'independent')).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(submit('refused', 'ada', '1883', ['ada-2', 'ada-1'])).rejects.toMatchObject({
    code: 'USAGE',
    message: 'The recording ada-2 is of GIMP_2, not of GIMP_1. Choose another one.',
  });
  await expect(submit('refused', 'ada', '1883', ['none', 'ada-1'])).rejects.toMatchObject({
    code: 'UNKNOWN_RECORDING',
  });
  await expect(
    server.client.compositions.verify({
      ws,
      composition: 'refused',
      person: 'Zoe',
      event: nextEvent(),
      act: { type: 'release' },
    }),
  ).rejects.toMatchObject({ code: 'USAGE' });
  expect(readFileSync(log('refused'), 'utf8')).toBe(before);
  await submit('refused', 'ada');
  await claim('refused', 'ben', 'independent');
  await expect(submit('refused', 'ben', '1883', ['ada-1', 'ben-2'])).rejects.toMatchObject({
    message: 'The recording ada-1 was handed in by ada. Choose another one.',
  });
  // Two at once: one has it.
  const both = await Promise.allSettled([
    claim('refused', 'cem', 'independent'),
    claim('refused', 'eva', 'independent'),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('CV3: somebody who does it blind, or does not say who they are, is told the top-level task alone', async () => {
  await save('blindly');
  const { client } = server;
  await claim('blindly', 'ada', 'design');
  await submit('blindly', 'ada');
  await claim('blindly', 'dea', 'blind');
  const own = await shown('blindly', 'dea');
  expect(own).toMatchObject({
    isClosed: true,
    task: NOVELS.task,
    work: [],
    truth: [],
    handed: [],
    tables: [],
    history: [],
  });
  const dea = { ws, person: people.dea ?? '' };
  const of = { composition: 'blindly' };
  for (const asked of [dea, { ws }]) {
    for (const call of [
      () => client.compositions.get({ ...asked, ...of }),
      () => client.compositions.edit({ ...asked, ...of }),
      () => client.compositions.remove({ ...asked, ...of, version: 'x' }),
      () => client.tasks.get({ ...asked, task: 'GIMP_1' }),
      () => client.annotation.get({ ...asked, recording: 'ada-1' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'CONFLICT' });
    const lists = JSON.stringify([
      await client.tasks.list(asked),
      (await client.recordings.list(asked)).filter(({ id }) => !id.startsWith('dea')),
      await client.compositions.list(asked),
      await client.compositions.about(asked),
    ]);
    expect(lists).not.toMatch(/GIMP_[12]|Kafka|ada-1|1883/);
    expect(lists).toContain('"kept":true');
  }
  // Others go on as before, by what their page says of them.
  const ben = { ws, person: people.ben ?? '' };
  expect((await client.tasks.list(ben)).map(({ id }) => id)).toContain('GIMP_1');
  expect(await client.compositions.get({ ...ben, ...of })).toMatchObject({ composition: { id: 'blindly' } });
  await expect(claim('blindly', 'ben', 'blind')).rejects.toMatchObject({ code: 'CONFLICT' });
  // Given back it is open again, and nothing was seen.
  await act('blindly', 'dea', { type: 'release' });
  expect(await client.compositions.get({ ws, ...of })).toBeTruthy();
  expect((await shown('blindly', 'dea')).claims.find(({ stage }) => stage === 'blind')?.why).toBeNull();
});

test('the command line claims, hands in and prints as the page does', async () => {
  await save('typed');
  const run = (...args: string[]) => runHere(['compositions', ...args, '--workspace', dir]);
  expect((await run('queue', '--person', 'eva')).stdout).toMatch(/design +typed/);
  await run('verify', 'claim', 'typed', '--stage', 'design', '--person', 'eva');
  const odd = await run('verify', 'submit', 'typed', '--platform', 'Linux', '--answer', 'Kafka', '--person', 'eva');
  expect(odd.stderr).toContain('write it as TASK.OUTPUT=TEXT');
  const handed = await run(
    ...['verify', 'submit', 'typed', '--platform', 'Linux', '--person', 'eva', '--json'],
    ...['--answer', 'author.name=Kafka', '--answer', 'born.year=1893'],
    ...['--recording', 'author=eva-1', '--recording', 'born=eva-2'],
  );
  expect(JSON.parse(handed.stdout)).toMatchObject({ standing: { stages: [{ state: 'differs', free: 1 }, {}, {}] } });
  const { stdout } = await run('verify', 'show', 'typed');
  expect(stdout).toMatch(/born\.year +1883 +✗ 1893/);
  expect((await run('list', '--verification', 'begun')).stdout).toContain('typed');
  expect((await run('show', 'whole', '--table', '4')).stdout).toContain('✓');
  expect((await run('scores', '--of', 'whole')).stdout).toContain('the human row');
});

test('a log of a newer version, or one that lacks a line, is refused kindly; a torn last line is passed over', async () => {
  await save('odd');
  await claim('odd', 'ada', 'design');
  const text = readFileSync(log('odd'), 'utf8');
  appendFileSync(log('odd'), '{"n":2,"id":"0');
  expect((await shown('odd', 'ada')).mine?.stage).toBe('design');
  writeFileSync(log('odd'), text.replace('"version":1', '"version":2'));
  await expect(shown('odd')).rejects.toMatchObject({ code: 'FUTURE_VERSION' });
  writeFileSync(log('odd'), text.replace('"n":1', '"n":2'));
  await expect(shown('odd')).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringContaining('lacks an event before line 2'),
  });
  writeFileSync(log('odd'), text);
});

test('CV3: a template is kept together with its instances, and who knows one of them does none of them blind', async () => {
  await save('family');
  const { client } = server;
  const origin = (number: number) => ({
    template: 'family',
    seed: 1,
    number,
    values: [{ name: 'year', value: '1900' }],
  });
  for (const n of [1, 2])
    writeFileSync(
      join(dir, 'compositions', `family-1-${n}.json`),
      JSON.stringify({ ...NOVELS, version: 4, id: `family-1-${n}`, origin: origin(n) }),
    );
  await claim('family', 'ada', 'design');
  await submit('family', 'ada');
  await claim('family', 'dea', 'blind');
  for (const id of ['family', 'family-1-1'])
    await expect(client.compositions.get({ ws, composition: id, person: people.dea })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('You do “family” blind'),
    });
  expect(await shown('family-1-2', 'dea')).toMatchObject({ isClosed: true, truth: [], work: [] });
  const listed = await client.compositions.list({ ws, person: people.dea });
  expect(listed.filter(({ kept }) => kept).map(({ id }) => id)).toEqual(['family', 'family-1-1', 'family-1-2']);
  // Somebody else sees it, and does none of them blind from then on.
  await claim('family-1-1', 'ada', 'design');
  await submit('family-1-1', 'ada');
  await client.compositions.get({ ws, composition: 'family-1-2', person: people.eva });
  const blind = (await shown('family-1-1', 'eva')).claims.find(({ stage }) => stage === 'blind');
  expect(blind?.why).toContain('another one of its template');
  await expect(claim('family-1-1', 'eva', 'blind')).rejects.toMatchObject({ code: 'CONFLICT' });
  await act('family', 'dea', { type: 'answer', answers: ['1883'], recording: null });
  await client.compositions.get({ ws, composition: 'family-1-1', person: people.dea });
});
