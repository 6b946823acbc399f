import { describe, expect, it } from 'vitest';
import { applyChanges, type Records, toRecords } from '../../core/annotate/document.ts';
import { nameElement, setGoal, setTitle, splitSubtask } from '../../core/annotate/edit.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import { stepsFrom } from '../../core/annotate/steps-for-tests.ts';
import { agreedRecords, compareDocuments, takeSide } from '../../core/review/compare.ts';
import type { Change } from '../../schemas/annotation.ts';
import type { Comparison } from '../../schemas/api/review-models.ts';
import { sidesFor } from './sides-for-tests.ts';
import { type ComparisonRow, comparisonRows, nextUnsettled, shownRows } from './store.ts';

const steps = stepsFrom(10);
const begun = toRecords(initialRecords(steps, [], 'The goal'));
const edited = (...gestures: ((records: Records) => Change[])[]): Records =>
  gestures.reduce((now, gesture) => applyChanges(now, gesture(now)), begun);

const documents = [
  edited(
    (now) => nameElement(now, 's0', 'Open', 'hand'),
    (now) => nameElement(now, 's4', 'Crop', 'hand'),
    (now) => splitSubtask(now, steps, 's6', 'x', ''),
    (now) => setTitle(now, 'subtask:s0', 'One'),
  ),
  edited(
    (now) => nameElement(now, 's0', 'Open file', 'hand'),
    (now) => nameElement(now, 's4', 'Crop tool', 'hand'),
    (now) => setTitle(now, 'subtask:s0', 'Two'),
    (now) => setGoal(now, 'Another goal'),
  ),
];
const sides = sidesFor(steps, documents);
const compared = sides.map(({ document: id, records }) => ({ id, records }));
const { differences, agreed, agreement } = compareDocuments(steps, compared, { resamples: 0 });
const comparison: Comparison = { recording: 'r', documents: [], differences, agreed, agreement };
const main = toRecords(agreedRecords(steps, compared));
const ids = differences.map(({ id }) => id);

const rows = (records: Records, settled: { difference: string; side: string | null }[] = []): ComparisonRow[] =>
  comparisonRows({ comparison, sides, written: new Map(), records, steps, settled });

/** The document when each of these differences was settled with the first side. */
function settledWith(...which: string[]): ComparisonRow[] {
  const records = which.reduce((now, id) => {
    const difference = differences.find((one) => one.id === id)!;
    return applyChanges(now, takeSide(now, steps, difference, sides[0]!.document));
  }, main);
  return rows(
    records,
    which.map((difference) => ({ difference, side: sides[0]!.document })),
  );
}

describe('the list of differences', () => {
  it('has every difference in the recording’s order, numbered from 1', () => {
    expect(rows(main).map(({ difference, number }) => [number, difference.id])).toEqual(
      ids.map((id, place) => [place + 1, id]),
    );
    expect(new Set(differences.map(({ kind }) => kind))).toEqual(new Set(['goal', 'title', 'element', 'subtask']));
  });

  it('knows of each kind when it is settled, and of no other', () => {
    for (const id of ids) {
      const states = settledWith(id).map(({ difference, standing }) => [difference.id, standing.state]);
      expect(states).toEqual(ids.map((one) => [one, one === id ? 'settled' : 'open']));
    }
  });

  it('shows one kind, or what is not settled, and keeps the one in hand until one goes on', () => {
    const all = settledWith('element:s0');
    const shown = (state: Parameters<typeof shownRows>[1]) =>
      shownRows(all, state).map(({ difference }) => difference.id);
    expect(shown({ kind: 'element', onlyOpen: false, selected: null })).toEqual(['element:s0', 'element:s4']);
    expect(shown({ kind: 'element', onlyOpen: true, selected: null })).toEqual(['element:s4']);
    expect(shown({ kind: 'element', onlyOpen: true, selected: 'element:s0' })).toEqual(['element:s0', 'element:s4']);
  });

  it('goes on to the next that is not settled, around the end', () => {
    const left = settledWith(...ids.filter((id) => id !== 'element:s0'));
    expect(nextUnsettled(left, ids.at(-1)!)?.difference.id).toBe('element:s0');
    expect(nextUnsettled(settledWith(...ids), ids[0]!)).toBeNull();
    expect(nextUnsettled(left, 'element:s0')).toBeNull();
  });
});
