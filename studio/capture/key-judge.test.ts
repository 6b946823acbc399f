import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FocusKind } from '../../native/elements/focus.ts';
import { AT_ONCE, judgeKeys, type KeyJudge, MOST_WAIT, MOST_WAIT_LAST, SETTLES } from './key-judge.ts';

const MS = 1000;
/** A look of no length; nothing was told before it. */
const look = (t: number, kind: FocusKind, after = t) => ({ ...ANSWER, after, asked: t, done: t, kind });
/** An answer that came at once to a move that was told of. */
const ANSWER = { slowest: 0, reported: true, unknown: null };

const isSecret = (judge: KeyJudge, t: number): boolean => judge.secretAt(t) !== null;

describe('a key is judged', () => {
  test('by a question that was put a while after it, and answered at once', () => {
    const judge = judgeKeys();
    judge.key(1000 * MS);
    judge.told(look(1000 * MS + SETTLES - 1, 'open'));
    expect(judge.judgedTo(1200 * MS)).toBeLessThan(1000 * MS);
    const asked = 1000 * MS + SETTLES;
    judge.told({ ...look(asked, 'open'), done: asked + AT_ONCE + 1, slowest: AT_ONCE + 1 });
    expect(judge.judgedTo(1300 * MS)).toBeLessThan(1000 * MS);
    judge.told(look(asked, 'open'));
    expect(judge.judgedTo(1300 * MS)).toBe(1000 * MS);
    expect(isSecret(judge, 1000 * MS)).toBe(false);
  });

  test('as secret from the Tab on that moved the focus, however late the program tells; what came before it is not', () => {
    const judge = judgeKeys();
    judge.key(900 * MS);
    judge.moves(1000 * MS);
    judge.key(1020 * MS);
    judge.told({ ...ANSWER, after: 1090 * MS, asked: 1098 * MS, done: 1100 * MS, kind: 'password' });
    expect([900, 999, 1000, 1020, 5000].map((t) => isSecret(judge, t * MS))).toEqual([false, false, true, true, true]);
    judge.told({ ...ANSWER, after: 5990 * MS, asked: 5998 * MS, done: 6000 * MS, kind: 'open' });
    expect([5999, 6000].map((t) => isSecret(judge, t * MS))).toEqual([true, false]);
  });

  test('with the reason: how a secret is known says more than that a program did not answer', () => {
    const judge = judgeKeys();
    judge.told({ ...look(1000 * MS, 'password'), why: 'echo' });
    judge.told({ ...look(2000 * MS, 'password'), why: 'program' });
    judge.told({ ...look(3000 * MS, 'open'), unknown: { from: 2500 * MS, to: 3000 * MS } });
    judge.told({ ...look(4000 * MS, 'open'), unknown: { from: 3500 * MS, to: 4000 * MS } });
    const at = (ms: number) => judge.secretAt(ms * MS);
    expect([1500, 2500, 2900, 3200, 3600, 4100].map(at)).toEqual([
      ...['echo', 'program', 'program', null, 'unanswered', null],
    ]);
  });

  test('as secret for a while before a field that came by itself', () => {
    const judge = judgeKeys();
    judge.moves(1 * MS);
    judge.told({ ...ANSWER, after: 1090 * MS, asked: 1098 * MS, done: 1100 * MS, kind: 'password' });
    expect(isSecret(judge, 1090 * MS - SETTLES)).toBe(true);
    expect(isSecret(judge, 1090 * MS - SETTLES - 1)).toBe(false);
  });

  test('as secret when the program did not answer in time, and those after it by the next answer', () => {
    const judge = judgeKeys();
    judge.key(1000 * MS);
    judge.told(look(1200 * MS, 'unanswered'));
    expect(judge.judgedTo(1000 * MS + MOST_WAIT - 1)).toBeLessThan(1000 * MS);
    expect(judge.judgedTo(1000 * MS + MOST_WAIT)).toBe(1000 * MS);
    expect(isSecret(judge, 1000 * MS)).toBe(true);
    const later = 1100 * MS + MOST_WAIT;
    judge.key(later);
    judge.told(look(later + 200 * MS, 'open'));
    expect(judge.judgedTo(later + 200 * MS)).toBe(later + 50 * MS);
    expect(isSecret(judge, later)).toBe(false);
  });

  test('as secret from the last answer on where no program told when the field got the keyboard, whatever was pressed since', () => {
    const judge = judgeKeys();
    judge.key(1000 * MS);
    judge.moves(1500 * MS);
    judge.told({ ...look(1600 * MS, 'password', 900 * MS), reported: false });
    expect([900, 1000, 1500].map((t) => isSecret(judge, t * MS))).toEqual([true, true, true]);
  });

  test('as secret when what had the keyboard did not say so, and another that has it now does', () => {
    const judge = judgeKeys();
    judge.key(1000 * MS);
    judge.told(look(1200 * MS, 'unanswered'));
    judge.told({ ...look(1400 * MS, 'open'), unknown: { from: 1000 * MS, to: 1300 * MS } });
    expect(judge.judgedTo(1400 * MS)).toBeGreaterThanOrEqual(1000 * MS);
    expect([1000, 1299, 1300].map((t) => isSecret(judge, t * MS))).toEqual([true, true, false]);
  });

  test('as secret when it comes only after the end, and was typed before it', () => {
    const judge = judgeKeys();
    judge.told(look(1000 * MS, 'open'));
    judge.end(1500 * MS);
    judge.end(1600 * MS);
    expect([850, 851, 1499, 1500].map((t) => isSecret(judge, t * MS))).toEqual([false, true, true, false]);
  });

  test('as secret when nobody is left to ask; later ones are let out', () => {
    const judge = judgeKeys();
    judge.key(1000 * MS);
    judge.end(1100 * MS);
    expect(judge.judgedTo(1100 * MS)).toBe(Number.POSITIVE_INFINITY);
    expect([1000, 1100].map((t) => isSecret(judge, t * MS))).toEqual([true, false]);
  });

  test.each([0, 100, 5000, 9000])('sooner once the recording is to end, %i ms after it: not at once', (ms) => {
    const judge = judgeKeys();
    const stopped = ms * MS;
    const last = Math.min(stopped + MOST_WAIT_LAST, MOST_WAIT);
    judge.key(0);
    judge.hasten(stopped);
    expect(judge.judgedTo(last - MS)).toBeLessThan(0);
    expect(judge.judgedTo(last)).toBeGreaterThanOrEqual(0);
    expect(isSecret(judge, 0)).toBe(true);
  });

  test('and what is answered after the stop judges keys from long before it', () => {
    const judge = judgeKeys();
    judge.key(0);
    judge.hasten(6000 * MS);
    judge.judgedTo(6000 * MS);
    judge.told(look(7000 * MS, 'open'));
    expect(judge.judgedTo(7000 * MS)).toBeGreaterThan(0);
    expect(isSecret(judge, 0)).toBe(false);
  });
});

/**
 * A program with a queue: it takes each press `lag` after the one before at the earliest, moves its focus by Tab, and what it
 * tells is heard up to a turn later, which is longer before the first key. It answers a question when it is free, once it has taken what came `SETTLES` before.
 */
test.each([8, 40])(
  'no key that a program took in a password field is let out, however slow it is (turns of %i ms)',
  (ms) => {
    const step = fc.record({
      gap: fc.integer({ min: 5, max: 400 }),
      tab: fc.boolean(),
      lag: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const judge = judgeKeys();
        let [t, free, password] = [0, 0, false];
        const told: { at: number; kind: FocusKind }[] = [];
        const secret: number[] = [];
        for (const { gap, tab, lag } of steps) {
          t += gap * MS;
          free = Math.max(free, t) + lag * MS;
          // It lags behind by no more than it is given.
          free = Math.min(free, t + SETTLES - 20 * MS);
          if (tab) {
            password = !password;
            judge.moves(t);
            told.push({ at: free + 1, kind: password ? 'password' : 'open' });
          } else {
            judge.key(t);
            if (password) secret.push(t);
          }
        }
        for (const { at, kind } of told) {
          const turn = Math.ceil(at / (ms * MS)) * ms * MS;
          judge.told({ ...ANSWER, after: turn - ms * MS, asked: turn, done: turn + MS, kind });
        }
        judge.told(look(t + SETTLES, password ? 'password' : 'open'));
        expect(judge.judgedTo(t + SETTLES)).toBeGreaterThanOrEqual(t);
        expect(secret.filter((at) => !isSecret(judge, at))).toEqual([]);
      }),
    );
  },
);
