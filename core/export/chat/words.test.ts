import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keysOfActs, placesOfActs, readActs } from '../../evaluate/reading/tool-acts.ts';
import type { ExportAction } from '../model.ts';
import { taskWith } from '../tasks-for-tests.ts';
import { chatLines } from './messages.ts';
import { ANSWER_WAYS, answerWords, overWords } from './words.ts';

const WAYS = ANSWER_WAYS.filter((way) => way !== 'code');
type Way = (typeof WAYS)[number];

/** Actions as the tests of formats make them, on a picture of 1000 x 500. */
const exportedOf = (spec: Parameters<typeof taskWith>[0][number][number]): ExportAction =>
  taskWith([[spec]]).subtasks[0]!.actions[0]!;

/** Px of the picture that a place says. */
function inPixels(way: Way, [x, y]: readonly number[], { beforeImage }: ExportAction): number[] {
  const [w, h] = way === 'qwen' ? [beforeImage!.width / 1000, beforeImage!.height / 1000] : [1, 1];
  return [x! * w, y! * h];
}

/** An act as its own reader (M34) sees it; throws where there is none. */
function readBack(exported: ExportAction, way: Way) {
  const made = answerWords(exported, way);
  if ('reason' in made) return null;
  // The calls are OpenAI's actions, by the name that `tools` gives.
  const words =
    way === 'tools'
      ? JSON.stringify({ type: 'computer_call', actions: JSON.parse(made.words).arguments.actions })
      : made.words;
  const read = readActs(words);
  if (!read) throw new Error(`${way} is not read: ${made.words}`);
  expect(read.others).toEqual([]);
  return read.acts;
}

describe.each(WAYS)('the words of %s', (way) => {
  test('a text that is typed is read back letter for letter', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), (text) => {
        // A line end of its own kind has no escape there.
        fc.pre(!way.startsWith('ui-tars') || !/[\r\u2028\u2029\0]/.test(text));
        const acts = readBack(exportedOf({ kind: 'type', text }), way);
        if (acts) expect(acts).toEqual([{ do: 'type', text }]);
        // Marks alone may keep it out, and only where the words have no escapes.
        else expect(way.startsWith('ui-tars') && /<|\|/.test(text)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('clicks, drags and scrolls say their place to the pixel, or to a thousandth', () => {
    const place = fc.tuple(fc.nat(999), fc.nat(499));
    fc.assert(
      fc.property(
        fc.constantFrom('click', 'drag', 'scroll'),
        place,
        place,
        fc.integer({ min: 1, max: 3 }),
        (kind, from, to, count) => {
          const plain = exportedOf({
            kind: kind as 'click',
            ...(kind === 'scroll' && { scroll: { dx: 0, dy: -2, unit: 'notch', natural: false } }),
          });
          const positions = { start: from, end: kind === 'drag' ? to : from };
          const beforeImage = { ...plain.beforeImage!, width: 1000, height: 500 };
          const exported = {
            ...plain,
            beforeImage,
            positions,
            action: { ...plain.action, count: kind === 'click' ? count : 1 },
          } as ExportAction;
          const acts = readBack(exported, way)!;
          const [found] = placesOfActs(acts);
          const wanted = kind === 'drag' ? [from, to] : [from];
          expect(found).toHaveLength(wanted.length);
          for (const [at, one] of wanted.entries()) {
            const [x, y] = inPixels(way, found![at]!, exported);
            expect(Math.abs(x! - one[0]!)).toBeLessThanOrEqual(way === 'qwen' ? 0.5 : 0);
            expect(Math.abs(y! - one[1]!)).toBeLessThanOrEqual(way === 'qwen' ? 0.25 : 0);
          }
          const clicks = acts.reduce((sum, act) => sum + (act.do === 'click' ? act.count : 0), 0);
          expect(clicks).toBe(kind === 'click' ? count : 0);
          const turned = acts.reduce((sum, act) => sum + (act.do === 'scroll' ? act.dy : 0), 0);
          if (kind === 'scroll') expect(Math.sign(turned)).toBe(-1);
        },
      ),
    );
  });

  test.each([
    [['ctrl', 's']],
    [['ctrl', 'shift', 'Tab']],
    [['Enter']],
    [['PageDown']],
    [['alt', 'F4']],
    [['ArrowLeft']],
    [['a']],
  ])('the keys %j', (keys) => {
    const acts = readBack(exportedOf({ kind: 'press', keys }), way)!;
    const canonical = keys.map((key) => key.toLowerCase().replace('arrow', ''));
    expect(keysOfActs(acts).map((key) => key.replace('return', 'enter'))).toEqual(canonical);
  });

  test('a task ends with its end, and marks of people break nothing', () => {
    const [line] = chatLines(
      taskWith([[{ narration: 'See <image> </think>', thought: '<tool_call>' }]]),
      'llamafactory',
      'task',
      way,
    ).lines;
    const { messages, images } = line!;
    expect(messages.at(-1)!.content).toContain(overWords(way));
    expect(messages.reduce((sum, { content }) => sum + content.split('<image>').length - 1, 0)).toBe(images.length);
    // JSON's escapes keep a person's words as they are.
    if (way === 'tools')
      expect(JSON.parse(messages[1]!.content).arguments).toMatchObject({
        thought: '<tool_call>',
        intent: 'See <image> </think>',
      });
    expect(messages[1]!.content).toContain(way === 'tools' ? '\\u003c/think>' : '&lt;/think&gt;');
    expect(messages[1]!.content.split('<tool_call>').length - 1).toBe(way === 'qwen' ? 1 : 0);
  });
});

test('what a way has no word for is left out with its reason', () => {
  const task = taskWith([[{ kind: 'drag', button: 'right' }, { modifiers: ['ctrl'] }, {}]]);
  const reasons = (way: Way) =>
    chatLines(task, 'llamafactory', 'task', way).trajectory.leftOut.map(({ reason }) => reason);
  for (const way of WAYS) expect(reasons(way).join()).toMatch(/a drag with the right button/);
  expect(reasons('qwen').join()).toMatch(/keys that are held \(ctrl\)/);
  expect(reasons('anthropic')).toHaveLength(1);
});
