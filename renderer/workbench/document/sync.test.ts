import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nameElement, setGoal, setTitle } from '../../../core/annotate/edit.ts';
import type { AnnotationRecord } from '../../../schemas/annotation.ts';
import { checkQueue } from './check-queue.ts';
import { memoryStorage, memoryStudio } from './memory-for-tests.ts';
import { queueStorage } from './storage.ts';
import { openSync, type Sync } from './sync.ts';
import { nextUndoLabel } from './undo-labels.ts';

const initial: AnnotationRecord[] = [
  { kind: 'goal', id: 'goal', text: 'make a slide' },
  { kind: 'subtask', id: 's1', first: 'a1', title: '' },
];

type Studio = ReturnType<typeof memoryStudio>;
type Line = ReturnType<Studio['line']>;
type Page = { sync: Sync; notices: string[]; undone: string[]; line: Line; kept: ReturnType<typeof memoryStorage> };
let ids = 0;
const newId = () => `11111111-1111-4111-8111-${String(++ids).padStart(12, '0')}`;

async function page(studio: Studio, kept = memoryStorage()): Promise<Page> {
  const line = studio.line();
  const notices: string[] = [];
  const undone: string[] = [];
  const sync = openSync({
    transport: line,
    storage: queueStorage(kept, 'w', 'r', checkQueue),
    document: await line.get(),
    newId,
    onChange: () => {},
    onUndone: (stored) => undone.push(stored.label),
    onNotice: (text) => notices.push(text),
  });
  await settle();
  return { sync, notices, undone, line, kept };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const view = (one: Page) => one.sync.state().pending.view;
const waiting = (one: Page) => one.sync.state().pending.queue.length;
const goalOf = (one: Page) => {
  const record = view(one).get('goal');
  return record?.kind === 'goal' ? record.text : null;
};
const setGoalOn = (one: Page, text: string) => one.sync.gesture('Set goal', setGoal(view(one), text));
const nameOn = (one: Page, action: string, name: string) =>
  one.sync.gesture('Name element', nameElement(view(one), action, name, 'hand'));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a gesture shows at once and is stored after', async () => {
  const studio = memoryStudio(initial);
  const one = await page(studio);
  setGoalOn(one, 'make two slides');
  expect(goalOf(one)).toBe('make two slides');
  expect(waiting(one)).toBe(1);
  await settle();
  expect(waiting(one)).toBe(0);
  expect(studio.records()).toEqual(view(one));
});

test('records keep their identity when the studio acknowledges them', async () => {
  const one = await page(memoryStudio(initial));
  nameOn(one, 'a1', 'Insert tab');
  const shown = view(one);
  await settle();
  expect(view(one)).toBe(shown);
});

test('two tabs on one recording stay the same document', async () => {
  const studio = memoryStudio(initial);
  const [one, two] = [await page(studio), await page(studio)];
  setGoalOn(one, 'from one');
  nameOn(two, 'a1', 'Insert tab');
  await settle();
  expect(view(one)).toEqual(view(two));
  expect(view(one)).toEqual(studio.records());
  expect(goalOf(two)).toBe('from one');
});

test('of two who change the same thing the second is told and sees what stands', async () => {
  const studio = memoryStudio(initial);
  const [one, two] = [await page(studio), await page(studio)];
  setGoalOn(one, 'from one');
  setGoalOn(two, 'from two');
  await settle();
  expect(goalOf(two)).toBe('from one');
  expect(two.notices).toHaveLength(1);
  expect(two.notices[0]).toMatch(/^"Set goal" was not kept: the same thing was changed elsewhere first/);
  expect(waiting(two)).toBe(0);
  expect(one.notices).toEqual([]);
});

test('what is done without a connection waits, and heals in order without loss or doubling', async () => {
  const studio = memoryStudio(initial);
  const one = await page(studio);
  one.line.cut();
  await settle();
  expect(one.sync.state().lost).not.toBeNull();
  nameOn(one, 'a1', 'first');
  nameOn(one, 'a1', 'second');
  one.sync.gesture('Set title', setTitle(view(one), 's1', 'Open'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(waiting(one)).toBe(3);
  expect(studio.applied()).toHaveLength(0);
  one.line.heal();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(one.sync.state().lost).toBeNull();
  expect(waiting(one)).toBe(0);
  expect(studio.applied().map((tx) => tx.label)).toEqual(['Name element', 'Name element', 'Set title']);
  expect(studio.records()).toEqual(view(one));
});

test('an answer that is lost after the work was done does not do it twice', async () => {
  const studio = memoryStudio(initial);
  const one = await page(studio);
  one.line.loseAnswer();
  setGoalOn(one, 'once');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(studio.applied()).toHaveLength(1);
  expect(waiting(one)).toBe(0);
  expect(goalOf(one)).toBe('once');
});

test('an undo whose answer is lost is not done twice', async () => {
  const studio = memoryStudio(initial);
  const one = await page(studio);
  setGoalOn(one, 'a');
  setGoalOn(one, 'b');
  await settle();
  one.line.loseAnswer();
  one.sync.undo();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(goalOf(one)).toBe('a');
  expect(studio.applied()).toHaveLength(3);
  expect(waiting(one)).toBe(0);
});

test('a reload while the connection is lost keeps what waits', async () => {
  const studio = memoryStudio(initial);
  const before = await page(studio);
  before.line.cut();
  await settle();
  setGoalOn(before, 'typed offline');
  before.sync.close();
  const after = await page(studio, before.kept);
  expect(goalOf(after)).toBe('typed offline');
  await settle();
  const goal = studio.records().get('goal');
  expect(goal?.kind === 'goal' && goal.text).toBe('typed offline');
  expect(waiting(after)).toBe(0);
});

test('undo and redo go to the studio, in order with what waits', async () => {
  const studio = memoryStudio(initial);
  const one = await page(studio);
  setGoalOn(one, 'a');
  one.sync.undo();
  expect(goalOf(one)).toBe('make a slide');
  await settle();
  expect(goalOf(one)).toBe('make a slide');
  expect(nextUndoLabel(one.sync.state().labels, 'redo').label).toBe('Set goal');
  one.sync.redo();
  await settle();
  expect(one.undone).toEqual(['Set goal', 'Set goal']);
  expect(goalOf(one)).toBe('a');
  expect(nextUndoLabel(one.sync.state().labels, 'undo').label).toBe('Set goal');
});

test('undo with nothing to undo says so', async () => {
  const one = await page(memoryStudio(initial));
  one.sync.undo();
  await settle();
  expect(one.notices).toEqual(['There is nothing to undo.']);
  expect(waiting(one)).toBe(0);
});

test("another tab's undo shows here too", async () => {
  const studio = memoryStudio(initial);
  const [one, two] = [await page(studio), await page(studio)];
  nameOn(one, 'a1', 'Insert tab');
  await settle();
  two.sync.undo();
  await settle();
  expect(view(one)).toEqual(studio.records());
  expect(view(one).size).toBe(2);
});

test('a gesture that does not fit what is shown is refused before it is queued', async () => {
  const one = await page(memoryStudio(initial));
  const stale = setGoal(view(one), 'b');
  setGoalOn(one, 'a');
  expect(() => one.sync.gesture('Set goal', stale)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  await settle();
  expect(goalOf(one)).toBe('a');
});

test('a hidden tab follows nothing and catches up when it is shown', async () => {
  const studio = memoryStudio(initial);
  const [one, two] = [await page(studio), await page(studio)];
  one.sync.follow(false);
  await settle();
  setGoalOn(two, 'meanwhile');
  await settle();
  expect(goalOf(one)).toBe('make a slide');
  expect(one.sync.state().lost).toBeNull();
  one.sync.follow(true);
  await settle();
  expect(goalOf(one)).toBe('meanwhile');
});

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

test.each(['DISK_FULL', 'DISK_FAILED', 'WORKSPACE_BUSY', 'WORKSPACE_UNWRITABLE', 'WORKSPACE_DAMAGED'])(
  'while the studio says %s everything waits, however long, and is stored in its order after',
  async (code) => {
    const studio = memoryStudio(initial);
    const one = await page(studio);
    one.line.failWith(coded(code, 'The disk is full.'));
    setGoalOn(one, 'a');
    nameOn(one, 'a1', 'Insert tab');
    one.sync.undo();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(one.sync.state()).toMatchObject({ lost: 'The disk is full.', stuck: null });
    expect([waiting(one), one.notices, goalOf(one)]).toEqual([3, [], 'a']);
    one.line.failWith(null);
    await vi.advanceTimersByTimeAsync(6_000);
    expect([waiting(one), one.sync.state().lost]).toEqual([0, null]);
    expect(studio.applied().map(({ label }) => label)).toEqual(['Set goal', 'Name element', 'Name element']);
    expect(view(one)).toEqual(studio.records());
  },
);

const DEFECT = coded('INTERNAL', 'A defect of this program: no such table.');

test('a gesture that fails inside the studio is kept and shown, and nothing more is tried by itself', async () => {
  const studio = memoryStudio(initial);
  const one = await page(studio);
  one.line.failWith(DEFECT);
  setGoalOn(one, 'a');
  await vi.advanceTimersByTimeAsync(5_000);
  const tries = one.line.asked();
  nameOn(one, 'a1', 'Insert tab');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(one.line.asked()).toBe(tries);
  expect(one.sync.state().stuck).toMatchObject({ label: '"Set goal"', message: DEFECT.message });
  expect([waiting(one), one.notices, goalOf(one)]).toEqual([2, [], 'a']);

  one.line.failWith(null);
  one.sync.retry();
  await settle();
  expect(one.sync.state()).toMatchObject({ stuck: null, lost: null });
  expect(studio.applied().map(({ label }) => label)).toEqual(['Set goal', 'Name element']);
});

test('a gesture that fails inside the studio outlives a reload', async () => {
  const studio = memoryStudio(initial);
  const before = await page(studio);
  before.line.failWith(DEFECT);
  setGoalOn(before, 'a');
  await vi.advanceTimersByTimeAsync(5_000);
  before.sync.close();
  const after = await page(studio, before.kept);
  await settle();
  expect([goalOf(after), waiting(after)]).toEqual(['a', 0]);
  expect(studio.applied()).toHaveLength(1);
});

test('what is left out is told, and what waits behind it is stored', async () => {
  const studio = memoryStudio(initial);
  const one = await page(studio);
  one.line.failWith(DEFECT);
  setGoalOn(one, 'a');
  nameOn(one, 'a1', 'Insert tab');
  await vi.advanceTimersByTimeAsync(5_000);
  one.line.failWith(null);
  one.sync.leaveOut();
  await settle();
  expect(one.notices).toEqual([`"Set goal" was left out. ${DEFECT.message}`]);
  expect(studio.applied().map(({ label }) => label)).toEqual(['Name element']);
  expect([waiting(one), goalOf(one), one.sync.state().lost]).toEqual([0, 'make a slide', null]);
});
