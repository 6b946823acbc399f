import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { type App, startApp } from '../support/apps.ts';
import { newWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import { type Layout, startDisplay, type VirtualDisplay } from '../support/display.ts';
import { openPainter } from '../support/paints.ts';
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
import { until } from '../support/until.ts';

/** A script with known steps in real applications gives back exactly these steps (issue: exact actions; A3 to A10). */

type Speed = 'human' | 'fast';
const SPEEDS: Speed[] = ['human', 'fast'];

let display: VirtualDisplay;
let workspace: ReturnType<typeof newWorkspace>;
beforeEach(async () => {
  workspace = newWorkspace();
  display = await startDisplay({ width: 1280, height: 800 });
});
afterEach(async () => {
  await display.stop();
  workspace.remove();
});

/** Records the steps and reduces the recording; `during` acts between the last step and the stop. */
async function record(speed: Speed, steps: Step[], during: () => Promise<void> = async () => {}) {
  const recorder = await startRecorder(display, { workspace: workspace.path });
  await perform(display, await handsFor(display, speed), steps);
  await during();
  const { line } = await recorder.stop();
  const { json } = await studioMust(['actions', line.recording, '--workspace', workspace.path, '--json']);
  const result = reduceResultSchema.parse(json);
  expect(result.recording).toBe(line.recording);
  return result;
}

/** The whole comparison at once, so that a difference is seen in its context. */
function expectExactly(result: Awaited<ReturnType<typeof record>>, steps: Step[]) {
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
  it('gives back clicks of every button, count and modifier, drags and scrolls to the pixel', async () => {
    // The painter's window takes every button and does nothing else with it.
    await openPainter(display, 40, 40, 900, 700);
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
    expectExactly(await record(speed, steps), steps);
  });

  it('gives back a long press with the time it was held', async () => {
    await openPainter(display, 40, 40, 900, 700);
    const result = await record(speed, [click(200, 200, { holdMs: 1200 }), click(500, 500)]);
    expect(result.actions.map((action) => action.kind)).toEqual(['click', 'click']);
    expect(result.actions[0]?.holdMs).toBeGreaterThanOrEqual(1200);
    expect(result.actions[1]?.holdMs).toBeNull();
  });

  it('gives back work in a text editor: clicks, text, keys, shortcuts', async () => {
    const file = path.join(display.home, 'note.txt');
    fs.writeFileSync(file, '');
    const app = await startApp(display, 'mousepad', { file, x: 60, y: 40, width: 1000, height: 600 });
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
    const result = await record(speed, steps, async () => {
      await until('the saved file', () => fs.readFileSync(file, 'utf8') !== '');
    });
    expectExactly(result, steps);
  });

  it('gives back work in an image editor: tools by key, strokes, undo', async () => {
    const app = await startApp(display, 'gimp', { x: 20, y: 20, width: 1200, height: 720 });
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
    expectExactly(await record(speed, steps), steps);
  });
});

/** What a person writes in that language; every letter has a key, or a dead key and a letter, on the layout. */
const TEXTS: { layout: Layout; text: string; loud: string }[] = [
  { layout: { layout: 'us' }, text: 'Hello, World! (a_b) #1 @home; "x" ~ `y`', loud: 'LOUD text 42' },
  { layout: { layout: 'us', variant: 'intl' }, text: 'déjà vu, señor ünï', loud: 'ÉCLAIR' },
  { layout: { layout: 'de' }, text: 'Grüße, ÄÖÜ ß {[]} \\ @ € | é à ô', loud: 'LAUTER Übermut' },
  { layout: { layout: 'fr' }, text: 'ça va être là, où ? 1 & 2 @ # € Ê ï', loud: 'BRUIT 12' },
  { layout: { layout: 'ru' }, text: 'Привет, Ёжик №5: щука', loud: 'ГРОМКО тихо' },
];

describe.each(TEXTS)('on the layout $layout.layout $layout.variant', ({ layout, text, loud }) => {
  beforeEach(() => display.setLayout(layout));

  it.each(SPEEDS)('gives back the text to the letter, with AltGr and dead keys, at %s speed', async (speed) => {
    const file = path.join(display.home, 'typed.txt');
    await startApp(display, 'xterm', { file, x: 40, y: 40, width: 1000, height: 600 });
    const steps = [click(400, 300), type(text), press('Enter')];
    const result = await record(speed, steps);
    expectExactly(result, steps);
  });

  it('gives back the text that CapsLock makes', async () => {
    await startApp(display, 'xterm', { x: 40, y: 40, width: 1000, height: 600 });
    const typed = [type(loud, { caps: true }), type(' 7')];
    const result = await record('human', [click(400, 300), capsLock(), typed[0]!, capsLock(), typed[1]!]);
    const texts = result.actions.map((action) => action.text).filter((found) => found !== null);
    expect(texts.join('')).toBe(`${loud} 7`);
    expect(result.warnings).toEqual([]);
  });

  it('gives back the text when CapsLock was on before the recording', async () => {
    await startApp(display, 'xterm', { x: 40, y: 40, width: 1000, height: 600 });
    await perform(display, await handsFor(display, 'fast'), [capsLock()]);
    const steps = [click(400, 300), type(loud, { caps: true })];
    expectExactly(await record('human', steps), steps);
  });
});

describe('in the middle of a recording', () => {
  it('takes the new layout from the moment it changes (I2)', async () => {
    await startApp(display, 'xterm', { x: 40, y: 40, width: 1000, height: 600 });
    const recorder = await startRecorder(display, { workspace: workspace.path });
    const first = [click(400, 300), type('zebra'), press('Enter')];
    // Nobody types sooner after switching the layout.
    const second = [wait(150), type('zebra Übung'), press('Enter')];
    await perform(display, await handsFor(display, 'human'), first);
    await display.setLayout({ layout: 'de' });
    await perform(display, await handsFor(display, 'human'), second);
    const { line } = await recorder.stop();
    const { json } = await studioMust(['actions', line.recording, '--workspace', workspace.path, '--json']);
    expectExactly(reduceResultSchema.parse(json), [...first, ...second]);
  });
});
