import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeSchema } from '../../schemas/annotation.ts';
import { type Agreement, agreementSchema, differenceSchema } from '../../schemas/api/review-models.ts';
import { checkPartition, checkRecord } from '../annotate/check.ts';
import { applyChanges, type Records, toRecords } from '../annotate/document.ts';
import { begun, gesture } from '../annotate/gestures-for-tests.ts';
import { stepsFrom } from '../annotate/steps-for-tests.ts';
import { subtaskSpans } from '../annotate/subtasks.ts';
import { type AgreementUnits, agreedRecords, compareDocuments, poolAgreement, takeSide } from './compare.ts';

const steps = stepsFrom(9, (at) =>
  at % 3 === 2 ? { kind: 'drag' } : at % 4 === 1 ? { kind: 'type', text: 'ab' } : {},
);

/** Documents that share a beginning, so that they agree on some things. */
const documents = fc
  .record({
    marks: fc.array(
      fc.integer({ min: 0, max: 9 }).map((s) => s * 1e6 + 500_000),
      { maxLength: 3 },
    ),
    common: fc.array(gesture, { maxLength: 15 }),
    own: fc.array(fc.array(gesture, { maxLength: 12 }), { minLength: 2, maxLength: 4 }),
  })
  .map(({ marks, common, own }) => {
    const play = (records: Records, gestures: typeof common) =>
      gestures.reduce((now, make) => applyChanges(now, make(now, steps)), records);
    const base = play(begun(steps, marks), common);
    return own.map((gestures, at) => ({ id: `d${at}`, records: play(base, gestures) }));
  });

const FAST = { resamples: 20 };

/** To the tenth place: sums in another order differ in the last one, and may come to nothing from below. */
const tenth = (value: number): number => Number(value.toFixed(10)) || 0;

/** Each figure without its interval. */
const rounded = (agreement: Agreement) =>
  Object.entries(agreement).map(([kind, { value, n }]) => [kind, value === null ? null : tenth(value), n]);

test('which document stands first does not matter, for the figures and for what differs (R2)', () => {
  fc.assert(
    fc.property(documents, (given) => {
      const [one, other] = [given, given.toReversed()].map((list) => compareDocuments(steps, list, FAST));
      expect(rounded(other!.agreement)).toEqual(rounded(one!.agreement));
      expect(other!.agreed).toBe(one!.agreed);
      expect(other!.differences.map(({ id, agreement }) => [id, tenth(agreement)])).toEqual(
        one!.differences.map(({ id, agreement }) => [id, tenth(agreement)]),
      );
      const [left, right] = [given, given.toReversed()].map((list) => toRecords(agreedRecords(steps, list)));
      expect(new Map([...right!].map(([id, record]) => [id, withoutChoice(record)]))).toEqual(
        new Map([...left!].map(([id, record]) => [id, withoutChoice(record)])),
      );
    }),
  );
});

/** A moved keyframe's time follows from its frame in a recording; here it is made up. */
const withoutChoice = (record: object) => ({ ...record, t: 0 });

test('a document compared with itself agrees fully, wherever something is said (R2)', () => {
  fc.assert(
    fc.property(documents, ([one]) => {
      const { differences, agreement } = compareDocuments(steps, [one!, { ...one!, id: 'same' }], FAST);
      expect(differences).toEqual([]);
      for (const [kind, { value, low, high }] of Object.entries(agreement)) {
        if (value === null) continue;
        expect(value).toBeCloseTo(kind === 'edgeDistance' ? 0 : 1, 10);
        if (low !== null) expect([low, high]).toEqual([value, value]);
      }
    }),
  );
});

test('figures and differences are what their schemas say, with nothing out of range', () => {
  fc.assert(
    fc.property(documents, (given) => {
      const { differences, agreement } = compareDocuments(steps, given, FAST);
      agreementSchema.parse(agreement);
      for (const difference of differences) differenceSchema.parse(JSON.parse(JSON.stringify(difference)));
      const ids = differences.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const places = differences.map(({ index }) => index ?? -1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      for (const [kind, { value, low, high }] of Object.entries(agreement)) {
        if (value === null) continue;
        const least = /Kappa|Alpha/.test(kind) ? -1 : 0;
        expect(value).toBeGreaterThanOrEqual(least);
        if (kind !== 'edgeDistance') expect(value).toBeLessThanOrEqual(1 + 1e-12);
        if (low !== null) expect(low).toBeLessThanOrEqual(high!);
      }
    }),
  );
});

test('what all agree on is a whole document, and stays one whichever sides are taken in whichever order (R16)', () => {
  fc.assert(
    fc.property(documents, fc.infiniteStream(fc.nat(1000)), (given, choices) => {
      const { differences } = compareDocuments(steps, given, FAST);
      let records = toRecords(agreedRecords(steps, given));
      const whole = () => {
        checkPartition(steps, records);
        for (const record of records.values()) checkRecord(steps, record);
      };
      whole();
      const pick = () => choices.next().value!;
      const order = differences
        .map((difference) => ({ difference, at: pick() }))
        .sort((a, b) => a.at - b.at)
        .map(({ difference }) => difference);
      for (const difference of order) {
        const side = given[pick() % given.length]!.id;
        const changes = takeSide(records, steps, difference, side);
        for (const change of changes) changeSchema.parse(change);
        records = applyChanges(records, changes);
        whole();
        expect(takeSide(records, steps, difference, side)).toEqual([]);
      }
    }),
  );
});

test('taking one side of every difference leads to what that document says (R16)', () => {
  fc.assert(
    fc.property(documents, fc.nat(3), (given, which) => {
      const side = given[which % given.length]!;
      // Between two: with more, the others may agree on what somebody says who removed the step.
      const pair = [side, given.find(({ id }) => id !== side.id)!];
      const { differences } = compareDocuments(steps, pair, FAST);
      let records = toRecords(agreedRecords(steps, pair));
      for (const difference of differences) {
        records = applyChanges(records, takeSide(records, steps, difference, side.id));
      }
      const left = compareDocuments(steps, [{ id: 'adjudicated', records }, side], FAST);
      expect(left.differences).toEqual([]);
    }),
  );
});

/** A document's content, whatever the ids of its subtasks. */
const saying = (records: Records) => [
  ...subtaskSpans(steps, records).map(({ from, record }) => [from, record.title]),
  ...[...records].filter(([, { kind }]) => kind !== 'subtask').sort(([a], [b]) => (a < b ? -1 : 1)),
];

test('a side may be taken instead of another that was taken before (R16)', () => {
  fc.assert(
    fc.property(documents, (given) => {
      const { differences } = compareDocuments(steps, given, FAST);
      const start = toRecords(agreedRecords(steps, given));
      for (const difference of differences) {
        const take = (records: Records, side: string) =>
          applyChanges(records, takeSide(records, steps, difference, side));
        for (const { id } of given) {
          for (const other of given) {
            expect(saying(take(take(start, other.id), id))).toEqual(saying(take(start, id)));
          }
        }
      }
    }),
  );
});

test('any document that is being worked on stays whole when a side is taken in it (R16)', () => {
  fc.assert(
    fc.property(documents, documents, (given, [current]) => {
      const { differences } = compareDocuments(steps, given, FAST);
      for (const difference of differences) {
        for (const { id } of given) {
          const after = applyChanges(current!.records, takeSide(current!.records, steps, difference, id));
          checkPartition(steps, after);
          for (const record of after.values()) checkRecord(steps, record);
        }
      }
    }),
  );
});

test('units go through JSON, and pooling one comparison gives its own figures (R14)', () => {
  fc.assert(
    fc.property(documents, (given) => {
      const { agreement, units } = compareDocuments(steps, given, FAST);
      const stored: AgreementUnits = JSON.parse(JSON.stringify(units));
      expect(poolAgreement([stored], FAST)).toEqual(agreement);
      // Twice the same units: the same means, of twice as many.
      const twice = poolAgreement([stored, stored], FAST);
      expect(twice.boxIou.n).toBe(2 * agreement.boxIou.n);
      for (const kind of ['boxIou', 'elementF1', 'removedKappa', 'dragKindKappa', 'overall'] as const) {
        if (agreement[kind].value === null) expect(twice[kind].value).toBeNull();
        else expect(twice[kind].value).toBeCloseTo(agreement[kind].value, 10);
      }
    }),
  );
});
