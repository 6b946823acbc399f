import { expect, test } from 'vitest';
import { initialRecords } from '../../core/annotate/initial.ts';
import { stepsFrom } from '../../core/annotate/steps-for-tests.ts';
import type { StepView } from '../../core/annotate/view.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { ReviewState } from '../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import type { Actions } from '../workbench/actions.ts';
import { memoryStudio, memorySync } from '../workbench/document/memory-for-tests.ts';
import { createWorkStore } from '../workbench/store.ts';
import { makeReviewing } from './actions.ts';

const steps = stepsFrom(3);
// The part of a recording and of its review that the actions read.
const opened = { row: { id: 'r', state: 'annotated' }, steps, frames: [], views: [] } as unknown as OpenedRecording;
const view = (claim: ReviewState['claim']): ReviewState =>
  ({
    claim,
    own: null,
    state: 'annotated',
    round: 1,
    decisions: [],
    documents: [],
    threads: [],
    settled: [],
    may: { claim: claim === null ? null : 'You are already reviewing it.', decide: null },
  }) as unknown as ReviewState;

/** The page before the recording was taken up, with a studio that answers when it is told to. */
async function page() {
  const studio = memoryStudio(initialRecords(steps, [], ''));
  const sync = await memorySync(studio.line());
  const shown = (claim: ReviewState['claim']) => ({
    view: view(claim),
    waiting: 0,
    lost: null,
    unkept: false,
    stuck: null,
  });
  const store = createWorkStore('w', opened, sync.state(), undefined, {
    page: 'review',
    person: 'ben',
    document: 'r',
    review: shown(null),
  });
  const decided: string[] = [];
  const reasons: (string | null)[] = [];
  const said: string[] = [];
  const answer = Promise.withResolvers<ReviewState>();
  let asked = 0;
  const reviewing = makeReviewing({
    store,
    sync: {
      state: () => shown(null),
      act: (act: ReviewAct) => {
        if (act.type !== 'decide') return;
        decided.push('action' in act.item ? act.item.action : act.item.kind);
        reasons.push(act.reason);
      },
      async ask() {
        asked++;
        return answer.promise;
      },
      retry() {},
      wake() {},
      leaveOut() {},
      waiting: () => [],
      follow() {},
      close() {},
    },
    // Nothing of annotating but moving about.
    actions: {
      settle() {},
      say: (text: string) => said.push(text),
      go: (at: number) => store.setState({ at, stop: null }),
    } as unknown as Actions,
  });
  const settle = () => new Promise((next) => setTimeout(next));
  return {
    store,
    reviewing,
    decided,
    reasons,
    said,
    asked: () => asked,
    async granted() {
      const claim = { person: 'ben', role: 'review' as const, at: '2026-01-01T00:00:00.000Z' };
      store.setState({ review: shown(claim) });
      answer.resolve(view(claim));
      await settle();
    },
    async refused() {
      answer.reject(new Error('Cem has taken it up.'));
      await settle();
    },
  };
}

test('what is accepted while the recording is being taken up is accepted once it is, in the same order', async () => {
  const { reviewing, decided, asked, granted } = await page();
  // The first takes it up; the others are meant.
  reviewing.accept();
  reviewing.accept();
  reviewing.accept();
  expect([asked(), decided]).toEqual([1, []]);
  await granted();
  expect(asked()).toBe(1);
  expect(decided).toHaveLength(2);
});

test('what was meant for another item than the one in hand now is not accepted', async () => {
  const { reviewing, store, decided, granted } = await page();
  reviewing.accept();
  reviewing.accept();
  store.setState({ at: 2, stop: null });
  await granted();
  expect(decided).toEqual([]);
});

test('what was meant for the item that one has moved on to is accepted, and what came before it is not', async () => {
  const { reviewing, store, decided, granted } = await page();
  reviewing.accept();
  reviewing.accept();
  store.setState({ at: 2, stop: null });
  reviewing.accept();
  await granted();
  expect(decided).toEqual([steps[2]!.id]);
});

test('a recording that somebody else took up meanwhile is told, and nothing is accepted', async () => {
  const { reviewing, decided, said, asked, refused } = await page();
  reviewing.accept();
  reviewing.accept();
  await refused();
  expect([decided, said, asked()]).toEqual([[], ['Cem has taken it up.'], 1]);
});

test('D6: a box that is not there is rejected as missing by the key alone; where there is one, the reason is asked for', async () => {
  const { reviewing, store, decided, reasons, granted } = await page();
  reviewing.accept();
  await granted();
  const before = decided.length;
  store.setState({ at: 0, stop: null, aspect: 'box' });
  reviewing.askReason();
  expect(store.getState().open).toBeNull();
  expect(decided).toHaveLength(before + 1);
  expect(reasons.at(-1)).toBe('missing-box');
  const { doc } = store.getState();
  const target = { box: { x: 1, y: 2, width: 30, height: 20 } } as unknown as StepView['target'];
  store.setState({
    at: 0,
    stop: null,
    aspect: 'box',
    doc: { ...doc, steps: doc.steps.map((step) => ({ ...step, target })) },
  });
  reviewing.askReason();
  expect(store.getState().open).toBe('reject');
  expect(decided).toHaveLength(before + 1);
});
