import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CheckReport, checksSchema } from '../../schemas/checks.ts';
import { decisiveSteps, type Evidence, MOST_LEFT_OUT, nextTrial, verdictOf } from './verify.ts';

const checks = checksSchema.parse({
  schema: 'trajectory-studio/checks',
  version: 1,
  checks: [
    { id: 'saved', kind: 'text', path: 'a.txt', contains: ['x'] },
    { id: 'shown', kind: 'window', title: 'a' },
  ],
});
const untouched = (saved: number, weak: string | null = null): CheckReport => ({
  checks: [
    { id: 'saved', score: saved, why: '', screen: false, able: true },
    { id: 'shown', score: 1, why: '', screen: true, able: true },
  ],
  score: saved,
  passed: saved === 1,
  weak,
});
const play = { played: 'p1', agreed: 3, of: 3, passed: true, why: null };
const without = (passed: boolean) => ({ step: 's3', number: 3, played: 'p2', passed });
const GOOD: Evidence = {
  checks,
  untouched: untouched(0),
  plays: [play, play],
  without: [without(true), without(false)],
};

test('PL13 what changes something last is left out first, at most three steps', () => {
  const kinds = (...all: ('type' | 'press' | 'click' | 'wait' | 'hover' | 'drag')[]) => all.map((kind) => ({ kind }));
  expect(decisiveSteps(kinds('click', 'type', 'drag', 'press', 'click', 'wait'))).toEqual([3, 1, 2]);
  expect(decisiveSteps(kinds('hover', 'wait'))).toEqual([]);
  fc.assert(
    fc.property(fc.array(fc.constantFrom('type', 'press', 'click', 'wait', 'hover', 'drag')), (all) => {
      const steps = decisiveSteps(kinds(...all));
      expect(steps.length).toBeLessThanOrEqual(MOST_LEFT_OUT);
      expect(new Set(steps).size).toBe(steps.length);
      for (const step of steps) expect(['wait', 'hover']).not.toContain(all[step]);
    }),
  );
});

test('PL14 proven when every play is good and the checks can fail', () => {
  expect(verdictOf(GOOD)).toEqual({
    proven: true,
    problems: [],
    weak: [{ id: 'shown', why: 'passes before anything was done, and looks at the screen alone' }],
  });
});

test.each<[string, Partial<Evidence>, RegExp]>([
  [
    'a play that stopped',
    { plays: [play, { ...play, agreed: 1, why: 'the target was not found' }] },
    /1 of 2 plays.*target/,
  ],
  ['a play whose checks failed', { plays: [{ ...play, passed: false }] }, /0 of 1 play good.*checks failed/],
  ['no play', { plays: [] }, /not played/],
  ['checks that pass before', { untouched: untouched(1) }, /before anything was done/],
  ['checks of the screen alone', { untouched: untouched(0, 'Every check looks at the screen alone.') }, /screen alone/],
  ['checks that cannot fail', { without: [without(true)] }, /pass without step 3/],
  ['no step to leave out', { without: [] }, /no step/],
])('PL14 %s is a problem', (_name, change, why) => {
  const { proven, problems } = verdictOf({ ...GOOD, ...change });
  expect(proven).toBe(false);
  expect(problems.join(' ')).toMatch(why);
});

test('PL13, PL14: a proof plays so often, then leaves steps out until one is missed', () => {
  const kinds = fc.array(fc.constantFrom('type', 'press', 'click', 'wait', 'hover', 'drag'), { maxLength: 8 });
  const outcomes = fc.record({
    before: fc.boolean(),
    plays: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
    without: fc.array(fc.boolean(), { minLength: MOST_LEFT_OUT, maxLength: MOST_LEFT_OUT }),
  });
  fc.assert(
    fc.property(kinds, outcomes, (all, came) => {
      const actions = all.map((kind) => ({ kind }));
      const tried: string[] = [];
      const plays: Evidence['plays'][number][] = [];
      const left: Evidence['without'][number][] = [];
      const known = { untouched: untouched(came.before ? 1 : 0), plays, without: left };
      for (
        let trial = nextTrial(actions, came.plays.length, known);
        trial;
        trial = nextTrial(actions, came.plays.length, known)
      ) {
        tried.push(trial.do === 'leave-out' ? `without ${trial.index}` : trial.do);
        if (trial.do === 'play') plays.push({ ...play, passed: came.plays[trial.number - 1] ?? false });
        else left.push({ ...without(came.without[left.length] ?? true), number: trial.index + 1 });
      }
      const isWorthIt = !came.before && came.plays.includes(true);
      const missed = came.without.indexOf(false);
      const steps = decisiveSteps(actions).slice(0, missed < 0 ? MOST_LEFT_OUT : missed + 1);
      expect(tried).toEqual([
        ...came.plays.map(() => 'play'),
        ...(isWorthIt ? steps.map((index) => `without ${index}`) : []),
      ]);
      // Whatever was tried, it is enough for a verdict, and none of it is wanted again.
      const verdict = verdictOf({ checks, ...known });
      const canFail = steps.length > 0 && missed >= 0 && missed < steps.length;
      expect(verdict.proven).toBe(!came.before && !came.plays.includes(false) && canFail);
    }),
  );
});
