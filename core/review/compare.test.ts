import { describe, expect, test } from 'vitest';
import type { Change } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { applyChanges, type Records, toRecords } from '../annotate/document.ts';
import {
  confirm,
  flag,
  mergeSubtask,
  moveKeyframe,
  nameElement,
  removeSteps,
  setBox,
  setField,
  setGoal,
  setNarration,
  setTitle,
  splitSubtask,
} from '../annotate/edit.ts';
import { firstSubtaskId } from '../annotate/ids.ts';
import { initialRecords } from '../annotate/initial.ts';
import { stepsFrom } from '../annotate/steps-for-tests.ts';
import { agreedRecords, checkScore, compareDocuments, poolAgreement, takeSide } from './compare.ts';

const steps = stepsFrom(10, (at) => (at === 3 ? { kind: 'drag' } : at === 5 ? { kind: 'type', text: 'Helo' } : {}));
const begun = (): Records => toRecords(initialRecords(steps, [], 'The goal'));

type Gesture = (records: Records) => Change[];
const played = (...gestures: Gesture[]): Records =>
  gestures.reduce((records, make) => applyChanges(records, make(records)), begun());

const box = (x: number) => ({ x, y: 10, width: 40, height: 20 });
const split =
  (action: string, title = ''): Gesture =>
  (records) =>
    splitSubtask(records, steps, action, firstSubtaskId(action), title);
const named =
  (action: string, name: string): Gesture =>
  (records) =>
    nameElement(records, action, name, 'hand');

const compare = (...documents: Records[]) =>
  compareDocuments(
    steps,
    documents.map((records, at) => ({ id: 'ABCDE'[at]!, records })),
  );
const listed = (...documents: Records[]) => compare(...documents).differences.map(({ id }) => id);

test('two who both left everything as it began have nothing to agree on, and boast of nothing (R1)', () => {
  const { differences, agreed, agreement } = compare(begun(), begun());
  expect(differences).toEqual([]);
  expect(agreed).toBe(0);
  expect(agreement.overall).toEqual({ value: null, n: 0, low: null, high: null });
  expect(agreement.removedKappa).toEqual({ value: null, n: 10, low: null, high: null });
  expect(agreement.elementSimilarity.n).toBe(0);
});

test('differences stand in the order of the recording, each with what both sides say (R12)', () => {
  const a = played(
    named('s7', 'Save'),
    named('s1', 'Insert tab'),
    split('s4', 'Crop'),
    (r) => setGoal(r, 'Crop it'),
    (r) => removeSteps(r, ['s2'], 'mistake', 'slipped'),
    (r) => setBox(r, 's1', 'target', box(0), 'hand', 1),
  );
  const b = played(named('s7', 'Save as'), named('s1', 'Insert tab'), split('s6', 'Crop'), (r) =>
    setBox(r, 's1', 'target', box(30), 'edges', 0.5),
  );
  const { differences, agreed } = compare(a, b);
  expect(differences.map(({ id, index }) => [id, index])).toEqual([
    ['goal', null],
    ['box:s1:target', 1],
    ['removal:s2', 2],
    ['subtask:s4', 4],
    ['element:s7', 7],
  ]);
  expect(agreed).toBe(1);
  expect(differences.map(({ sides }) => sides.map(({ text }) => text))).toEqual([
    ['Crop it', 'The goal'],
    ['0, 10, 40 × 20', '30, 10, 40 × 20'],
    ['mistake: slipped', 'kept'],
    ['from step 5: Crop', 'from step 7: Crop'],
    ['Save', 'Save as'],
  ]);
  expect(differences.map(({ sides }) => sides.map(({ document }) => document))).toEqual(
    differences.map(() => ['A', 'B']),
  );
});

describe('figures (R1 to R15)', () => {
  test('a box that one alone drew is worth 0, and steps that one removed are not compared further', () => {
    const a = played(
      (r) => setBox(r, 's0', 'target', box(0), 'hand', 1),
      (r) => setBox(r, 's1', 'target', box(0), 'hand', 1),
      (r) => setBox(r, 's2', 'target', box(0), 'hand', 1),
      named('s2', 'Save'),
    );
    const b = played(
      (r) => setBox(r, 's0', 'target', box(20), 'hand', 1),
      (r) => removeSteps(r, ['s2'], 'mistake', ''),
    );
    const { agreement } = compare(a, b);
    // A third for the two that overlap by half, nothing for the other.
    expect(agreement.boxIou.value).toBeCloseTo(1 / 6, 10);
    expect(agreement.boxIou.n).toBe(2);
    // Each centre is on the other's edge: inside on the left edge, outside on the right one (half open).
    expect(agreement.clickInBox.value).toBe(0.25);
    expect(agreement.elementSimilarity.n).toBe(0);
  });

  test("removed or kept counts every step: Cohen's kappa for two, Fleiss' for three (R9)", () => {
    const removing =
      (...actions: string[]): Gesture =>
      (r) =>
        removeSteps(r, actions, 'mistake', '');
    const [a, b, c] = [played(removing('s0', 's1')), played(removing('s1', 's2')), played(removing('s1'))];
    // 8 of 10 alike; 0.2 * 0.2 + 0.8 * 0.8 = 0.68 by chance.
    expect(compare(a, b).agreement.removedKappa.value).toBeCloseTo((0.8 - 0.68) / 0.32, 10);
    expect(compare(a, b).agreement.removedKappa.n).toBe(10);
    // Fleiss: two steps with one of three removed, P_i = 1/3; five removals among thirty ratings.
    const chance = (5 / 30) ** 2 + (25 / 30) ** 2;
    expect(compare(a, b, c).agreement.removedKappa.value).toBeCloseTo(((8 + 2 / 3) / 10 - chance) / (1 - chance), 10);
    // Somebody removed three steps; one of them is removed by both.
    expect(compare(a, b).agreement.overall.value).toBeCloseTo(1 / 3, 10);
  });

  test('a step that somebody has not looked at is a gap for alpha, and kept for kappa (R9)', () => {
    const looked = (...actions: string[]): Gesture[] => actions.map((action) => (r) => confirm(r, action, true));
    const removed: Gesture = (r) => removeSteps(r, ['s0'], 'mistake', '');
    const { agreement } = compare(played(removed, ...looked('s1', 's2')), played(removed, ...looked('s1')));
    expect(agreement.removedAlpha).toMatchObject({ value: 1, n: 2 });
    expect(agreement.removedKappa).toMatchObject({ value: 1, n: 10 });
  });

  test('subtasks are matched one to one; one that is left over is worth 0 and has no edge to measure (R8)', () => {
    const { agreement } = compare(played(split('s4'), split('s8')), played(split('s5')));
    // [0, 4) with [0, 5): 4/5; [4, 8) with [5, 10): 3/6; [8, 10) alone.
    expect(agreement.subtaskIou.value).toBeCloseTo((0.8 + 0.5 + 0) / 3, 10);
    expect(agreement.subtaskIou.n).toBe(3);
    expect(agreement.edgeDistance).toMatchObject({ value: 1, n: 1 });
  });

  test('the first beginning is nobody’s choice, so an edge that meets it has no distance (R8)', () => {
    const { agreement } = compare(played(split('s2')), begun());
    // [2, 10) with [0, 10); [0, 2) is alone.
    expect(agreement.subtaskIou.value).toBeCloseTo(0.4, 10);
    expect(agreement.edgeDistance).toMatchObject({ value: null, n: 0 });
  });

  test('subtasks may be measured by the clock', () => {
    const slow = stepsFrom(3).map((step, at): Step => {
      const t = [0, 1, 9][at]! * 1e6;
      return { ...step, start: [0, 0, t], end: [0, 0, at === 2 ? 10e6 : t] };
    });
    const documents = ['s1', 's2'].map((action) => {
      const records = toRecords(initialRecords(slow, [], ''));
      return {
        id: action,
        records: applyChanges(records, splitSubtask(records, slow, action, 'second', '')),
      };
    });
    // By actions 1 of 2 and 1 of 2. By the clock the long ones, 1 to 10 s and 0 to 9 s, share 8 of 10 s: the others are alone.
    expect(compareDocuments(slow, documents).agreement.subtaskIou.value).toBeCloseTo(0.5, 10);
    const { agreement } = compareDocuments(slow, documents, { subtasksOver: 'time' });
    expect(agreement.subtaskIou).toMatchObject({ n: 3 });
    expect(agreement.subtaskIou.value).toBeCloseTo(0.8 / 3, 10);
  });

  test('titles are compared where subtasks were matched, although they begin at different steps (R10)', () => {
    const { agreement } = compare(played(split('s4', 'Crop it')), played(split('s5', 'crop  IT')));
    expect(agreement.titleSimilarity).toMatchObject({ value: 1, n: 1 });
  });

  test('a narration counts where at least one wrote it, against what goes out from the other (R10)', () => {
    const a = played(named('s0', 'Save'), (r) => setNarration(r, 's1', 'Press the button'));
    const b = played(named('s0', 'Save'), (r) => setNarration(r, 's2', 'Click at (10, 20)'));
    const { agreement, differences } = compare(a, b);
    // s2: what B wrote is what A's fields make.
    expect(agreement.narrationSimilarity.n).toBe(2);
    expect(differences.map(({ id }) => id)).toEqual(['narration:s1']);
    expect(differences[0]!.sides.map(({ text }) => text)).toEqual(['Press the button', 'Click at (10, 20)']);
  });

  test('typed text is compared as it is, case and all (R10)', () => {
    const { agreement, differences } = compare(
      played((r) => setField(r, 's5', 'text', 'Hello')),
      played((r) => setField(r, 's5', 'text', 'hello')),
    );
    expect(agreement.textSimilarity).toMatchObject({ value: 0.8, n: 1 });
    expect(differences[0]).toMatchObject({ id: 'text:s5', agreement: 0.8 });
  });

  test('movement or resizing: kappa over the drags on which both say it', () => {
    const drags = stepsFrom(5, () => ({ kind: 'drag' }));
    const saying = (kinds: string) => {
      const records = toRecords(initialRecords(drags, [], ''));
      return [...kinds].reduce((now, kind, at) => {
        if (kind === '-') return now;
        return applyChanges(now, setField(now, `s${at}`, 'dragKind', kind === 'm' ? 'movement' : 'resizing'));
      }, records);
    };
    const { agreement, units } = compareDocuments(drags, [
      { id: 'A', records: saying('mmrr-') },
      { id: 'B', records: saying('mrrrm') },
    ]);
    expect(units.dragKind).toEqual({ mm: 1, mr: 1, rr: 2, '-m': 1 });
    // 3 of 4 alike; by chance 0.5 * 0.25 + 0.5 * 0.75.
    expect(agreement.dragKindKappa.value).toBeCloseTo((0.75 - 0.5) / 0.5, 10);
    expect(agreement.dragKindKappa.n).toBe(4);
  });
});

describe('removal (R9, R12)', () => {
  const removing =
    (reason: 'mistake' | 'private'): Gesture =>
    (r) =>
      removeSteps(r, ['s3'], reason, '');
  const moving: Gesture = (r) => setField(r, 's3', 'dragKind', 'movement');

  test('what is said of a step that all others removed is no comparison', () => {
    const { differences, agreed, units } = compare(
      played(removing('mistake'), moving),
      played(named('s3', 'OK'), moving),
    );
    expect(differences.map(({ id }) => id)).toEqual(['removal:s3']);
    expect(agreed).toBe(0);
    expect(units.dragKind).toEqual({ '-m': 1 });
  });

  test('removed by both, for another reason: half an agreement, to be settled', () => {
    const { differences, agreement } = compare(played(removing('mistake')), played(removing('private')));
    expect(differences).toMatchObject([{ id: 'removal:s3', agreement: 0.5 }]);
    expect(agreement.overall.value).toBe(1);
    expect(compare(played(removing('private')), begun()).differences).toMatchObject([{ agreement: 0 }]);
  });
});

describe('differences between subtasks (R12)', () => {
  test('an edge that was put elsewhere is one difference; edges apart from each other are several', () => {
    const a = played(split('s2'), split('s5'), split('s8'));
    const b = played(split('s3'), split('s5'));
    const { differences, agreed } = compare(a, b);
    expect(differences.map(({ id, sides }) => [id, sides.map(({ text }) => text)])).toEqual([
      ['subtask:s2', ['from step 3', 'from step 4']],
      ['subtask:s8', ['from step 9', '']],
    ]);
    // The beginning at s5.
    expect(agreed).toBe(1);
  });

  test('titles differ where all begin a subtask', () => {
    const a = played(split('s4', 'Crop it'), (r) => setTitle(r, firstSubtaskId('s0'), 'Open'));
    const b = played(split('s4', 'Resize it'), (r) => setTitle(r, firstSubtaskId('s0'), 'Open'));
    expect(listed(a, b)).toEqual(['title:s4']);
  });
});

describe('settling (R16)', () => {
  const a = played(
    named('s1', 'Save'),
    split('s4', 'Crop it'),
    (r) => removeSteps(r, ['s2'], 'mistake', ''),
    (r) => setBox(r, 's1', 'target', box(0), 'edges', 0.5),
    (r) => setBox(r, 's6', 'end', box(0), 'hand', 1),
    (r) => moveKeyframe(r, 's7', 'after', { frame: 3, t: 9 }),
  );
  const b = played(
    named('s1', 'Save as'),
    named('s2', 'OK'),
    split('s5', 'Crop'),
    split('s6', 'Save it'),
    (r) => setBox(r, 's1', 'target', { x: 2, y: 10, width: 40, height: 20 }, 'hand', 1),
    (r) => setNarration(r, 's1', 'Save it'),
  );
  const documents = [
    { id: 'A', records: a },
    { id: 'B', records: b },
  ];

  test('an adjudicated document begins with what nobody contradicts, boxes as their mean', () => {
    const agreed = toRecords(agreedRecords(steps, documents));
    expect(agreed.get('goal')).toMatchObject({ text: 'The goal' });
    expect(agreed.get('box:s1:target')).toMatchObject({
      box: { x: 1, y: 10, width: 40, height: 20 },
      source: 'hand',
      confidence: 0.5,
    });
    // A removed s2, so what B says of it is not disputed.
    expect(agreed.get('label:s2')).toMatchObject({ element: 'OK' });
    expect([...agreed.keys()].sort()).toEqual(['box:s1:target', 'goal', 'label:s2', 'subtask:s0']);
  });

  test('a step is confirmed where all confirm it, and flagged where one does', () => {
    const both = played(
      ...['s1', 's2'].map(
        (id): Gesture =>
          (r) =>
            confirm(r, id, true),
      ),
    );
    const one = played(
      (r) => confirm(r, 's1', true),
      (r) => flag(r, 's1', true),
      named('s2', 'OK'),
    );
    const agreed = toRecords(
      agreedRecords(steps, [
        { id: 'A', records: both },
        { id: 'B', records: one },
      ]),
    );
    expect(agreed.get('label:s1')).toMatchObject({ confirmed: true, flagged: true });
    expect(agreed.has('label:s2')).toBe(false);
  });

  test('boxes that overlap less than asked for are a difference', () => {
    const strict = { boxIou: 0.95 };
    expect(toRecords(agreedRecords(steps, documents, strict)).has('box:s1:target')).toBe(false);
    const { differences } = compareDocuments(steps, documents, strict);
    expect(differences.map(({ id }) => id)).toContain('box:s1:target');
  });

  test.each(['A', 'B'])(
    'taking side %s of everything leads to what that side says, and twice changes nothing',
    (side) => {
      const { differences } = compareDocuments(steps, documents);
      let records = toRecords(agreedRecords(steps, documents));
      for (const difference of differences) {
        records = applyChanges(records, takeSide(records, steps, difference, side));
        expect(takeSide(records, steps, difference, side)).toEqual([]);
      }
      const left = compareDocuments(steps, [{ id: 'adjudicated', records }, documents.find(({ id }) => id === side)!]);
      expect(left.differences).toEqual([]);
    },
  );

  test('only what the difference is about changes', () => {
    const { differences } = compareDocuments(steps, documents);
    const element = differences.find(({ id }) => id === 'element:s1')!;
    const current = played(
      (r) => setNarration(r, 's1', 'A third one'),
      (r) => confirm(r, 's1', true),
    );
    const after = applyChanges(current, takeSide(current, steps, element, 'B'));
    expect(after.get('label:s1')).toMatchObject({ element: 'Save as', narration: 'A third one', confirmed: true });
  });

  test('a subtask whose id is taken elsewhere gets another, and ids that stay are kept', () => {
    const { differences } = compareDocuments(steps, documents);
    const edge = differences.find(({ kind }) => kind === 'subtask')!;
    // The adjudicator's own subtask was begun at s5 and then moved to s8.
    const moved = toRecords([
      ...initialRecords(steps, [], ''),
      { kind: 'subtask', id: firstSubtaskId('s5'), first: 's8', title: 'Mine' },
      { kind: 'subtask', id: 'own', first: 's4', title: '' },
    ]);
    const after = applyChanges(moved, takeSide(moved, steps, edge, 'B'));
    expect(after.get(firstSubtaskId('s5'))).toMatchObject({ first: 's8', title: 'Mine' });
    expect(after.get(`${firstSubtaskId('s5')}:2`)).toMatchObject({ first: 's5', title: 'Crop' });
    expect(after.has('own')).toBe(false);
  });

  test('a title for a subtask that the adjudicator merged away changes nothing', () => {
    const [left, right] = [played(split('s4', 'Crop')), played(split('s4', 'Resize'))];
    const [title] = compare(left, right).differences;
    const merged = applyChanges(left, mergeSubtask(left, steps, firstSubtaskId('s4')));
    expect(takeSide(merged, steps, title!, 'B')).toEqual([]);
  });

  test('a side that is none, or a step that is gone, is refused with words', () => {
    const [difference] = compareDocuments(steps, documents).differences;
    expect(() => takeSide(a, steps, difference!, 'C')).toThrow(/no side "C". Take one of A, B/);
    expect(() => takeSide(a, steps.slice(0, 1), difference!, 'A')).toThrow(/no step "s1"/);
  });
});

test('fewer than two documents, or one twice, are refused', () => {
  expect(() => compare(begun())).toThrow(/Two or more different documents/);
  expect(() =>
    compareDocuments(steps, [
      { id: 'A', records: begun() },
      { id: 'A', records: begun() },
    ]),
  ).toThrow(/not \[A, A\]/);
});

describe('pooling (R14)', () => {
  const unitsOf = (people: [string, string], ...documents: Records[]) =>
    compareDocuments(
      steps,
      documents.map((records, at) => ({ id: `d${at}`, person: people[at]!, records })),
    ).units;

  test('figures come from the pooled units and are no mean of means', () => {
    const one = unitsOf(['ann', 'ben'], played(named('s0', 'Save')), played(named('s0', 'Save')));
    const three = unitsOf(
      ['ann', 'ben'],
      played(named('s0', 'a'), named('s1', 'a'), named('s2', 'a')),
      played(named('s0', 'b'), named('s1', 'b'), named('s2', 'b')),
    );
    expect(poolAgreement([one, three]).elementSimilarity).toMatchObject({ value: 0.25, n: 4 });
    expect(poolAgreement([])).toMatchObject({ overall: { value: null, n: 0 }, removedKappa: { value: null, n: 0 } });
  });

  test('a pair is the same pair in whichever order its documents stand', () => {
    const removing = (...actions: string[]) => played((r) => removeSteps(r, actions, 'mistake', ''));
    const first = unitsOf(['ann', 'ben'], removing('s0', 's1'), removing('s1'));
    const second = unitsOf(['ann', 'ben'], removing('s3'), removing());
    const turned = unitsOf(['ben', 'ann'], removing(), removing('s3'));
    const expected = poolAgreement([first, second]).removedKappa;
    expect(poolAgreement([first, turned]).removedKappa).toEqual(expected);
    // 18 of 20 alike; Ann removed 3, Ben 1.
    const chance = (3 * 1 + 17 * 19) / 400;
    expect(expected.value).toBeCloseTo((0.9 - chance) / (1 - chance), 10);
  });

  test('from ten recordings on whole recordings are resampled: what goes together in each widens the interval', () => {
    const alike = (like: boolean) => {
      const names = (name: string) => played(...steps.map(({ id }) => named(id, name)));
      return unitsOf(['ann', 'ben'], names('a'), names(like ? 'a' : 'b'));
    };
    const width = (count: number) => {
      const { value, low, high } = poolAgreement(
        Array.from({ length: count }, (_, at) => alike(at % 2 === 0)),
      ).elementSimilarity;
      expect(value).toBeCloseTo(count % 2 === 0 ? 0.5 : 5 / 9, 10);
      return high! - low!;
    };
    expect(width(10)).toBeGreaterThan(2 * width(9));
  });
});

test('a hidden check is scored by what the known answer or the answer says (R17)', () => {
  const known = played(named('s0', 'Save'), named('s1', 'OK'), (r) => removeSteps(r, ['s2'], 'mistake', ''));
  const answer = played(named('s0', 'Save'), named('s1', 'No'), (r) => removeSteps(r, ['s2'], 'mistake', ''));
  const right = checkScore(steps, { id: 'known', records: known }, { id: 'again', records: known });
  expect(right).toMatchObject({ score: 1, right: 3, of: 3 });
  const score = checkScore(steps, { id: 'answer', records: answer }, { id: 'known', records: known });
  // Removal 1, names (1 + 0) / 2.
  expect(score).toMatchObject({ score: 0.75, right: 2, of: 3 });
});
