import { expect, it, vi } from 'vitest';
import { acceptOf as accept, emptyReview } from '../../../core/review/review-for-tests.ts';
import { REVIEW_VERBS, type ReviewState } from '../../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import { memoryStorage } from '../document/memory-for-tests.ts';
import { checkActs } from './check-acts.ts';
import { withWaiting } from './overlay.ts';
import { actCheck, actStorage } from './storage.ts';
import { openReviewSync, type ReviewTransport } from './sync.ts';

const AT = '2026-01-01T00:00:00.000Z';
const may = Object.fromEntries(REVIEW_VERBS.map((verb) => [verb, null])) as ReviewState['may']; // One entry for each verb.
const empty: ReviewState = { ...emptyReview, may, claim: { person: 'ben', role: 'review', at: AT } };
let ids = 0;
const newId = (): string => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;

/** A studio that keeps a log: the same id is answered again, not done twice. The line can be cut, and answers lost. */
function studio() {
  const log: { id: string; act: ReviewAct }[] = [];
  const line = { open: true, losesAnswers: 0, refuses: '', fails: '', asked: 0 };
  const state = (): ReviewState =>
    withWaiting(
      { ...empty, n: log.length },
      log.map((one) => ({ ...one, at: AT })),
      'ben',
    );
  const reached = <T>(work: () => T): T => {
    if (!line.open) throw new TypeError('Failed to fetch');
    return work();
  };
  const transport: ReviewTransport = {
    get: async () => reached(state),
    send: async (id, act) =>
      reached(() => {
        line.asked++;
        if (line.fails !== '') throw Object.assign(new Error('It failed.'), { code: line.fails });
        if (line.refuses !== '') throw Object.assign(new Error(line.refuses), { code: 'CONFLICT' });
        if (!log.some((one) => one.id === id)) log.push({ id, act });
        if (line.losesAnswers-- > 0) throw new TypeError('Failed to fetch');
        return state();
      }),
    watch: async (signal) =>
      reached(async function* () {
        yield state();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      }),
  };
  return { log, line, transport };
}

function page(
  of: ReturnType<typeof studio>,
  tab = memoryStorage(),
  finish = (act: ReviewAct): ReviewAct | null => act,
) {
  const notices: string[] = [];
  const storage = actStorage(tab, 'w', 'r', 'ben', checkActs);
  const sync = openReviewSync({
    transport: of.transport,
    storage,
    person: 'ben',
    review: empty,
    newId,
    now: () => AT,
    finish,
    onChange: () => {},
    onNotice: (text) => void notices.push(text),
  });
  return { sync, notices, tab };
}

const actions = (log: readonly { act: ReviewAct }[]): string[] =>
  log.map(({ act }) => (act.type === 'decide' && 'action' in act.item ? act.item.action : act.type));

it('a decision shows at once and is sent by itself', async () => {
  const of = studio();
  const { sync } = page(of);
  sync.act(accept('s0'));
  expect(sync.state().view.decisions).toHaveLength(1);
  await vi.waitFor(() => expect(sync.state().waiting).toBe(0));
  expect(actions(of.log)).toEqual(['s0']);
  sync.close();
});

it('decisions made while the studio is away are sent when it is back, in their order, none twice', async () => {
  const of = studio();
  const { sync } = page(of);
  of.line.open = false;
  for (const action of ['s0', 's1', 's2']) sync.act(accept(action));
  await vi.waitFor(() => expect(sync.state().lost).not.toBeNull());
  expect(sync.state().view.decisions).toHaveLength(3);
  of.line.open = true;
  of.line.losesAnswers = 2;
  sync.retry();
  await vi.waitFor(() => expect(sync.state().waiting).toBe(0), 5000);
  expect(actions(of.log)).toEqual(['s0', 's1', 's2']);
  sync.close();
});

it('what waits survives the page, and is sent under its own id by the next one', async () => {
  const of = studio();
  of.line.open = false;
  const first = page(of);
  first.sync.act(accept('s0'));
  first.sync.close();
  of.line.open = true;
  const second = page(of, first.tab);
  expect(second.sync.state().view.decisions).toHaveLength(1);
  await vi.waitFor(() => expect(second.sync.state().waiting).toBe(0));
  const third = page(of, first.tab);
  await vi.waitFor(() => expect(third.sync.state().view.n).toBe(1));
  expect(actions(of.log)).toEqual(['s0']);
  second.sync.close();
  third.sync.close();
});

it('what waits comes back out of storage as it went in, and damage in it is passed over', async () => {
  const tab = memoryStorage();
  expect(await actCheck(tab, 'w', 'r', 'ben')).toBeNull();
  const queue = [{ id: newId(), act: accept('s0'), at: AT, ready: false }];
  actStorage(tab, 'w', 'r', 'ben', null).save(queue);
  const check = await actCheck(tab, 'w', 'r', 'ben');
  expect(actStorage(tab, 'w', 'r', 'ben', check).load()).toEqual(queue);
  expect(await actCheck(tab, 'w', 'r', 'ana')).toBeNull();
  expect(actStorage(tab, 'w', 'r', 'ana', check).load()).toEqual([]);
  for (const damage of ['[{"id":', '[{"id":"1"}]', '{}']) {
    tab.setItem('review:queue:w:r:ben', damage);
    expect(actStorage(tab, 'w', 'r', 'ben', check).load()).toEqual([]);
  }
});

it('a decision on a fix waits until the fix is stored, and goes out with the version it has then', async () => {
  const of = studio();
  let version: number | null = null;
  const { sync } = page(of, memoryStorage(), (act) =>
    version === null ? null : act.type === 'decide' ? { ...act, version, verdict: 'fixed' } : act,
  );
  sync.act(accept('s0'));
  await Promise.resolve();
  expect(of.log).toEqual([]);
  version = 7;
  sync.retry();
  await vi.waitFor(() => expect(of.log).toHaveLength(1));
  expect(of.log[0]?.act).toMatchObject({ version: 7, verdict: 'fixed' });
  sync.close();
});

it('what is refused is taken back and told, and what was made after it is sent all the same', async () => {
  const of = studio();
  const { sync, notices } = page(of);
  of.line.refuses = 'Ana has taken it up.';
  sync.act(accept('s0'));
  await vi.waitFor(() => expect(notices).toEqual(['What you did was not kept. Ana has taken it up.']));
  expect(sync.state().view.decisions).toEqual([]);
  of.line.refuses = '';
  sync.act(accept('s1'));
  await vi.waitFor(() => expect(actions(of.log)).toEqual(['s1']));
  sync.close();
});

it('who waits for an act is told the studio’s own words when it is refused', async () => {
  const of = studio();
  const { sync, notices } = page(of);
  of.line.refuses = 'Nobody reviews their own work.';
  await expect(sync.ask({ type: 'claim' })).rejects.toThrow('Nobody reviews their own work.');
  expect(notices).toEqual([]);
  sync.close();
});

it('while the disk is full decisions wait, and none is dropped', async () => {
  const of = studio();
  const { sync, notices } = page(of);
  of.line.fails = 'DISK_FULL';
  for (const action of ['s0', 's1']) sync.act(accept(action));
  await vi.waitFor(() => expect(of.line.asked).toBeGreaterThan(3), 5000);
  expect(sync.state()).toMatchObject({ waiting: 2, lost: 'It failed.', stuck: null });
  of.line.fails = '';
  sync.retry();
  await vi.waitFor(() => expect(sync.state().waiting).toBe(0));
  expect([actions(of.log), notices]).toEqual([['s0', 's1'], []]);
  sync.close();
});

it('a decision that fails inside the studio is kept and shown until it is tried again or left out', async () => {
  const of = studio();
  const { sync, notices } = page(of);
  of.line.fails = 'INTERNAL';
  for (const action of ['s0', 's1']) sync.act(accept(action));
  await vi.waitFor(() => expect(sync.state().stuck).not.toBeNull(), 5000);
  const tries = of.line.asked;
  sync.act(accept('s2'));
  sync.wake();
  await Promise.resolve();
  expect(of.line.asked).toBe(tries);
  expect(sync.waiting().map(({ act }) => actions([{ act }])[0])).toEqual(['s0', 's1', 's2']);
  expect([sync.state().view.decisions.length, notices]).toEqual([3, []]);
  of.line.fails = '';
  sync.leaveOut();
  await vi.waitFor(() => expect(sync.state().waiting).toBe(0));
  expect(actions(of.log)).toEqual(['s1', 's2']);
  expect(notices).toEqual(['What you did was left out. It failed.']);
  sync.close();
});

it('a rejection opens a thread, comments and resolving show at once, and judgements replace each other', () => {
  const reject: ReviewAct = {
    type: 'decide',
    item: { kind: 'box', action: 's0' },
    version: 1,
    verdict: 'reject',
    reason: 'loose-box',
    comment: 'Too wide.',
  };
  const pin = { action: 's0', role: null, place: null, t: null };
  const judge = (grounded: boolean): ReviewAct => ({ type: 'judge', action: 's1', grounded, error: null, comment: '' });
  const state = withWaiting(
    empty,
    [
      { id: 'a', at: AT, act: reject },
      { id: 'b', at: AT, act: { type: 'comment', thread: 'a', pin, text: 'Put right.' } },
      { id: 'c', at: AT, act: { type: 'resolve', thread: 'a' } },
      { id: 'd', at: AT, act: judge(false) },
      { id: 'e', at: AT, act: judge(true) },
    ],
    'ben',
  );
  expect(state.threads).toMatchObject([
    { id: 'a', open: false, entries: [{ text: 'Too wide.' }, { text: 'Put right.' }] },
  ]);
  expect(state.judgements).toMatchObject([{ action: 's1', grounded: true }]);
  // Told by the watch before its own answer: the same acts on top change nothing.
  expect(withWaiting(state, [{ id: 'a', at: AT, act: reject }], 'ben')).toEqual(state);
});
