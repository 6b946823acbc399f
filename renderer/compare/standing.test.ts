import { describe, expect, it } from 'vitest';
import { applyChanges, type Records, toRecords } from '../../core/annotate/document.ts';
import {
  nameElement,
  removeSteps,
  setBox,
  setNarration,
  setReasoning,
  setTitle,
  splitSubtask,
} from '../../core/annotate/edit.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import { stepsFrom } from '../../core/annotate/steps-for-tests.ts';
import { agreedRecords, compareDocuments, takeSide } from '../../core/review/compare.ts';
import type { Change, StoredTransaction } from '../../schemas/annotation.ts';
import type { Difference } from '../../schemas/api/review-models.ts';
import { standingOf, type WrittenValue, withTransaction, writtenIn } from './standing.ts';

const steps = stepsFrom(8);
const begun = toRecords(initialRecords(steps, [], 'Crop the picture'));
const altered = (records: Records, ...gestures: ((records: Records) => Change[])[]): Records =>
  gestures.reduce((now, gesture) => applyChanges(now, gesture(now)), records);

const box = (x: number) => ({ x, y: 10, width: 20, height: 20 });
const ana = altered(
  begun,
  (now) => nameElement(now, 's1', 'Crop tool', 'hand'),
  (now) => setBox(now, 's1', 'target', box(0), 'hand', 1),
  (now) => splitSubtask(now, steps, 's3', 'a', 'Write'),
);
const ben = altered(
  begun,
  (now) => nameElement(now, 's1', 'Crop', 'hand'),
  (now) => setNarration(now, 's2', 'Press the key'),
  (now) => splitSubtask(now, steps, 's5', 'b', 'Write'),
);
const cem = altered(begun, (now) => removeSteps(now, ['s1'], 'mistake', ''));

const of = (...all: Records[]) => all.map((records, place) => ({ document: `r~${'abc'[place]}`, records }));
const documentsOf = (...all: Records[]) => of(...all).map(({ document: id, records }) => ({ id, records }));

const { differences } = compareDocuments(steps, documentsOf(ana, ben), { resamples: 0 });
const main = toRecords(agreedRecords(steps, documentsOf(ana, ben)));
const named = (id: string, all: readonly Difference[] = differences): Difference => all.find((one) => one.id === id)!;
const NONE: WrittenValue = new Map();

const standing = (id: string, more: Partial<Parameters<typeof standingOf>[1]> = {}) =>
  standingOf(named(id), { records: main, steps, sources: of(ana, ben), settled: [], written: NONE, ...more });

const stored = (version: number, changes: Change[], undoes: string | null = null): StoredTransaction => ({
  id: `t${version}`,
  label: 'Gesture',
  changes,
  version,
  person: 'dan',
  at: '2026-11-22T00:00:00Z',
  undoes,
  redoes: null,
});

describe('where a difference stands', () => {
  it('is open before anybody decided', () => {
    expect(standing('element:s1')).toEqual({ state: 'open', matches: [], side: null, transaction: null });
  });

  it('is settled when the log has a side and the document says what that side says', () => {
    const records = altered(main, (now) => takeSide(now, steps, named('element:s1'), 'r~b'));
    const settled = [{ difference: 'element:s1', side: 'r~b' }];
    expect(standing('element:s1', { records, settled })).toMatchObject({ state: 'settled', matches: ['r~b'] });
    expect(standing('element:s1', { records: main, settled }).state).toBe('changed');
  });

  it('is settled by a third value whatever the sides say', () => {
    const records = altered(main, (now) => nameElement(now, 's1', 'Crop icon', 'hand'));
    const settled = [{ difference: 'element:s1', side: null }];
    expect(standing('element:s1', { records, settled })).toMatchObject({ state: 'settled', matches: [] });
  });

  it('is written when its value stands in the document and the log was not told', () => {
    const changes = takeSide(main, steps, named('element:s1'), 'r~a');
    const written = writtenIn([stored(2, changes)], steps, differences);
    const records = applyChanges(main, changes);
    expect(standing('element:s1', { records, written })).toEqual({
      state: 'written',
      matches: ['r~a'],
      side: null,
      transaction: 't2',
    });
    expect(standing('box:s1:target', { records, written }).state).toBe('open');
  });

  it('a side that leaves something empty has a say, one that removed the step has none', () => {
    expect(standing('box:s1:target').matches).toEqual(['r~b']);
    const three = compareDocuments(steps, documentsOf(ana, ben, cem), { resamples: 0 }).differences;
    const now = { records: begun, steps, sources: of(ana, ben, cem), settled: [], written: NONE };
    expect(standingOf(named('box:s1:target', three), now).matches).toEqual(['r~b']);
    expect(standingOf(named('removal:s1', three), now).matches).toEqual(['r~a', 'r~b']);
  });
});

describe('which differences a transaction wrote', () => {
  const wrote = (gesture: (records: Records) => Change[]): string[] => [
    ...withTransaction(NONE, steps, differences, { id: 't', changes: gesture(main) }).keys(),
  ];

  it('each difference is known by its own side being taken, and no other is', () => {
    for (const difference of differences) {
      for (const { document } of difference.sides) {
        const changes = takeSide(main, steps, difference, document);
        if (changes.length === 0) continue;
        expect([difference.id, wrote(() => changes)]).toEqual([difference.id, [difference.id]]);
      }
    }
    expect(differences.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['element:s1', 'box:s1:target', 'narration:s2', 'subtask:s3']),
    );
  });

  it('a name is not a narration, though both stand in one record', () => {
    expect(wrote((now) => nameElement(now, 's2', 'Picture', 'hand'))).toEqual([]);
    expect(wrote((now) => setNarration(now, 's2', 'Press it'))).toEqual(['narration:s2']);
  });

  it('a subtask that begins inside the stretch is a third value, one outside is not', () => {
    expect(wrote((now) => splitSubtask(now, steps, 's4', 'x', ''))).toEqual(['subtask:s3']);
    expect(wrote((now) => splitSubtask(now, steps, 's7', 'x', ''))).toEqual([]);
    expect(wrote((now) => setTitle(now, 'subtask:s0', 'Crop'))).toEqual([]);
  });

  it('what was undone counts for nothing', () => {
    const changes = takeSide(main, steps, named('element:s1'), 'r~a');
    const history = [stored(2, changes), stored(3, changes, 't2')];
    expect(writtenIn(history, steps, differences).size).toBe(0);
  });
});

describe('thoughts', () => {
  const think = (text: string, note: string) =>
    altered(
      begun,
      (now) => setReasoning(now, 's1', 'thought', text),
      (now) => setReasoning(now, 's1', 'observation', note),
    );
  const [a, b] = [think('one', 'seen'), think('two', 'heard')];
  const all = compareDocuments(steps, documentsOf(a, b), { resamples: 0 }).differences;
  const [thought, observation] = [named('thought:s1:thought', all), named('thought:s1:observation', all)];

  it('are written each by itself, though they are one record', () => {
    const changes = takeSide(begun, steps, thought, 'r~b');
    const written = withTransaction(NONE, steps, all, { id: 't', changes });
    expect([written.has(thought.id), written.has(observation.id)]).toEqual([true, false]);
    const now = { records: applyChanges(begun, changes), steps, sources: of(a, b), settled: [], written };
    expect(standingOf(thought, now)).toMatchObject({ state: 'written', matches: ['r~b'] });
    expect(standingOf(observation, now).state).toBe('open');
    const third = applyChanges(now.records, setReasoning(now.records, 's1', 'thought', 'three'));
    const settled = [{ difference: thought.id, side: null }];
    expect(standingOf(thought, { ...now, records: third, settled })).toMatchObject({ state: 'settled', matches: [] });
  });
});
