import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import { plainAction } from '../actions/state.ts';
import { type StepToDo, stepsDone } from './steps-done.ts';

const point = (x: number | null, y: number | null): Action['start'] => ({ x, y, display: 1, t: 0 });

function action(kind: Action['kind'], more: Partial<Action> = {}): Action {
  return {
    id: 'a',
    kind,
    button: kind === 'click' || kind === 'drag' ? 'left' : null,
    modifiers: [],
    start: point(100, 100),
    end: point(100, 100),
    ...plainAction(),
    window: null,
    incomplete: false,
    ...more,
  };
}
const step = (one: Action, box: StepToDo['box'] = null): StepToDo => ({ action: one, box });
const same = (did: Action, wanted: StepToDo): boolean => stepsDone([did], [wanted]) === 1;
const click = (x: number, y: number, more: Partial<Action> = {}): Action =>
  action('click', { start: point(x, y), ...more });
const type = (text: string): Action => action('type', { text });

test('a step is the demonstration’s by its kind and place, text or keys', () => {
  const box = { x: 90, y: 90, width: 100, height: 20 };
  expect(same(click(180, 100), step(click(100, 100), box))).toBe(true);
  expect(same(click(190, 100), step(click(100, 100), box))).toBe(false);
  expect(same(click(110, 110), step(click(100, 100)))).toBe(true);
  expect(same(click(140, 100), step(click(100, 100)))).toBe(false);
  expect(same(click(100, 100, { button: 'right' }), step(click(100, 100)))).toBe(false);
  expect(same(click(100, 100, { count: 2 }), step(click(100, 100)))).toBe(false);
  expect(same(click(100, 100, { modifiers: ['ctrl'] }), step(click(100, 100)))).toBe(false);
  expect(same(type('draft '), step(type('draft')))).toBe(true);
  expect(same(type('draught'), step(type('draft')))).toBe(false);
  expect(same(type('anything'), step(action('type', { withheld: true })))).toBe(true);
  expect(same(action('press', { keys: ['ctrl', 's'] }), step(action('press', { keys: ['ctrl', 's'] })))).toBe(true);
  expect(same(action('press', { keys: ['ctrl', 'q'] }), step(action('press', { keys: ['ctrl', 's'] })))).toBe(false);
  const scroll = (dy: number): Action => action('scroll', { scroll: { dx: 0, dy, unit: 'notch', natural: false } });
  expect(same(scroll(-5), step(scroll(-1)))).toBe(true);
  expect(same(scroll(5), step(scroll(-1)))).toBe(false);
  const drag = (x: number): Action => action('drag', { end: point(x, 100) });
  expect(same(drag(310), step(drag(300)))).toBe(true);
  expect(same(drag(400), step(drag(300)))).toBe(false);
  expect(same(action('wait'), step(action('wait')))).toBe(true);
  expect(same(action('hover', { start: point(null, null) }), step(action('hover')))).toBe(false);
});

test('its steps count in their order alone, whatever was done between them', () => {
  const wanted = ['a', 'b', 'c'].map((text) => step(type(text)));
  const done = (...texts: string[]): number | null => stepsDone(texts.map(type), wanted);
  expect(done('a', 'x', 'b', 'c')).toBe(3);
  expect(done('c', 'b', 'a')).toBe(1);
  expect(done('b', 'c')).toBe(2);
  expect(done()).toBe(0);
});

test('the whole demonstration is all of it, a part of it the part; more steps never make it less', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(texts, texts, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (some, more, keep) => {
      const wanted = some.map((text) => step(type(text)));
      const did = some.map(type);
      expect(stepsDone(did, wanted)).toBe(some.length);
      const part = did.filter((_, n) => keep[n]);
      expect(stepsDone(part, wanted)).toBe(part.length);
      const count = stepsDone(more.map(type), wanted) ?? 0;
      expect(stepsDone([...more.map(type), type('a')], wanted)).toBeGreaterThanOrEqual(count);
      expect(count).toBeLessThanOrEqual(Math.min(more.length, some.length));
    }),
  );
});

test('what would take too long to compare is not known', () => {
  const many = Array.from({ length: 3001 }, () => type('a'));
  expect(stepsDone(many, [step(type('a'))])).toBeNull();
  expect(
    stepsDone(
      [type('a')],
      many.map((one) => step(one)),
    ),
  ).toBeNull();
});
