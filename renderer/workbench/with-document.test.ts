import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addStep, byHandId } from '../../core/annotate/by-hand.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import { clickByHand } from '../../core/annotate/steps-for-tests.ts';
import { memoryStudio, memorySync } from './document/memory-for-tests.ts';
import { fourClicks } from './recording-for-tests.ts';
import { createWorkStore } from './store.ts';
import { withDocument } from './with-document.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function page(document = 'r', opened = fourClicks()) {
  const studio = memoryStudio(initialRecords(opened.steps, [], 'goal'));
  let push = (): void => {};
  let ids = 0;
  const sync = await memorySync(studio.line(), {
    newId: () => `33333333-3333-4333-8333-${String(++ids).padStart(12, '0')}`,
    onChange: () => push(),
  });
  const store = createWorkStore('w', opened, sync.state(), undefined, { document });
  push = () => store.setState((before) => withDocument(before, sync.state()));
  const shown = () => store.getState().doc.steps.map(({ step }) => step.id);
  return {
    store,
    sync,
    shown,
    inHand: () => shown()[store.getState().at] ?? null,
    add(n: number, t: number) {
      const { opened: now, sync: state } = store.getState();
      sync.gesture('Add step', addStep(state.pending.view, now, clickByHand(t, n)));
    },
    settled: () => vi.advanceTimersByTimeAsync(0),
  };
}
const added = (n: number) => byHandId('r', `0000000${n}`);

test('a step that is added comes at once, and what is in hand stays in hand', async () => {
  const { store, shown, inHand, add } = await page();
  store.setState({ at: 2, anchor: 3, formAt: 2, viewport: { x: 1, y: 2, scale: 3 } });
  const { opened } = store.getState();
  add(1, 1_500_000);
  expect(shown()).toEqual(['a1', added(1), 'a2', 'a3', 'a4']);
  expect(store.getState()).toMatchObject({ at: 3, anchor: 4, formAt: 3, viewport: { x: 1, y: 2, scale: 3 } });
  expect(inHand()).toBe('a3');
  // Everything but the steps is what it was, so that pictures and the timeline stay.
  expect({ ...store.getState().opened, steps: [] }).toEqual({ ...opened, steps: [] });
  expect(store.getState().opened.frames).toBe(opened.frames);
});

test('a step that is taken back goes: the next one is in hand, and the last one when there is none', async () => {
  const { store, sync, shown, inHand, add, settled } = await page();
  add(1, 2_500_000);
  await settled();
  store.setState({ at: 2, formAt: 2, mode: { kind: 'adjust', role: 'target' } });
  expect(inHand()).toBe(added(1));
  sync.undo();
  await settled();
  expect(shown()).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect([inHand(), store.getState().formAt, store.getState().mode.kind]).toEqual(['a3', 2, 'idle']);
  add(2, 4_500_000);
  await settled();
  store.setState({ at: 4, formAt: 4 });
  sync.undo();
  await settled();
  expect([inHand(), store.getState().formAt]).toEqual(['a4', 3]);
});

test('without any step left the picture that was shown stays', async () => {
  const { store, sync, shown, add, settled } = await page('r', { ...fourClicks(), steps: [] });
  add(1, 2_500_000);
  await settled();
  expect(store.getState().doc.steps[0]!.before).toBe(2);
  sync.undo();
  await settled();
  expect([shown(), store.getState().at, store.getState().looking]).toEqual([[], 0, 2]);
});

test('who annotates separately keeps the steps that there were', async () => {
  const { store, add } = await page('r.2');
  const { steps } = store.getState().opened;
  add(1, 1_500_000);
  expect(store.getState().opened.steps).toBe(steps);
});
