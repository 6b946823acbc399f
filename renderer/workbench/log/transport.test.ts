import { expect, it } from 'vitest';
import { partOf } from '../../../core/review/parts.ts';
import { acceptOf as accept, emptyReview as empty } from '../../../core/review/review-for-tests.ts';
import type { Decision, ReviewState } from '../../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import { reviewTransportOf } from './transport.ts';

const AT = '2026-01-01T00:00:00.000Z';
const decision = (action: string): Decision => ({
  event: action,
  item: { kind: 'step', action },
  person: 'ben',
  at: AT,
  verdict: 'accept',
  reason: null,
  comment: '',
  version: 1,
  stale: false,
});

/** A studio that answers as the real one does, and forgets states when it is told to. */
function studio() {
  const known = new Map<string, ReviewState>();
  const asked: (string | undefined)[] = [];
  let now = empty;
  let tags = 0;
  const answer = (since: string | undefined): ReviewState => {
    asked.push(since);
    const before = known.get(since ?? '');
    const tag = `t${++tags}`;
    known.set(tag, now);
    return { ...(before && since ? partOf(before, now, since) : now), tag };
  };
  const decide = (action: string): void => {
    now = { ...now, n: now.n + 1, decisions: [...now.decisions, decision(action)] };
  };
  const waiting: (() => void)[] = [];
  const procedures = {
    get: async ({ since }: { since?: string }) => answer(since),
    send: async ({ act, since }: { act: ReviewAct; since?: string }) => {
      if (act.type === 'decide' && 'action' in act.item) decide(act.item.action);
      for (const wake of waiting.splice(0)) wake();
      return { event: {}, state: answer(since) };
    },
    watch: async ({ since }: { since?: string }) =>
      (async function* () {
        for (let told = since; ; ) {
          const last = now;
          const next = answer(told);
          told = next.tag;
          yield next;
          if (last === now) await new Promise<void>((wake) => waiting.push(wake));
        }
      })(),
  };
  // Only what the transport asks for of the real client.
  const review = procedures as unknown as Parameters<typeof reviewTransportOf>[0];
  return { review, asked, known, decide, first: () => answer('') };
}

const of = { ws: 'w', recording: 'r', person: 'ben' };
const decided = ({ decisions }: ReviewState): string[] => decisions.map(({ event }) => event);

it('what comes out is whole, though only what changed is asked for and sent', async () => {
  const there = studio();
  const transport = reviewTransportOf(there.review, of, there.first());
  await transport.send('1', accept('s0'));
  const second = await transport.send('2', accept('s1'));
  expect([decided(second), second.part]).toEqual([['s0', 's1'], undefined]);
  expect(there.asked).toEqual(['', 't1', 't2']);
});

it('answers and the stream may cross: each part is joined to the state that it names', async () => {
  const there = studio();
  const transport = reviewTransportOf(there.review, of, there.first());
  const stream = (await transport.watch(new AbortController().signal))[Symbol.asyncIterator]();
  expect(decided((await stream.next()).value)).toEqual([]);
  const told = stream.next();
  expect(decided(await transport.send('1', accept('s0')))).toEqual(['s0']);
  expect(decided((await told).value)).toEqual(['s0']);
  const again = stream.next();
  expect(decided(await transport.send('2', accept('s1')))).toEqual(['s0', 's1']);
  expect(decided((await again).value)).toEqual(['s0', 's1']);
});

it('a studio that was started anew knows none of the states, and sends the whole', async () => {
  const there = studio();
  const transport = reviewTransportOf(there.review, of, there.first());
  await transport.send('1', accept('s0'));
  there.known.clear();
  expect(decided(await transport.send('2', accept('s1')))).toEqual(['s0', 's1']);
  expect(decided(await transport.get())).toEqual(['s0', 's1']);
});

it('a part of a state that is not here any more is asked for again, whole', async () => {
  const there = studio();
  const transport = reviewTransportOf(there.review, of, there.first());
  const stream = (await transport.watch(new AbortController().signal))[Symbol.asyncIterator]();
  await stream.next();
  // Many answers later the stream still tells from what it told last.
  for (let n = 0; n < 12; n++) await transport.send(`${n}`, accept(`s${n}`));
  expect(decided((await stream.next()).value)).toHaveLength(12);
  expect(there.asked.at(-1)).toBe('');
});
