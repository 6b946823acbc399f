import type { Action } from '../../../schemas/actions.ts';
import type { CoordinateScale } from '../../../schemas/scales.ts';
import { reduce } from '../../actions/reduce.ts';
import { inputOfActs } from '../../import/act-input.ts';
import { answerActs } from '../../import/program-acts.ts';
import { wantedOf } from '../reading.ts';
import { isSameStep, type StepToDo } from '../steps-done.ts';

/** How far an answer to a step is what the person did there. */

/** From 0 to 1, and why in words. */
export type StepReward = { reward: number; why: string };

type Given = {
  screen: { width: number; height: number };
  /** The unit of places where the form does not say it, the same as for runs. */
  coordinates: CoordinateScale | null;
};

/**
 * The share of what the answer does that are the person's next steps, in their order, from the first on: 1 where it does the step
 * and nothing that they did not do next; 0 where the first thing that it does is another, or nothing can be read of it. Answers are
 * read as those of runs are, and their acts become steps by the rules of recordings. `next`: the step that was asked about and those
 * after it, in px of the picture that was shown.
 */
export function stepReward(text: string, next: readonly StepToDo[], { screen, coordinates }: Given): StepReward {
  const reply = { text, calls: [], raw: text, usage: null };
  const wanted = wantedOf(reply, { screen, coordinates, held: [] });
  if (wanted.kind === 'end') return { reward: 0, why: 'it says that the task is over' };
  if (wanted.kind !== 'acts') return { reward: 0, why: wanted.why };
  const did = actionsOf(
    wanted.steps.flatMap(({ acts }) => acts),
    screen,
  );
  if ('why' in did) return { reward: 0, why: did.why };
  const { actions } = did;
  if (actions.length === 0) return { reward: 0, why: 'it does nothing' };
  const other = actions.findIndex((one, at) => {
    const step = next[at];
    return step === undefined || !isSameStep(one, step);
  });
  if (other < 0) return { reward: 1, why: 'what it does is what the person did' };
  if (other === 0) return { reward: 0, why: 'what it does first is not what the person did' };
  return {
    reward: other / actions.length,
    why: `of what it does the first ${other} of ${actions.length} are the person’s`,
  };
}

type Acts = Parameters<typeof answerActs>[0];

function actionsOf(acts: Acts, { width, height }: Given['screen']): { actions: readonly Action[] } | { why: string } {
  const made = answerActs(acts);
  if (made === null) return { why: 'it drags by another button than the left one' };
  // The acts' places are px of the picture already.
  const input = inputOfActs(made, ([x, y]) => (x === undefined || y === undefined ? null : { x, y }), 0);
  if (input === null) return { actions: [] };
  if ('why' in input) return input;
  const display = { id: 1, name: '', x: 0, y: 0, width, height, scale: 1, primary: true };
  return reduce(input.events, { recording: 'candidate', displays: [display] });
}
