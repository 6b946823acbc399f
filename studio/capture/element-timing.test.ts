import { describe, expect, it } from 'vitest';
import type { FoundElement } from '../../native/elements/contract.ts';
import { type Asked, PointerAnswers } from './element-timing.ts';

const SECOND = 1_000_000;
const element = (name: string): FoundElement => ({
  name,
  role: 'menu item',
  bounds: { x: 0, y: 0, width: 100, height: 20 },
  source: 'atspi',
  description: '',
  states: [],
  path: [],
  app: 'mousepad',
  toolkit: 'gtk',
});
const answered = (asked: number, more: Partial<Asked> = {}): Asked => ({
  asked,
  done: asked + 5_000,
  x: 10,
  y: 10,
  stirs: 0,
  window: 'menu',
  found: element('New'),
  ...more,
});
const resting = (now: number, stirs = 0, stirredAt = Number.NEGATIVE_INFINITY) => ({
  now,
  x: 10,
  y: 10,
  movedAt: 0,
  stirs,
  stirredAt,
});
const press = (t: number, stirs = 0) => ({ t, x: 10, y: 10, stirs });

/** What is kept when all that is due is asked until `end`; each question takes 5 ms. */
function lookUntil(end: number): PointerAnswers {
  const answers = new PointerAnswers();
  for (let now = 0; now < end; now += 8_000) if (answers.isDue(resting(now))) answers.add(answered(now));
  return answers;
}

describe('the answer from before a press', () => {
  it('is of what was pressed, however long the person looked at it', () => {
    for (const looked of [0.1, 0.8, 1.6, 3, 9].map((seconds) => seconds * SECOND))
      expect(lookUntil(looked).before(press(looked))?.isSure, `${looked} µs`).toBe(true);
  });

  it('is not renewed for ever while a pointer lies about', () => {
    const asked: number[] = [];
    const answers = new PointerAnswers();
    for (let now = 0; now < 60 * SECOND; now += 8_000)
      if (answers.isDue(resting(now))) {
        asked.push(now);
        answers.add(answered(now));
      }
    expect(asked.length).toBeLessThan(12);
    expect(answers.before(press(60 * SECOND))?.isSure).toBe(false);
  });

  it('counts although the press is heard of only after its release', () => {
    const answers = new PointerAnswers();
    answers.add(answered(0));
    // The release was noticed, and the place asked about again, before the press itself was heard of.
    expect(answers.isDue(resting(SECOND, 2, 0.6 * SECOND))).toBe(true);
    answers.add(answered(SECOND, { stirs: 2, found: element('behind the menu'), window: 'main' }));
    const before = answers.before(press(0.5 * SECOND));
    expect(before?.answer.found.name).toBe('New');
    expect(before?.isSure).toBe(true);
    expect(answers.windowBefore(press(0.5 * SECOND))).toBe('menu');
  });

  it('is not sure when something was pressed or typed since', () => {
    const answers = new PointerAnswers();
    answers.add(answered(0));
    expect(answers.before(press(SECOND, 1))?.isSure).toBe(false);
  });

  it('stays when the program is slow, and goes with its window', () => {
    const answers = new PointerAnswers();
    answers.add(answered(0));
    answers.add(answered(SECOND, { found: null }));
    expect(answers.before(press(1.5 * SECOND))?.answer.found.name).toBe('New');
    answers.add(answered(1.6 * SECOND, { found: null, window: 'main' }));
    expect(answers.before(press(1.9 * SECOND))).toBeNull();
  });

  it('is none of another place, of a later time, or after everything was forgotten', () => {
    const answers = new PointerAnswers();
    answers.add(answered(SECOND));
    expect(answers.before({ ...press(2 * SECOND), x: 300 })).toBeNull();
    expect(answers.before(press(0.5 * SECOND))).toBeNull();
    answers.clear();
    expect(answers.before(press(2 * SECOND))).toBeNull();
    expect(answers.windowBefore(press(2 * SECOND))).toBeNull();
  });
});

it('what is not answered is asked three times, and again after something was pressed', () => {
  const answers = new PointerAnswers();
  let asked = 0;
  for (let now = 0; now < 5 * SECOND; now += 8_000)
    if (answers.isDue(resting(now))) {
      asked++;
      answers.add(answered(now, { found: null }));
    }
  expect(asked).toBe(3);
  expect(answers.isDue(resting(5 * SECOND, 1, 4.9 * SECOND))).toBe(false);
  expect(answers.isDue(resting(5 * SECOND, 1, 4.5 * SECOND))).toBe(true);
});
