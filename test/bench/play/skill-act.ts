import type { Modifier } from '../../../schemas/actions.ts';
import { evaluateChecks } from '../../../studio/play/checks/evaluate.ts';
import { chord, drag, handsFor, perform, press, type Step, scroll, type, wait } from '../../support/person.ts';
import { inputsInSkill, readSkill, type SkillAct } from '../../support/skill-actor.ts';
import { stageDisplay } from '../../support/stage-display.ts';
import { type Demonstration, SCREEN } from './kinds.ts';
import { givenFiles } from './material.ts';
import { ask, onStage, withEyes } from './stage.ts';

/** Whether somebody who reads the skill's folder alone does the task. */
export type Acted = {
  reached: boolean;
  why: string | null;
  /** How its places were found: as the picture shows, where that has moved to, or by the numbers alone. */
  found: { seen: number; moved: number; numbers: number };
};

type Given = {
  /** With the values that the actor is given, and the checks for them. */
  demonstration: Demonstration;
  planted: readonly { typed: string; acted: string }[];
  material: string;
};

export async function actBySkill(folder: string, { demonstration, planted, material }: Given): Promise<Acted> {
  const found = { seen: 0, moved: 0, numbers: 0 };
  const values = new Map(
    [...inputsInSkill(folder)].map(([name, example]) => {
      const other = planted.find(({ typed }) => typed.trim() === example);
      return [name, (other?.acted ?? example ?? '').trim()];
    }),
  );
  let acts: SkillAct[];
  try {
    acts = readSkill(folder, values);
  } catch (error) {
    return { reached: false, why: error instanceof Error ? error.message : String(error), found };
  }
  return onStage(demonstration.recipe, material, async (stage) => {
    const { env, display: name, home } = stage;
    const display = stageDisplay(env, { name, home, ...SCREEN });
    await withEyes(env, async (eyes) => {
      const hands = await handsFor(display, 'human');
      for (const act of acts) {
        await ask(eyes, 'rest');
        let shift = { x: 0, y: 0 };
        const answer = act.before === null ? null : await ask(eyes, { find: act.before, at: act.at });
        if (isShift(answer)) shift = answer;
        if (act.at) {
          found[!isShift(answer) ? 'numbers' : shift.x === 0 && shift.y === 0 ? 'seen' : 'moved']++;
        }
        await perform(display, hands, stepsOf(act, shift));
      }
      await ask(eyes, 'rest');
    });
    const place = { home, still: null, titles: null, files: givenFiles(material), answer: null };
    const { passed, checks } = await evaluateChecks(demonstration.checks, place, env);
    const why = checks.flatMap((check) => (check.score < 1 ? [check.why] : [])).join('; ');
    return { reached: passed, why: passed ? null : why, found };
  });
}

const isShift = (answer: unknown): answer is { x: number; y: number } => typeof answer === 'object' && answer !== null;

/** A hand does not jump, px. */
const MOST_PX = 16;
function moved(way: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  return way.flatMap((to, n) => {
    const from = way[n - 1];
    if (!from) return [to];
    const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / MOST_PX));
    const part = (at: number): { x: number; y: number } => ({
      x: Math.round(from.x + ((to.x - from.x) * at) / count),
      y: Math.round(from.y + ((to.y - from.y) * at) / count),
    });
    return Array.from({ length: count }, (_, at) => part(at + 1));
  });
}

function stepsOf({ does, at }: SkillAct, by: { x: number; y: number }): Step[] {
  const { x, y } = { x: (at?.x ?? 0) + by.x, y: (at?.y ?? 0) + by.y };
  const modifiers = ('holding' in does ? does.holding : []) as Modifier[]; // Words of the skill; unknown ones press nothing.
  switch (does.do) {
    case 'click':
      return [{ do: 'click', x, y, button: does.button, count: does.count, holdMs: does.holdMs, modifiers }];
    case 'drag':
      return [
        drag(
          moved(does.way).map((one): [number, number] => [one.x + by.x, one.y + by.y]),
          { button: does.button, modifiers },
        ),
      ];
    case 'scroll':
      return [scroll(x, y, { dx: does.dx, dy: does.dy, modifiers })];
    case 'point':
      return [];
    case 'wait':
      return [wait(does.ms)];
    case 'press': {
      const [only, ...more] = does.keys;
      if (more.length > 0) return Array.from({ length: does.count }, () => chord(...does.keys));
      return only === undefined ? [] : [press(only, does.count)];
    }
    case 'type':
      return [type(does.text)];
  }
}
