import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { applyChanges, type Records, toRecords } from '../../core/annotate/document.ts';
import { nameElement, setBox } from '../../core/annotate/edit.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import { stepsFrom } from '../../core/annotate/steps-for-tests.ts';
import { agreedRecords, compareDocuments } from '../../core/review/compare.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { ReviewState } from '../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import { setLanguage } from '../language/tr.ts';
import { makeActions } from '../workbench/actions.ts';
import { memoryStorage, memoryStudio, memorySync } from '../workbench/document/memory-for-tests.ts';
import { createWorkStore, documentOf } from '../workbench/store.ts';
import { followWrites, makeComparing } from './actions.ts';
import { sidesFor } from './sides-for-tests.ts';
import { createCompareStore } from './store.ts';

const steps = stepsFrom(4);
const begun = toRecords(initialRecords(steps, [], ''));
const box = (x: number) => ({ x, y: 0, width: 10, height: 10 });
const written = (name: string, x: number): Records => {
  const named = applyChanges(begun, nameElement(begun, 's1', name, 'hand'));
  return applyChanges(named, setBox(named, 's1', 'target', box(x), 'hand', 1));
};
const sides = sidesFor(steps, [written('Crop tool', 0), written('Crop', 50)]);
const compared = sides.map(({ document: id, records }) => ({ id, records }));
const main = agreedRecords(steps, compared);
const row = { id: 'r', state: 'in-review' } as OpenedRecording['row']; // what the actions read of it
const opened = {
  row,
  steps,
  frames: [],
  views: [],
  span: { start: 0, end: 9e6 },
} as unknown as OpenedRecording; // the rest is for parts that are not there
const review = {
  claim: { person: 'cem', role: 'adjudicate', at: '2026-01-01T00:00:00.000Z' },
  settled: [],
  documents: [],
  may: { settle: null, claim: 'You are already reviewing it.' },
} as unknown as ReviewState; // the same

/** The page with a studio in memory, whose log is a list of acts. */
async function page() {
  const studio = memoryStudio(main);
  const acts: ReviewAct[] = [];
  const store = { current: null as ReturnType<typeof createWorkStore> | null };
  const sync = await memorySync(studio.line(), {
    onChange: (state) => store.current?.setState({ sync: state, doc: documentOf(opened, state) }),
  });
  const reviewSync = { view: review, waiting: 0, lost: null, unkept: false, stuck: null };
  const work = createWorkStore('w', opened, sync.state(), undefined, {
    person: 'cem',
    document: 'r',
    review: reviewSync,
  });
  store.current = work;
  const actions = makeActions({
    store: work,
    sync,
    newId: () => crypto.randomUUID(),
    now: () => 0,
    askProposals: async () => [],
    askGrow: async () => null,
    askReject: async () => undefined,
    autoAdvance: () => false,
  });
  const { differences, agreed, agreement } = compareDocuments(steps, compared, { resamples: 0 });
  const comparison = { recording: 'r', documents: [], differences, agreed, agreement };
  const compare = createCompareStore({ comparison, sides, written: new Map() });
  const ask = async (act: ReviewAct): Promise<ReviewState> => {
    acts.push(act);
    if (act.type !== 'settle') return review;
    const others = (work.getState().review?.view.settled ?? []).filter((one) => one.difference !== act.difference);
    const made = { difference: act.difference, side: act.side, person: 'cem' };
    const view = { ...review, settled: act.back ? others : [...others, made] };
    work.setState({ review: { ...reviewSync, view } });
    return view;
  };
  const comparing = makeComparing({ work, compare, actions, ask, nameOf: ({ document }) => document });
  const stop = followWrites(work, compare);
  const stateOf = (id: string) => comparing.rows().find(({ difference }) => difference.id === id)?.standing.state;
  const close = (): void => {
    stop();
    sync.close();
  };
  return { studio, acts, work, compare, actions, comparing, stateOf, close };
}

let now: Awaited<ReturnType<typeof page>>;
beforeEach(async () => {
  vi.stubGlobal('localStorage', memoryStorage());
  now = await page();
  now.comparing.select('element:s1');
});
afterEach(() => {
  now.close();
  vi.unstubAllGlobals();
});

const nameNow = () => now.work.getState().doc.steps[1]?.label?.element ?? null;

it('a side is taken as one transaction, the log is told of it by its id, and the next one is in hand', async () => {
  now.comparing.take(1);
  await vi.waitFor(() => expect(now.studio.applied()).toHaveLength(1));
  const [stored] = now.studio.applied();
  expect(stored?.label).toBe('Take B (r~1): Element');
  expect(now.acts).toEqual([{ type: 'settle', difference: 'element:s1', side: 'r~1', transaction: stored?.id }]);
  expect([nameNow(), now.stateOf('element:s1'), now.stateOf('box:s1:target')]).toEqual(['Crop', 'settled', 'open']);
  expect(now.compare.getState().selected).toBe('box:s1:target');
});

it('labels are kept in English whatever the language of the page is, and a side that is undone is known by its label', async () => {
  setLanguage(
    'de',
    new Map(['Element', 'Undo decision', 'Take {place} ({side}): {difference}'].map((text) => [text, 'de'])),
  );
  now.comparing.take(1);
  now.comparing.select('element:s1');
  now.comparing.takeBack();
  setLanguage('en', new Map());
  await vi.waitFor(() => expect(now.studio.applied()).toHaveLength(2));
  expect(now.studio.applied().map(({ label }) => label)).toEqual(['Take B (r~1): Element', 'Undo decision: Element']);
  expect(now.stateOf('element:s1')).toBe('open');
});

it('a value of one’s own is written first and settled by the next key as a third one', () => {
  now.actions.name('s1', 'Crop icon');
  expect([now.stateOf('element:s1'), now.acts]).toEqual(['written', []]);
  now.comparing.settle();
  expect(now.acts.at(-1)).toMatchObject({ type: 'settle', difference: 'element:s1', side: null });
  expect([nameNow(), now.stateOf('element:s1')]).toEqual(['Crop icon', 'settled']);
});

it('what was typed as a side has it is that side’s', () => {
  now.actions.name('s1', 'Crop tool');
  now.comparing.settle();
  expect(now.acts.at(-1)).toMatchObject({ type: 'settle', side: 'r~0' });
});

it('an open difference is not settled by accident', () => {
  now.comparing.settle();
  expect(now.acts).toEqual([]);
  expect(now.work.getState().notices.at(-1)?.text).toContain('Take a side by its digit');
});

it('taking back opens the difference again and leaves the document as it was begun', () => {
  const before = now.work.getState().sync.pending.view;
  now.comparing.take(0);
  now.comparing.select('element:s1');
  now.comparing.takeBack();
  expect(now.stateOf('element:s1')).toBe('open');
  expect([...now.work.getState().sync.pending.view]).toEqual([...before]);
  expect(now.acts.at(-1)).toMatchObject({ type: 'settle', difference: 'element:s1', back: true });
});

it('undo takes back one after the other, the last first, and never what all agree on', () => {
  now.comparing.take(0);
  now.comparing.take(1);
  expect(['element:s1', 'box:s1:target'].map(now.stateOf)).toEqual(['settled', 'settled']);
  now.comparing.undo();
  expect(['element:s1', 'box:s1:target'].map(now.stateOf)).toEqual(['settled', 'open']);
  now.comparing.undo();
  expect(['element:s1', 'box:s1:target'].map(now.stateOf)).toEqual(['open', 'open']);
  now.comparing.undo();
  expect([...now.work.getState().sync.pending.view.values()]).toEqual(main);
});

it('who does not adjudicate writes nothing and tells the log nothing', () => {
  const other = { ...review, claim: null, may: { ...review.may, claim: null } } as ReviewState; // the rest as it was
  now.work.setState({ review: { view: other, waiting: 0, lost: null, unkept: false, stuck: null } });
  now.comparing.take(0);
  now.comparing.takeBack();
  expect([now.acts, nameNow()]).toEqual([[], null]);
  expect(now.work.getState().notices.at(-1)?.text).toBe('Start adjudication first (C).');
});
