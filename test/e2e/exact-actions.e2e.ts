import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { type App, startApp } from '../support/apps.ts';
import { type NewWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import type { Layout, VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { heldMs, openPainter } from '../support/paints.ts';
import {
  capsLock,
  chord,
  click,
  comparable,
  drag,
  expected,
  handsFor,
  perform,
  press,
  type Step,
  scroll,
  type,
  wait,
} from '../support/person.ts';
import { must } from '../support/process.ts';
import { until } from '../support/until.ts';

/** A script with known steps in real applications gives back exactly these steps (issue: exact actions; A3 to A10). */

type Speed = 'human' | 'fast';
const SPEEDS: Speed[] = ['human', 'fast'];

type Result = z.infer<typeof reduceResultSchema>;

/** Records on a display and into a workspace of their own for each test, or for all tests of a block. */
function recordingPlace(before: typeof beforeEach | typeof beforeAll, after: typeof afterEach | typeof afterAll) {
  let display: VirtualDisplay | null = null;
  let workspace: NewWorkspace | null = null;
  const take = (made: { display: VirtualDisplay; workspace: NewWorkspace }): void => {
    ({ display, workspace } = made);
  };
  onDisplay({ width: 1280, height: 800 }, take, before, after);
  const there = <T>(one: T | null): T => {
    if (one === null) throw new Error('the display is there in tests and hooks only');
    return one;
  };
  return {
    get display() {
      return there(display);
    },
    /** Records the steps and reduces the recording; `during` acts between the last step and the stop. */
    async record(speed: Speed, steps: Step[], during: () => Promise<void> = async () => {}): Promise<Result> {
      const dir = there(workspace).path;
      const recorder = await startRecorder(there(display), { workspace: dir });
      await perform(there(display), await handsFor(there(display), speed), steps);
      await during();
      const { line } = await recorder.stop();
      const { json } = await studioMust(['actions', line.recording, '--workspace', dir, '--json']);
      const result = reduceResultSchema.parse(json);
      expect(result.recording).toBe(line.recording);
      return result;
    },
  };
}

/** The whole comparison at once, so that a difference is seen in its context. */
function expectExactly(result: Result, steps: Step[]) {
  const wanted = expected(steps);
  expect(result.actions.map((action, i) => comparable(action, wanted[i]))).toEqual(wanted);
  expect(result.actions.filter((action) => action.incomplete)).toEqual([]);
  expect(result.warnings).toEqual([]);
}

/** A point of an application's client area. */
async function inside(app: App): Promise<(x: number, y: number) => [number, number]> {
  const { x: left, y: top } = await app.bounds();
  return (x, y) => [left + x, top + y];
}

describe.each(SPEEDS)('at %s speed', (speed) => {
  const place = recordingPlace(beforeEach, afterEach);
  it('gives back clicks of every button, count and modifier, drags and scrolls to the pixel', async () => {
    // The painter's window takes every button and does nothing else with it.
    await openPainter(place.display, 40, 40, 900, 700);
    const steps = [
      click(101, 103, { count: 2 }),
      click(300, 201),
      click(500, 202, { count: 3 }),
      click(120, 400, { count: 4 }),
      click(333, 444, { button: 'right' }),
      click(444, 333, { button: 'middle' }),
      click(600, 500, { modifiers: ['ctrl'] }),
      click(700, 100, { modifiers: ['shift'] }),
      click(710, 300, { modifiers: ['ctrl', 'alt', 'shift'] }),
      drag([
        [200, 200],
        [260, 230],
        [401, 350],
      ]),
      drag(
        [
          [500, 600],
          [520, 560],
          [610, 405],
        ],
        { button: 'right' },
      ),
      drag(
        [
          [50, 700],
          [400, 690],
          [800, 651],
        ],
        { button: 'middle', modifiers: ['shift'] },
      ),
      scroll(640, 360, { dy: 3 }),
      scroll(640, 360, { dy: -2 }),
      scroll(200, 640, { dx: 2 }),
      scroll(700, 600, { dy: 1, modifiers: ['ctrl'] }),
      drag([
        [60, 60],
        [160, 160],
        [261, 162],
      ]),
    ];
    expectExactly(await place.record(speed, steps), steps);
  });

  it('gives back a long press with the time it was held', async () => {
    const painter = await openPainter(place.display, 40, 40, 900, 700);
    const result = await place.record(speed, [click(200, 200, { holdMs: 1200 }), click(500, 500)]);
    expect(result.actions.map((action) => action.kind)).toEqual(['click', 'click']);
    // The hand waits 1200 ms after it sent the press, which the server may take later: its own times are the truth.
    const held = heldMs(painter.paints()[0]!, painter.releases()[0]!);
    expect(result.actions[0]?.holdMs).toBeGreaterThanOrEqual(held.least);
    expect(result.actions[0]?.holdMs).toBeLessThanOrEqual(held.most);
    expect(result.actions[1]?.holdMs).toBeNull();
  });

  it('gives back work in a text editor: clicks, text, keys, shortcuts', async () => {
    const file = path.join(place.display.home, 'note.txt');
    fs.writeFileSync(file, '');
    const app = await startApp(place.display, 'mousepad', { file, x: 60, y: 40, width: 1000, height: 600 });
    const at = await inside(app);
    const steps = [
      click(...at(300, 200)),
      type('cost is $5 and $6 total'),
      press('Enter'),
      type('{"braces": [1, 2], \\ ~}'),
      press('Tab'),
      type('end'),
      press('Home'),
      chord('shift', 'End'),
      press('Escape'),
      press('ArrowUp', 2),
      chord('ctrl', 'a'),
      press('ArrowRight'),
      chord('shift', 'Tab'),
      click(...at(400, 300), { count: 2 }),
      scroll(...at(300, 250), { dy: 2 }),
      chord('ctrl', 's'),
    ];
    const result = await place.record(speed, steps, async () => {
      await until('the saved file', () => fs.readFileSync(file, 'utf8') !== '');
    });
    expectExactly(result, steps);
  });

  it('gives back work in an image editor: tools by key, strokes, undo', async () => {
    const app = await startApp(place.display, 'gimp', { x: 20, y: 20, width: 1200, height: 720 });
    const at = await inside(app);
    const steps = [
      click(...at(560, 400)),
      type('p'),
      drag([at(450, 300), at(520, 340), at(640, 420)]),
      chord('ctrl', 'z'),
      click(...at(600, 300), { button: 'right' }),
      press('Escape'),
      scroll(...at(560, 400), { dy: 2, modifiers: ['ctrl'] }),
      click(...at(700, 450)),
    ];
    expectExactly(await place.record(speed, steps), steps);
  });
});

/** A text as a person writes it in that language; every letter has a key, or a dead key and a letter, on the layout. */
const TEXTS: { layout: Layout; text: string; loud: string }[] = [
  { layout: { layout: 'us' }, text: 'Hello, World! (a_b) #1 @home; "x" ~ `y`', loud: 'LOUD text 42' },
  { layout: { layout: 'us', variant: 'intl' }, text: 'déjà vu, señor ünï', loud: 'ÉCLAIR' },
  { layout: { layout: 'de' }, text: 'Grüße, ÄÖÜ ß {[]} \\ @ € | é à ô', loud: 'LAUTER Übermut' },
  { layout: { layout: 'fr' }, text: 'ça va être là, où ? 1 & 2 @ # € Ê ï', loud: 'BRUIT 12' },
  { layout: { layout: 'ru' }, text: 'Привет, Ёжик №5: щука', loud: 'ГРОМКО тихо' },
];

/**
 * One recording a layout, in parts that begin with a click each: CapsLock on before the recording, CapsLock in the middle of
 * it, and the text at both speeds.
 */
describe.each(TEXTS)('on the layout $layout.layout $layout.variant', ({ layout, text, loud }) => {
  const place = recordingPlace(beforeAll, afterAll);
  const typed = [type(loud, { caps: true }), type(' 7')] as const;
  const lockedBefore = [click(400, 300), typed[0]];
  const written = (x: number): Step[] => [click(x, 320), type(text), press('Enter')];
  const parts: Result[] = [];
  beforeAll(async () => {
    const { display } = place;
    await display.setLayout(layout);
    const file = path.join(display.home, 'typed.txt');
    await startApp(display, 'xterm', { file, x: 40, y: 40, width: 1000, height: 600 });
    const [human, fast] = [await handsFor(display, 'human'), await handsFor(display, 'fast')];
    await perform(display, fast, [capsLock()]);
    const whole = await place.record('human', lockedBefore, async () => {
      await perform(display, human, [click(440, 300), capsLock(), capsLock(), typed[0], capsLock(), typed[1]]);
      await perform(display, human, written(480));
      await perform(display, fast, written(520));
    });
    for (const action of whole.actions) {
      if (action.kind === 'click') parts.push({ ...whole, actions: [] });
      parts.at(-1)?.actions.push(action);
    }
  });

  it.each([...SPEEDS.entries()])(
    'gives back the text to the letter, with AltGr and dead keys (%i, at %s speed)',
    (i) => {
      expect(parts).toHaveLength(4);
      expectExactly(parts[2 + i]!, written(480 + 40 * i));
    },
  );

  it('gives back the text that CapsLock makes', () => {
    const texts = parts[1]!.actions.map((action) => action.text).filter((found) => found !== null);
    expect(texts.join('')).toBe(`${loud} 7`);
    expect(parts[1]!.warnings).toEqual([]);
  });

  it('gives back the text when CapsLock was on before the recording', () => {
    expectExactly(parts[0]!, lockedBefore);
  });
});

describe('in the middle of a recording', () => {
  const place = recordingPlace(beforeEach, afterEach);

  it('takes the new layout from the moment it changes (I2)', async () => {
    const { display } = place;
    await startApp(display, 'xterm', { x: 40, y: 40, width: 1000, height: 600 });
    const first = [click(400, 300), type('zebra'), press('Enter')];
    // Nobody types sooner after switching the layout.
    const second = [wait(150), type('zebra Übung'), press('Enter')];
    const result = await place.record('human', first, async () => {
      await display.setLayout({ layout: 'de' });
      await perform(display, await handsFor(display, 'human'), second);
    });
    expectExactly(result, [...first, ...second]);
  });
});

describe('a pointer that rests', () => {
  const place = recordingPlace(beforeEach, afterEach);

  it('is where it was parked before the recording, and where it was moved to during a pause (A13)', async () => {
    const { display } = place;
    const park = (x: number, y: number) => must('xdotool', ['mousemove', `${x}`, `${y}`], { env: display.env });
    await startApp(display, 'xterm', { x: 40, y: 40, width: 600, height: 400 });
    await park(333, 222);
    const pause = chord('ctrl', 'shift', 'F10');
    const result = await place.record('human', [press('Enter'), type('ls')], async () => {
      const hands = await handsFor(display, 'human');
      await perform(display, hands, [pause]);
      await park(700, 500);
      await perform(display, hands, [pause, wait(400), press('Tab')]);
    });
    expect(result.actions.map(({ kind, start, end }) => [kind, start.x, start.y, end.x, end.y])).toEqual([
      ['press', 333, 222, 333, 222],
      ['type', 333, 222, 333, 222],
      ['press', 700, 500, 700, 500],
    ]);
    expect(result.actions[0]?.start.display).toBe(1);
    expect(result.warnings).toEqual([]);
  });
});
