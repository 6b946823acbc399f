import type { InputStage } from '../../../../native/platform/stage.ts';
import { StudioError } from '../../../../schemas/errors.ts';
import type { KeyboardLayout } from '../../../../schemas/layout.ts';
import { type Expected, expectedOf, type ProveStep, strokesOf } from './steps.ts';

/**
 * Between the moves of a drag, between two looks for a text, and after an input, ms. Within a multiple click and a text there
 * is no pause: on a busy machine it could grow until the system, and the rules, take the parts for single ones.
 */
const [MOVE_MS, LOOK_MS, STEP_MS] = [12, 50, 140];
/** After a change of the layout: the recorder looks for it thirty times a second. */
const LAYOUT_MS = 400;
/** How long a text may take to reach the window. */
const TEXT_MS = 20_000;
const MODIFIER_CODES = { ctrl: 'ControlLeft', shift: 'ShiftLeft', alt: 'AltLeft', meta: 'MetaLeft' } as const;

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Performs the inputs on the stage, and gives what a recorder must give back for each. Throws CANCELLED, with every key let
 * go, as soon as another window has the keyboard: nothing may be typed into somebody's work.
 */
export async function performInput(
  stage: InputStage,
  steps: readonly ProveStep[],
  readLayout: () => KeyboardLayout,
  onStep: (done: number) => void,
): Promise<Expected[]> {
  const wanted: Expected[] = [];
  const held: string[] = [];
  let layout = -1;
  const guard = (): void => {
    if (stage.isInFront()) return;
    throw new StudioError(
      'CANCELLED',
      'Another window came to the front, so nothing more was typed. Touch nothing while it runs, and begin again.',
      {},
    );
  };
  const key = (code: string, down: boolean): void => {
    if (down) {
      guard();
      held.push(code);
    } else held.splice(held.indexOf(code), 1);
    stage.key(code, down);
  };
  const holding = (codes: readonly string[], work: () => void): void => {
    for (const code of codes) key(code, true);
    work();
    for (const code of codes.toReversed()) key(code, false);
  };
  const moveTo = async ({ x, y }: { x: number; y: number }): Promise<void> => {
    stage.move(x, y);
    await sleep(MOVE_MS);
  };
  const act: { [K in ProveStep['do']]: (step: Extract<ProveStep, { do: K }>) => Promise<string> } = {
    async click({ at, button, count, modifiers }) {
      await moveTo(at);
      holding(
        modifiers.map((name) => MODIFIER_CODES[name]),
        () => {
          for (let n = 0; n < count; n++) {
            guard();
            for (const down of [true, false]) stage.button(button, down);
          }
        },
      );
      return '';
    },
    async drag({ path, button }) {
      const [first, ...rest] = path;
      if (first) await moveTo(first);
      guard();
      stage.button(button, true);
      for (const point of rest) await moveTo(point);
      stage.button(button, false);
      return '';
    },
    async scroll({ at, dx, dy }) {
      await moveTo(at);
      guard();
      stage.wheel(dx, dy);
      return '';
    },
    async press({ code, modifiers }) {
      holding([...modifiers.map((name) => MODIFIER_CODES[name]), code], () => undefined);
      return '';
    },
    async type(step) {
      if (step.layout !== layout) {
        layout = step.layout;
        stage.takeLayout(layout);
        await sleep(LAYOUT_MS);
      }
      stage.received();
      const strokes = strokesOf(readLayout(), step.part);
      for (const { code, shift, altGr } of strokes) {
        const codes = [...(shift ? ['ShiftLeft'] : []), ...(altGr ? ['AltRight'] : []), code];
        holding(codes, () => undefined);
      }
      let text = stage.received();
      for (let waited = 0; [...text].length < strokes.length && waited < TEXT_MS; waited += LOOK_MS) {
        await sleep(LOOK_MS);
        text += stage.received();
      }
      return text;
    },
  };
  try {
    for (const [i, step] of steps.entries()) {
      guard();
      // The table has the function of each kind of step under its name.
      const text = await (act[step.do] as (one: ProveStep) => Promise<string>)(step);
      wanted.push(expectedOf(step, text));
      await sleep(STEP_MS);
      onStep(i + 1);
    }
  } finally {
    // No key stays down, whatever stopped it.
    for (const code of held.toReversed()) stage.key(code, false);
  }
  return wanted;
}
