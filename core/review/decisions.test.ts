import { describe, expect, test } from 'vitest';
import type { ReviewItem } from '../../schemas/review.ts';
import { toRecords } from '../annotate/document.ts';
import { confirm, nameElement, setBox, setField, setGoal, splitSubtask } from '../annotate/edit.ts';
import { initialRecords } from '../annotate/initial.ts';
import { stepsFrom } from '../annotate/steps-for-tests.ts';
import { assess, type Touches, unansweredThreads } from './decisions.ts';
import { itemKey, keysTouched } from './items.ts';
import { act, newModel, RECORDING, write } from './model-for-tests.ts';

const STEPS = stepsFrom(3);
const RECORDS = toRecords(initialRecords(STEPS, [], 'The goal'));
const BOX = { x: 1, y: 2, width: 30, height: 20 };
const touched = (key: string, version: number, person: string): Touches => new Map([[key, [{ version, person }]]]);
const step = (at: number): ReviewItem => ({ kind: 'step', action: `s${at}` });

/** Ben reviews what Ada has annotated at version 2. */
function inReview() {
  const model = newModel();
  write(model, 'ada', 'own');
  act(model, 'ada', { type: 'submit', document: RECORDING, version: 2 });
  act(model, 'ben', { type: 'claim' });
  const decide = (item: ReviewItem, verdict: 'accept' | 'fixed' | 'reject' = 'accept', version = 2) =>
    act(model, 'ben', { type: 'decide', item, version, verdict, reason: 'unclear', comment: '' });
  const nextRound = () => {
    act(model, 'ben', { type: 'verdict', verdict: 'reject', version: 2, reasons: [], comment: '' });
    act(model, 'ada', { type: 'begin' });
    act(model, 'ada', { type: 'submit', document: RECORDING, version: 2 });
    act(model, 'ben', { type: 'claim' });
  };
  const result = (touches: Touches = new Map(), records = RECORDS) => {
    const { undecided, rejected, decisions } = assess(model.review, { steps: STEPS, records, touches });
    const stale = decisions.filter((one) => one.stale).map(({ item }) => itemKey(item));
    return { undecided, rejected: rejected.map(({ item }) => itemKey(item)), stale };
  };
  return { model, decide, nextRound, result };
}

describe('decisions (RV8)', () => {
  test('on every kept step are wanted; a removed one needs none', () => {
    const { decide, result } = inReview();
    expect(result().undecided).toEqual(['s0', 's1', 's2']);
    decide(step(0));
    decide(step(1), 'fixed');
    expect(result().undecided).toEqual(['s2']);
    const removal = { kind: 'removal', id: 'removal:s2', action: 's2', reason: 'mistake', comment: '' } as const;
    expect(result(new Map(), new Map([...RECORDS, [removal.id, removal]])).undecided).toEqual([]);
  });

  test('on all that is said of a step decide it too', () => {
    const { decide, result } = inReview();
    const named = toRecords([
      ...RECORDS.values(),
      ...nameElement(RECORDS, 's0', 'OK', 'hand').flatMap((change) => (change.op === 'add' ? [change.record] : [])),
      ...setBox(RECORDS, 's0', 'target', BOX, 'hand', 1).flatMap((change) =>
        change.op === 'add' ? [change.record] : [],
      ),
    ]);
    for (const kind of ['element', 'narration'] as const) decide({ kind, action: 's0' });
    expect(result(new Map(), named).undecided).toContain('s0');
    decide({ kind: 'box', action: 's0' });
    expect(result(new Map(), named).undecided).not.toContain('s0');
  });

  test('are stale when somebody else has changed what they speak of since, and then count for nothing', () => {
    const { decide, result } = inReview();
    decide(step(0));
    decide({ kind: 'goal' }, 'reject');
    expect(result(touched('element:s0', 3, 'ada'))).toMatchObject({ stale: ['step:s0'], rejected: ['goal'] });
    expect(result(touched('element:s0', 3, 'ada')).undecided).toContain('s0');
    expect(result(touched('element:s0', 2, 'ada')).stale).toEqual([]);
    expect(result(touched('element:s0', 3, 'ben')).stale).toEqual([]);
    expect(result(touched('goal', 3, 'ada'))).toMatchObject({ stale: ['goal'], rejected: [] });
  });

  test('of the same round on an aspect stand against one on the step, until it is changed', () => {
    const { decide, result } = inReview();
    decide({ kind: 'box', action: 's0' }, 'reject');
    decide(step(0));
    expect(result().rejected).toEqual(['box:s0']);
    // Put right in place by the reviewer, then accepted with the step.
    decide(step(0), 'fixed', 3);
    expect(result(touched('box:s0', 3, 'ben')).rejected).toEqual([]);
  });

  test('of an earlier round stay; a rejection of it has to be decided again', () => {
    const { decide, nextRound, result } = inReview();
    decide(step(0));
    decide({ kind: 'box', action: 's1' }, 'reject');
    nextRound();
    expect(result()).toMatchObject({ undecided: ['s1', 's2'], rejected: ['box:s1'] });
    decide(step(1));
    expect(result()).toMatchObject({ undecided: ['s2'], rejected: [] });
  });

  test('on a subtask that begins there no longer are gone with it', () => {
    const { decide, result } = inReview();
    const split = splitSubtask(RECORDS, STEPS, 's1', 'new', 'Part').flatMap((change) =>
      change.op === 'add' ? [change.record] : [],
    );
    decide({ kind: 'edge', subtask: 's1' }, 'reject');
    expect(result(new Map(), new Map([...RECORDS, ['new', split[0]!]])).rejected).toEqual(['edge:s1']);
    expect(result().rejected).toEqual([]);
  });
});

describe('a rejection', () => {
  test('is answered by a word, by closing it, or by changing what it speaks of', () => {
    const { model, decide } = inReview();
    decide(step(0), 'reject');
    const open = (touches: Touches = new Map()) => unansweredThreads(model.review, touches).length;
    expect(open()).toBe(1);
    expect(open(touched('box:s0', 3, 'ada'))).toBe(0);
    expect(open(touched('box:s1', 3, 'ada'))).toBe(1);
    const [thread] = [...model.review.threads.keys()];
    const pin = { action: null, role: null, place: null, t: null };
    act(model, 'ben', { type: 'comment', thread: thread!, pin, text: 'Still' });
    expect(open()).toBe(1);
    act(model, 'ada', { type: 'comment', thread: thread!, pin, text: 'It is right' });
    expect(open()).toBe(0);
  });
});

describe('what a gesture touches', () => {
  const keys = (changes: Parameters<typeof keysTouched>[0]) => [...keysTouched(changes)].toSorted();
  test('are the things that it changes, and the narration that is made of them', () => {
    expect(keys(nameElement(RECORDS, 's0', 'OK', 'hand'))).toEqual(['element:s0', 'narration:s0']);
    expect(keys(setField(RECORDS, 's0', 'text', 'abc'))).toEqual(['narration:s0', 'text:s0']);
    expect(keys(setBox(RECORDS, 's0', 'end', BOX, 'hand', 1))).toEqual(['box:s0']);
    expect(keys(setGoal(RECORDS, 'Other'))).toEqual(['goal']);
    expect(keys(splitSubtask(RECORDS, STEPS, 's1', 'new', 'Part'))).toEqual(['edge:s1', 'title:s1']);
  });
  test('is nothing when a step is confirmed', () => {
    expect(keys(confirm(RECORDS, 's0', true))).toEqual([]);
  });
});
