import { expect, test } from 'vitest';
import type { Change } from '../../schemas/annotation.ts';
import { applyChanges, type Records, toRecords } from '../annotate/document.ts';
import { nameElement, removeSteps, setReasoning } from '../annotate/edit.ts';
import { initialRecords } from '../annotate/initial.ts';
import { stepsFrom } from '../annotate/steps-for-tests.ts';
import { agreedRecords, compareDocuments, takeSide } from './compare.ts';

const steps = stepsFrom(4, () => ({}));
type Gesture = (records: Records) => Change[];
const played = (...gestures: Gesture[]): Records =>
  gestures.reduce(
    (records, make) => applyChanges(records, make(records)),
    toRecords(initialRecords(steps, [], 'Goal')),
  );
const thinks =
  (action: string, field: 'thought' | 'actionThought' | 'observation', text: string): Gesture =>
  (records) =>
    setReasoning(records, action, field, text);
const compare = (...documents: Records[]) =>
  compareDocuments(
    steps,
    documents.map((records, at) => ({ id: 'ABC'[at]!, records })),
  );

test('each thought that is written otherwise is a difference of its own, the same ones are not (R18)', () => {
  const a = played(
    thinks('s1', 'thought', 'The dialog is open'),
    thinks('s1', 'observation', 'It closed'),
    thinks('s2', 'actionThought', 'A click chooses it'),
  );
  const b = played(thinks('s1', 'thought', 'The dialog has opened'), thinks('s1', 'observation', 'It closed'));
  const { differences, agreed } = compare(a, b);
  expect(differences.map(({ id, kind, sides }) => [id, kind, sides.map(({ text }) => text)])).toEqual([
    ['thought:s1:thought', 'thought', ['The dialog is open', 'The dialog has opened']],
    ['thought:s2:actionThought', 'thought', ['A click chooses it', '']],
  ]);
  expect(agreed).toBe(1);
});

test('figures count what at least one of a pair thinks: three units, one alike, one near, one missing (R10, R18)', () => {
  const a = played(
    thinks('s0', 'thought', 'save it'),
    thinks('s1', 'thought', 'open'),
    thinks('s2', 'observation', 'abcd'),
  );
  const b = played(thinks('s0', 'thought', 'Save  it'), thinks('s2', 'observation', 'abxd'));
  const { agreement } = compare(a, b);
  // Normalised the same: 1; one alone: 0; one letter of four: 0.75.
  expect(agreement.thoughtSimilarity).toMatchObject({ value: (1 + 0 + 0.75) / 3, n: 3 });
  expect(agreement.thoughtF1).toMatchObject({ value: 1 / 3, n: 3 });
  expect(agreement.overall.value).toBeCloseTo((1 + 0 + 0.75) / 3, 10);
});

test('a step that one removed is not compared further, and documents without thoughts have no figure of them (R1)', () => {
  const removed = compare(
    played(thinks('s0', 'thought', 'x')),
    played((r) => removeSteps(r, ['s0'], 'mistake', '')),
  );
  expect(removed.differences.map(({ kind }) => kind)).toEqual(['removal']);
  const without = compare(
    played((r) => nameElement(r, 's0', 'OK', 'hand')),
    played((r) => nameElement(r, 's0', 'OK', 'hand')),
  );
  expect(without.agreement.thoughtSimilarity).toEqual({ value: null, n: 0, low: null, high: null });
  expect(without.agreement.overall.value).toBe(1);
});

test('taking a side moves one thought and leaves the others; a third stays possible (R16)', () => {
  const a = played(thinks('s1', 'thought', 'one'), thinks('s1', 'observation', 'alike'));
  const b = played(thinks('s1', 'thought', 'two'), thinks('s1', 'observation', 'alike'));
  const documents = [
    { id: 'A', records: a },
    { id: 'B', records: b },
  ];
  const [difference] = compareDocuments(steps, documents).differences;
  const main = toRecords(agreedRecords(steps, documents));
  expect(main.get('reasoning:s1')).toMatchObject({ thought: null, actionThought: null, observation: 'alike' });
  const taken = applyChanges(main, takeSide(main, steps, difference!, 'B'));
  expect(taken.get('reasoning:s1')).toMatchObject({ thought: 'two', observation: 'alike' });
  expect(takeSide(taken, steps, difference!, 'B')).toEqual([]);
  const third = applyChanges(taken, setReasoning(taken, 's1', 'thought', 'three'));
  expect(applyChanges(third, takeSide(third, steps, difference!, 'A')).get('reasoning:s1')).toMatchObject({
    thought: 'one',
    observation: 'alike',
  });
});

test('a side that thinks nothing takes the thought away, and with the last one the record (N7)', () => {
  const [a, b] = [played(thinks('s1', 'thought', 'one')), played()];
  const { differences } = compare(a, b);
  expect(differences.map(({ id }) => id)).toEqual(['thought:s1:thought']);
  const after = applyChanges(a, takeSide(a, steps, differences[0]!, 'B'));
  expect(after.has('reasoning:s1')).toBe(false);
});
