import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeSchema, recordSchema, transactionSchema } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { checkPartition, checkRecord } from './check.ts';
import { applyChanges, difference, invert, type Records, toRecords } from './document.ts';
import { mergeSubtask, splitSubtask } from './edit.ts';
import { begun, gesture } from './gestures-for-tests.ts';
import { stepsFrom } from './steps-for-tests.ts';
import { subtaskSpans } from './subtasks.ts';
import { viewDocument } from './view.ts';

const document = fc.record({
  count: fc.integer({ min: 1, max: 12 }),
  marks: fc.array(
    fc.integer({ min: 0, max: 14 }).map((s) => s * 1e6 + 500_000),
    { maxLength: 4 },
  ),
  gestures: fc.array(gesture, { maxLength: 25 }),
});

/** Plays gestures one after another; `seen` is told of each state that came. */
function play(
  { count, marks, gestures }: typeof document extends fc.Arbitrary<infer T> ? T : never,
  seen: (before: Records, changes: ReturnType<typeof invert>, after: Records) => void = () => undefined,
) {
  const steps = stepsFrom(count);
  let records = begun(steps, marks);
  for (const make of gestures) {
    const changes = make(records, steps);
    const after = applyChanges(records, changes);
    seen(records, changes, after);
    records = after;
  }
  return { steps, records };
}

test('undo after do is identity, for each gesture (N4)', () => {
  fc.assert(
    fc.property(document, (given) => {
      play(given, (before, changes, after) => {
        expect(applyChanges(after, invert(changes))).toEqual(before);
        expect(applyChanges(applyChanges(after, invert(changes)), changes)).toEqual(after);
      });
    }),
  );
});

test('a whole evening of gestures undone, last first, is the beginning (N4)', () => {
  fc.assert(
    fc.property(document, (given) => {
      const done: ReturnType<typeof invert>[] = [];
      const { steps, records } = play(given, (_before, changes) => done.push(changes));
      const back = done.toReversed().reduce<Records>((now, changes) => applyChanges(now, invert(changes)), records);
      expect(back).toEqual(begun(steps, given.marks));
      expect(invert(invert(done.flat()))).toEqual(done.flat());
    }),
  );
});

test('every step lies in exactly one subtask, in the order of time, after any gestures (N1)', () => {
  fc.assert(
    fc.property(document, (given) => {
      const { steps, records } = play(given, (_before, _changes, after) =>
        checkPartition(stepsFrom(given.count), after),
      );
      const spans = subtaskSpans(steps, records);
      expect(spans.flatMap(({ from, to }) => steps.slice(from, to).map(({ id }) => id))).toEqual(
        steps.map(({ id }) => id),
      );
      for (const { from, to } of spans) expect(to).toBeGreaterThan(from);
      for (const record of records.values()) checkRecord(steps, record);
    }),
  );
});

test('ranks and counts add up: kept steps are the left and the done ones, each with its place as its rank (N1, N5)', () => {
  fc.assert(
    fc.property(document, (given) => {
      const { steps, records } = play(given);
      const view = viewDocument(steps, records);
      const kept = view.steps.filter(({ state }) => state !== 'removed');
      expect(view.left + view.done).toBe(kept.length);
      expect(view.subtasks.reduce((sum, { kept }) => sum + kept, 0)).toBe(kept.length);
      for (const [at, { rank, subtask, state }] of view.steps.entries()) {
        const { from, to } = view.subtasks[subtask]!;
        expect(from <= at && at < to).toBe(true);
        expect(rank).toBe(state === 'removed' ? null : at - from + 1);
      }
    }),
  );
});

test('split, then merge, is identity (N1)', () => {
  fc.assert(
    fc.property(document, fc.nat(100), (given, at) => {
      const { steps, records } = play(given);
      const split = splitSubtask(records, steps, steps[at % steps.length]!.id, 'new', 'A title');
      const after = applyChanges(records, split);
      // Where a subtask begins already there is nothing to split.
      const merge = split.length > 0 ? mergeSubtask(after, steps, 'new') : [];
      expect(applyChanges(after, merge)).toEqual(records);
    }),
  );
});

test('the view is a pure function: the same records give an equal view, whatever was viewed between (N8)', () => {
  fc.assert(
    fc.property(document, document, (given, other) => {
      const { steps, records } = play(given);
      const seen = (of: readonly Step[]) => {
        const view = viewDocument(of, records);
        // Sentences are made when one looks at them.
        return { ...view, steps: view.steps.map((one) => ({ ...one, says: [one.narration, one.narrationMade] })) };
      };
      const first = structuredClone(seen(steps));
      let between = begun(steps);
      for (const make of other.gestures) between = applyChanges(between, make(between, steps));
      viewDocument(steps, between);
      expect(seen(steps)).toEqual(first);
      // Equal steps that are other objects have nothing kept of them.
      expect(seen(structuredClone(steps))).toEqual(first);
    }),
  );
});

test('records and changes go through JSON and their schemas unchanged', () => {
  fc.assert(
    fc.property(document, (given) => {
      const { records } = play(given, (_before, changes) => {
        for (const change of changes) expect(changeSchema.parse(JSON.parse(JSON.stringify(change)))).toEqual(change);
        if (changes.length === 0) return;
        const transaction = { id: '3f2a9c1e-0000-4000-8000-000000000001', label: 'Any', changes };
        expect(transactionSchema.parse(JSON.parse(JSON.stringify(transaction)))).toEqual(transaction);
      });
      const list = [...records.values()].map((record) => recordSchema.parse(JSON.parse(JSON.stringify(record))));
      expect(toRecords(list)).toEqual(records);
    }),
  );
});

test('a difference leads from one document to the other, and is empty between equals', () => {
  fc.assert(
    fc.property(document, document, (one, other) => {
      const [from, to] = [play(one).records, play(other).records];
      expect(applyChanges(from, difference(from, to))).toEqual(to);
      expect(difference(from, new Map([...from].reverse()))).toEqual([]);
    }),
  );
});
