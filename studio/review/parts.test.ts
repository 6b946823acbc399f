import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeOf } from '../../core/review/parts.ts';
import type { ReviewState } from '../../schemas/api/review-models.ts';
import { addClicks, ID } from '../annotate/clicks-for-tests.ts';
import { startTestServer, type TestServer } from '../api/server-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { type Team, teamOf } from './people-for-tests.ts';

const folders = temporaryFolders();
let server: TestServer;
let ws: string;
let team: Team;
let ada: string;
let ben: string;

beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  ({ id: ws } = await server.client.workspaces.open({ dir: join(folder, 'work'), create: true }));
  team = teamOf(server, ws);
  const { workspace } = await server.studio.workspaces.get(ws);
  addClicks(workspace);
  await workspace.syncIndex();
  ada = (await server.client.people.add({ ws, name: 'Ada', email: null })).id;
  ben = (await server.client.people.add({ ws, name: 'Ben', email: null })).id;
  await team.annotate(ada, ID, (at) => `Button ${at}`);
  await team.send(ben, ID, { type: 'claim' });
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

const get = (person: string, since?: string) =>
  server.client.review.get({ ws, recording: ID, person, ...(since !== undefined && { since }) });
const withoutTag = ({ tag: _tag, ...state }: ReviewState) => state;

test('who names the state that they have is told what changed, by an answer and by the stream; others get the whole', async () => {
  const first = await get(ben, '');
  expect([typeof first.tag, first.part]).toEqual(['string', undefined]);
  const stream = await server.client.review.watch({ ws, recording: ID, person: ben, since: first.tag ?? '' });
  const opened = await stream.next();
  const [step] = await team.steps(ID);
  await team.decide(ben, ID, step!.id, 'accept');
  const second = await get(ben, first.tag);
  expect(second.part?.since).toBe(first.tag);
  expect(second.decisions).toHaveLength(1);
  const whole = await get(ben);
  expect([whole.tag, whole.part]).toEqual([undefined, undefined]);
  expect(withoutTag(wholeOf(first, second))).toEqual(whole);

  const told = await stream.next();
  if (opened.done || told.done) throw new Error('the stream ended');
  expect(told.value.part?.since).toBe(opened.value.tag);
  expect(withoutTag(wholeOf(wholeOf(first, opened.value), told.value))).toEqual(whole);
  await stream.return();

  const third = await server.client.review.send({
    ...{ ws, recording: ID, person: ben, id: crypto.randomUUID(), since: second.tag ?? '' },
    act: { type: 'comment', thread: null, pin: { action: null, role: null, place: null, t: null }, text: 'Well done' },
  });
  expect([third.state.decisions, third.state.threads.length]).toEqual([[], 1]);
  expect(withoutTag(wholeOf(wholeOf(first, second), third.state))).toEqual(await get(ben));
});

test("a state that is not known, or another person's, is answered with the whole", async () => {
  const { tag } = await get(ada, '');
  for (const since of ['nothing', tag ?? '']) {
    const answer = await get(ben, since);
    expect([answer.part, withoutTag(answer)]).toEqual([undefined, await get(ben)]);
  }
});

test('nothing new is a part without entries, under the same name', async () => {
  const first = await get(ben, '');
  const again = await get(ben, first.tag);
  expect([again.tag, again.decisions, again.threads]).toEqual([first.tag, [], []]);
  expect(wholeOf(first, again)).toEqual(first);
});
