import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initialRecords } from '../../core/annotate/initial.ts';
import type { Proposal, StoredTransaction } from '../../schemas/annotation.ts';
import type { DraftShown } from '../../schemas/api/drafts.ts';
import { makeActions } from './actions.ts';
import { memoryStudio, memorySync } from './document/memory-for-tests.ts';
import { fourClicks } from './recording-for-tests.ts';
import { makeBoxKeys } from './stage/box-keys.ts';
import { createWorkStore } from './store.ts';
import { textTooLong } from './too-long.ts';
import { withDocument } from './with-document.ts';

const proposal = (name: string): Proposal => ({
  name,
  box: { x: 90, y: 40, width: 30, height: 20 },
  source: 'seen',
  confidence: 0.9,
});

async function workspace(
  askProposals: (action: string) => Promise<Proposal[]> = async () => [proposal('Insert tab')],
  askGrow: () => Promise<Proposal | null> = async () => null,
  askReject: (draft: string, rejected: boolean) => Promise<unknown> = async () => undefined,
) {
  const opened = fourClicks();
  const studio = memoryStudio(initialRecords(opened.steps, [], 'goal'));
  const line = studio.line();
  let ids = 0;
  const newId = () => `22222222-2222-4222-8222-${String(++ids).padStart(12, '0')}`;
  let push = (): void => {};
  let showChanged = (_stored: StoredTransaction): void => {};
  const sync = await memorySync(line, {
    newId,
    onChange: () => push(),
    onUndone: (stored) => showChanged(stored),
  });
  const store = createWorkStore('w', opened, sync.state());
  push = () => store.setState((before) => withDocument(before, sync.state()));
  const actions = makeActions({
    store,
    sync,
    newId,
    now: () => 0,
    askProposals,
    askGrow,
    askReject,
    autoAdvance: () => true,
  });
  showChanged = actions.showChanged;
  await vi.advanceTimersByTimeAsync(0);
  const at = (n: number) => store.getState().doc.steps[n - 1]!;
  return {
    store,
    actions,
    studio,
    at,
    box: makeBoxKeys(store, actions),
    settled: () => vi.advanceTimersByTimeAsync(0),
  };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a thought is stored as its own record; taken back to nothing, it is gone', async () => {
  const { actions, at, settled } = await workspace();
  actions.reason('a1', 'thought', ' The dialog is open ');
  actions.reason('a1', 'observation', 'It closed');
  expect(at(1).reasoning).toMatchObject({
    thought: 'The dialog is open',
    actionThought: null,
    observation: 'It closed',
  });
  actions.reason('a1', 'thought', '');
  actions.reason('a1', 'observation', '');
  await settled();
  expect(at(1).reasoning).toBeNull();
});

test('an undo goes to what it changed; one that is answered after the person went on pulls nobody back', async () => {
  const { actions, store, settled } = await workspace();
  actions.reason('a1', 'thought', 'first');
  await settled();
  actions.go(3);
  actions.undo();
  await settled();
  expect(store.getState().at).toBe(0);
  actions.go(2);
  actions.redo();
  actions.goBy(-1);
  await settled();
  expect(store.getState().doc.steps[0]!.reasoning?.thought).toBe('first');
  expect(store.getState().at).toBe(1);
});

test('two keys a step: a digit takes name and box, Enter confirms and goes on', async () => {
  const { actions, store, at, settled, studio } = await workspace();
  await actions.propose('a1');
  actions.takeProposal(1);
  actions.confirmAndGo();
  expect(at(1).narration).toBe('Click on the Insert tab');
  expect(at(1).target?.box).toEqual({ x: 90, y: 40, width: 30, height: 20 });
  expect(at(1).state).toBe('done');
  expect(store.getState().at).toBe(1);
  await settled();
  expect(studio.applied().map((tx) => tx.label)).toEqual(['Take suggestion', 'Confirm step']);
});

test('a digit pressed before its proposals came is taken when they do, at its own step', async () => {
  const { actions, store, at, settled } = await workspace();
  actions.takeProposal(1);
  actions.confirmAndGo();
  expect(store.getState().at).toBe(1);
  await settled();
  expect(at(1).label?.element).toBe('Insert tab');
  expect(at(2).label).toBeNull();
});

test('confirming takes the element that stands filled in, once, and an undo gives both back', async () => {
  const told: Proposal = { ...proposal('Save button'), source: 'accessibility' };
  const { actions, at, store, settled } = await workspace(async () => [told]);
  await actions.propose('a1');
  actions.confirmAndGo();
  expect(at(1)).toMatchObject({
    state: 'done',
    label: { element: 'Save button', elementSource: 'accessibility' },
    target: { box: told.box, source: 'accessibility' },
  });
  await settled();
  actions.undo();
  await settled();
  expect(at(1)).toMatchObject({ state: 'open', target: null });
  // What a person said stays.
  store.setState({ at: 0 });
  actions.name('a1', 'Store');
  actions.confirmAndGo();
  expect(at(1)).toMatchObject({ state: 'done', label: { element: 'Store' }, target: null });
});

test('what is only guessed is not taken by confirming', async () => {
  const { actions, at } = await workspace();
  await actions.propose('a1');
  actions.confirmAndGo();
  expect(at(1)).toMatchObject({ state: 'done', target: null });
  expect(at(1).label?.element ?? null).toBeNull();
});

test('a proposal that is not there is told', async () => {
  const { actions, store } = await workspace();
  await actions.propose('a1');
  actions.takeProposal(4);
  // It is true of this step alone, and goes with it.
  const { step } = store.getState().doc.steps[store.getState().at]!;
  expect(store.getState().notices).toMatchObject([{ text: 'No suggestion 4 for this step.', step: step.id }]);
});

test('a step that is confirmed with a place in pixels says so, and is confirmed all the same', async () => {
  const { actions, store, at, settled } = await workspace();
  actions.confirmAndGo();
  await settled();
  expect(at(1).label?.confirmed).toBe(true);
  expect(store.getState().notices.map((one) => one.text)).toEqual([
    expect.stringMatching(/^Step \d says a place in pixels/),
  ]);
});

test('what is said of one step goes with it; after the last step the next open one is named by its number', async () => {
  const { actions, store } = await workspace();
  actions.go(0);
  actions.merge();
  const { step } = store.getState().doc.steps[0]!;
  expect(store.getState().notices.at(-1)).toMatchObject({
    text: 'The first subtask has none before it.',
    tone: 'info',
    step: step.id,
  });
  actions.go(99);
  actions.confirmAndGo();
  expect(store.getState().notices.at(-1)?.text).toMatch(/^That was the last step\. .* the next is step 1\.$/);
});

test('a chosen stretch is removed in one gesture, and work goes on after it', async () => {
  const { actions, store, at, studio, settled } = await workspace();
  actions.go(0);
  actions.goBy(1, { extend: true });
  actions.goBy(1, { extend: true });
  actions.removeOrRestore();
  expect(store.getState().open).toBe('remove');
  actions.remove('mistake', '');
  expect([1, 2, 3, 4].map((n) => at(n).state)).toEqual(['removed', 'removed', 'removed', 'open']);
  expect(store.getState().at).toBe(3);
  await settled();
  expect(studio.applied().map((tx) => tx.label)).toEqual(['Remove 3 steps']);
});

test('flagging and going on leaves the flag', async () => {
  const { actions, at } = await workspace();
  actions.toggleFlag();
  actions.confirmAndGo();
  expect(at(1).state).toBe('flagged');
});

test('a half-typed field is stored before the next gesture', async () => {
  const { actions, studio, settled } = await workspace();
  let typed: string | null = 'Insert tab';
  actions.whenSettling(() => {
    if (typed === null) return;
    const text = typed;
    typed = null;
    actions.name('a1', text);
  });
  actions.confirmAndGo();
  await settled();
  expect(studio.applied().map((tx) => tx.label)).toEqual(['Name element', 'Confirm step']);
});

test('what comes by itself leaves alone what is being typed', async () => {
  const answer = Promise.withResolvers<Proposal | null>();
  const names = Promise.withResolvers<Proposal[]>();
  const { actions, at, box } = await workspace(
    () => names.promise,
    () => answer.promise,
  );
  const stored = vi.fn();
  actions.takeProposal(1);
  actions.box(at(1), 'end', { x: 10, y: 10, width: 20, height: 20 });
  box.toggle('end');
  box.change({ dx: 1 });
  box.grow();
  actions.whenSettling(stored);
  await vi.advanceTimersByTimeAsync(1000);
  expect(at(1).end?.box.x).toBe(11);
  answer.resolve({ ...proposal(''), box: { x: 1, y: 2, width: 3, height: 4 } });
  await vi.advanceTimersByTimeAsync(0);
  expect(at(1).end?.box).toEqual({ x: 1, y: 2, width: 3, height: 4 });
  names.resolve([proposal('Insert tab')]);
  await vi.advanceTimersByTimeAsync(0);
  expect(at(1).label?.element).toBe('Insert tab');
  expect(stored).not.toHaveBeenCalled();
  actions.confirmAndGo();
  expect(stored).toHaveBeenCalled();
});

test('a box outside the picture is told and not sent', async () => {
  const { actions, at, store, studio, settled } = await workspace();
  expect(actions.box(at(1), 'target', { x: 190, y: 0, width: 20, height: 10 })).toBe(false);
  expect(store.getState().notices[0]?.text).toMatch(/reaches outside the picture of 200 × 100 pixels/);
  await settled();
  expect(studio.applied()).toEqual([]);
});

test('two corners by keys make a box around the recorded point', async () => {
  const { at, box, store } = await workspace();
  box.toggle('target');
  expect(store.getState().mode).toMatchObject({ kind: 'cross', at: { x: 101, y: 50 } });
  box.change({ dx: -10, dy: -10 });
  box.corner();
  box.change({ dx: 20, dy: 15 });
  box.corner();
  expect(at(1).target?.box).toEqual({ x: 91, y: 40, width: 21, height: 16 });
  expect(store.getState().mode).toEqual({ kind: 'adjust', role: 'target' });
});

test('nudges that follow each other are one gesture', async () => {
  const { actions, at, box, studio } = await workspace();
  actions.box(at(1), 'target', { x: 10, y: 10, width: 20, height: 20 });
  box.toggle('target');
  for (let n = 0; n < 5; n++) box.change({ dx: 1 });
  box.change({ dw: 10, dh: -5 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(at(1).target?.box).toEqual({ x: 15, y: 10, width: 30, height: 15 });
  expect(studio.applied().map((tx) => tx.label)).toEqual(['Draw box', 'Move box']);
});

test('a nudge in the making is stored when one goes on before it ends', async () => {
  const { actions, at, box } = await workspace();
  actions.box(at(1), 'target', { x: 10, y: 10, width: 20, height: 20 });
  box.toggle('target');
  box.change({ dx: 1 });
  actions.confirmAndGo();
  expect(at(1).target?.box.x).toBe(11);
});

test('the picture before moves by the frames’ own list, and back to the chosen one leaves no record', async () => {
  const { actions, at, store } = await workspace();
  actions.moveKeyframe('before', 1);
  expect(at(1).before).toBe(1);
  actions.moveKeyframe('before', -1);
  expect(at(1).before).toBe(0);
  expect([...store.getState().sync.pending.view.keys()]).not.toContain('keyframe:a1:before');
  actions.moveKeyframe('before', -1);
  expect(store.getState().notices.at(-1)?.text).toBe('This is the first frame.');
});

test('splitting, marking out and merging keep every step in exactly one subtask', async () => {
  const { actions, store } = await workspace();
  const spans = () => store.getState().doc.subtasks.map(({ from, to }) => [from, to]);
  actions.go(2);
  actions.split();
  expect(spans()).toEqual([
    [0, 2],
    [2, 4],
  ]);
  actions.go(0);
  actions.markOut();
  expect(spans()).toEqual([
    [0, 1],
    [1, 4],
  ]);
  actions.go(3);
  actions.merge();
  expect(spans()).toEqual([[0, 4]]);
});

test('too long is said with both numbers and what to take away', () => {
  expect(textTooLong('Element', 'x'.repeat(500), 500)).toBeNull();
  expect(textTooLong('Element', 'x'.repeat(10_000), 500)).toBe(
    'Element has 10,000 characters; at most 500 are kept. Shorten it by 9,500.',
  );
});

const drafted = (field: DraftShown['field'], action: string, text: string): DraftShown => ({
  id: `1:${field}:${action}`,
  action,
  field,
  text,
  by: 'one@0a1b2c3d',
  at: '2026-11-28T00:00:00.000Z',
  doubt: null,
  doubtedBy: null,
  state: 'open',
});

test('one key takes the drafts of a step one after another, as its fields are read, each with its origin', async () => {
  const { actions, store, at, settled, studio } = await workspace();
  const cut = drafted('subtask', 'a2', 'Save it');
  store.setState({ drafts: [drafted('thought', 'a1', 'It is shut.'), cut, drafted('element', 'a1', 'Insert tab')] });
  actions.takeModelDraft();
  expect(at(1).label).toMatchObject({ element: 'Insert tab', drafted: { element: { edited: false } } });
  actions.takeModelDraft();
  expect(at(1).reasoning).toMatchObject({ thought: 'It is shut.', drafted: { thought: { by: 'one@0a1b2c3d' } } });
  // None is left: another step's is not meant.
  actions.takeModelDraft();
  expect(store.getState().notices.at(-1)?.text).toBe('No draft waits at this step.');
  actions.name('a1', 'Insert menu');
  expect(at(1).label).toMatchObject({ drafted: { element: { edited: true } } });
  actions.go(1);
  actions.takeModelDraft();
  expect(store.getState().doc.subtasks.map(({ title, from }) => [title, from])).toContainEqual(['Save it', 1]);
  actions.undo();
  await settled();
  expect(store.getState().doc.subtasks).toHaveLength(1);
  // A draft waits again once taking it was undone.
  actions.takeModelDraft();
  await settled();
  expect(store.getState().doc.subtasks).toHaveLength(2);
  expect(studio.applied().map(({ label }) => label)).toContain('Take draft');
});

test('a refused draft waits no more and can be put back; an answer that was not stored is said and taken back', async () => {
  const answers: [string, boolean][] = [];
  const refuse = vi.fn(async (draft: string, rejected: boolean) => void answers.push([draft, rejected]));
  const { actions, store, at, settled } = await workspace(undefined, undefined, refuse);
  const [name, narration] = [drafted('element', 'a1', 'Insert tab'), drafted('narration', 'a1', 'Open it.')];
  store.setState({ drafts: [name, narration] });
  actions.refuseModelDraft();
  actions.takeModelDraft();
  expect(at(1).label).toMatchObject({ element: null, narration: 'Open it.' });
  actions.putBackModelDraft(name.id);
  actions.takeModelDraft();
  expect(at(1).label?.element).toBe('Insert tab');
  await settled();
  expect(answers).toEqual([
    [name.id, true],
    [name.id, false],
  ]);
  refuse.mockRejectedValueOnce(new Error('The line is down.'));
  store.setState({ drafts: [drafted('element', 'a2', 'OK')] });
  actions.go(1);
  actions.refuseModelDraft();
  await settled();
  expect(store.getState().drafts[0]?.state).toBe('open');
  expect(store.getState().notices.at(-1)?.text).toMatch(/not stored.*The line is down/);
});

test('what somebody wrote hides the draft for it, half typed words too', async () => {
  const { actions, store, at } = await workspace();
  store.setState({ drafts: [drafted('element', 'a1', 'Insert tab'), drafted('narration', 'a1', 'Open it.')] });
  const stop = actions.whenSettling(() => {
    stop();
    actions.name('a1', 'Mine');
  });
  actions.takeModelDraft();
  expect(at(1).label).toMatchObject({ element: 'Mine', narration: 'Open it.' });
});
