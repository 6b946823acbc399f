import type { ModelAsked, ScriptedAct, ScriptedAnswer } from '../models/model-server-for-tests.ts';

/** Models that know a demonstration, or a part of it, in the protocol that they are asked in. */

export type Knowing = {
  /** Of each step the acts. */
  steps: readonly (readonly ScriptedAct[])[];
  /** The demonstration's own words for each step. */
  narrations?: readonly string[];
  /** Lacks plans: it does a step that it is told, and plans nonsense. */
  plansNonsense?: boolean;
  /** Decides a wrong act at this step, from 0; whoever compares it with the demonstration says the right one. */
  errsAt?: number;
  /** Asked before each step, from 0: how long it waits first, s, since the screen that it was sent is not ready for it; 0: it acts. */
  waits?: (step: number) => number;
};

const WRONG: readonly ScriptedAct[] = [{ do: 'type', text: 'wrong' }];
const DONE: ScriptedAnswer = { kind: 'answer', text: 'DONE: all of it' };

/** One that tells the truth. It keeps count of what it was asked: one for each run. */
export function truthful({
  steps,
  narrations = [],
  plansNonsense = false,
  errsAt,
  waits = () => 0,
}: Knowing): (asked: ModelAsked) => ScriptedAnswer {
  let direct = 0;
  const stepName = (n: number): string => narrations[n] ?? `Step ${n + 1} of the script`;
  const list = (items: readonly string[]): ScriptedAnswer => ({
    kind: 'answer',
    text: items.map((item, n) => `${n + 1}. ${item}`).join('\n'),
  });
  const waiting = (step: number): ScriptedAnswer | null => {
    const seconds = step < steps.length ? waits(step) : 0;
    return seconds > 0 ? { kind: 'answer', text: 'The screen is not ready.', acts: [{ do: 'wait', seconds }] } : null;
  };
  const reflected = (n: number): ScriptedAnswer =>
    n === errsAt ? { kind: 'answer', text: 'It is another.', acts: steps[n] ?? [] } : { kind: 'answer', text: 'SAME' };
  return ({ texts }) => {
    const system = texts[0] ?? '';
    if (system.includes('into a few subtasks')) return list(['The whole script']);
    if (system.includes('Break it down into steps'))
      return list(plansNonsense ? ['Look at the sky'] : steps.map((_, n) => stepName(n)));
    if (system.includes('atomic tasks in their order')) return list(['The whole script']);
    if (system.includes('You word an atomic task')) return { kind: 'answer', text: 'Do the whole script' };
    if (system.includes('You look at the screen after each act'))
      return { kind: 'answer', text: direct < steps.length ? 'CONTINUE' : 'DONE: all of it' };
    if (system.includes('You check an act before it is done')) return reflected(direct - 1);
    if (system.includes('You follow a film')) return { kind: 'answer', text: String(direct + 1) };
    if (system.includes('the next subgoal'))
      return direct < steps.length ? { kind: 'answer', text: 'Do the rest of the script' } : DONE;
    if (system.includes('one step of a plan')) {
      const told = texts.join('\n').split('The step now: ').at(-1)?.split('\n')[0] ?? '';
      const at = steps.findIndex((_, n) => stepName(n) === told);
      const acts = steps[at];
      return acts ? (waiting(at) ?? { kind: 'answer', text: 'I do it.', acts }) : DONE;
    }
    const wait = waiting(direct);
    if (wait) return wait;
    const acts = errsAt === direct ? WRONG : steps[direct];
    direct++;
    return acts ? { kind: 'answer', text: `Step ${direct}.`, acts } : DONE;
  };
}
