import { beforeAll, expect, test } from 'vitest';
import { wholeReview } from '../../../core/review/parts.ts';
import type { ReviewState } from '../../../schemas/api/review-models.ts';
import { servedWorkspace, type TestServer } from '../../api/server-for-tests.ts';
import { addClicks, ID } from '../clicks-for-tests.ts';
import { type Team, teamOf } from './people-for-tests.ts';

let server: TestServer;
let ws: string;
let team: Team;
let ada: string;
let ben: string;
servedWorkspace((made) => {
  ({ server, ws } = made);
});
beforeAll(async () => {
  team = teamOf(server, ws);
  const { workspace } = await server.studio.workspaces.get(ws);
  addClicks(workspace);
  await workspace.syncIndex();
  ada = (await server.client.people.add({ ws, name: 'Ada', email: null })).id;
  ben = (await server.client.people.add({ ws, name: 'Ben', email: null })).id;
  await team.annotate(ada, ID, (at) => `Button ${at}`);
  await team.send(ben, ID, { type: 'claim' });
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
  expect(withoutTag(wholeReview(first, second))).toEqual(whole);

  const told = await stream.next();
  if (opened.done || told.done) throw new Error('the stream ended');
  expect(told.value.part?.since).toBe(opened.value.tag);
  expect(withoutTag(wholeReview(wholeReview(first, opened.value), told.value))).toEqual(whole);
  await stream.return();

  const third = await server.client.review.send({
    ws,
    recording: ID,
    person: ben,
    id: crypto.randomUUID(),
    since: second.tag ?? '',
    act: { type: 'comment', thread: null, pin: { action: null, role: null, place: null, t: null }, text: 'Well done' },
  });
  expect([third.state.decisions, third.state.threads.length]).toEqual([[], 1]);
  expect(withoutTag(wholeReview(wholeReview(first, second), third.state))).toEqual(await get(ben));
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
  expect(wholeReview(first, again)).toEqual(first);
});
