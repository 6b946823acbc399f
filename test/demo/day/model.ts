import { knownOf } from '../../../core/compositions/knows.ts';
import type { Composition, Member } from '../../../schemas/composition.ts';
import type { CompositionRun } from '../../../schemas/composition-run.ts';
import type { InstructionLevel } from '../../../schemas/instruction-levels.ts';
import type { ModelAsked, ScriptedAct, ScriptedAnswer } from '../../../studio/models/model-server-for-tests.ts';
import type { Step } from '../../support/person.ts';
import { scriptedActs } from '../../support/scripted-acts.ts';
import type { ShownTask } from './parts.ts';

/**
 * A scripted model that knows how each task is done, and of the values only those that it was told: by its instruction, or, when it
 * asks, by the user. What it does not know it types as "unknown".
 */

export type Way = { member: Member; acts: readonly ScriptedAct[]; answer: string | null };

/** How each task of a run was done. */
export async function waysOf({ composition, results }: CompositionRun, workspace: string): Promise<Way[]> {
  const ways: Way[] = [];
  for (const { member: id, recording, answer } of results) {
    const member = composition.members.find((one) => one.id === id);
    if (member && recording !== null)
      ways.push({ member, acts: (await scriptedActs(recording, workspace)).flat(), answer });
  }
  return ways;
}

/** The same of tasks that nobody has shown: all of these are done by keys. */
export const waysOfTasks = ({ members }: Composition, tasks: readonly ShownTask[]): Way[] =>
  members.flatMap((member) => {
    const shown = tasks.find((one) => one.member.id === member.id);
    return shown ? [{ member, acts: shown.steps.flatMap(actsOf), answer: shown.answer ?? null }] : [];
  });

function actsOf(step: Step): ScriptedAct[] {
  switch (step.do) {
    case 'type':
      return [{ do: 'type', text: step.text }];
    case 'chord':
      return [{ do: 'keys', keys: step.keys }];
    case 'press':
      return Array.from({ length: step.count }, () => ({ do: 'keys', keys: [step.key] }));
    default:
      throw new Error(`a step by keys is needed, not ${step.do}`);
  }
}

export function knowingModel(
  composition: Composition,
  ways: readonly Way[],
  level: InstructionLevel,
  asks: boolean,
): (asked: ModelAsked) => ScriptedAnswer {
  let [at, done] = ['', 0];
  return ({ texts }) => {
    const said = texts.join('\n');
    const way = ways.find(({ member }) => toldOf(member, level).test(said));
    if (!way) return { kind: 'answer', text: 'DONE: I do not know this task' };
    if (way.member.id !== at) [at, done] = [way.member.id, 0];
    const typed = way.acts.flatMap((act) => (act.do === 'type' ? [act.text] : [])).join('\n');
    const lacks = knownOf(composition, way.member, level).filter(
      ({ value, isTold }) => !isTold && typed.includes(value) && !heard(said).includes(value),
    );
    const [first] = lacks;
    if (asks && first) return { kind: 'answer', text: `ASK: what is the ${first.words[0]}?` };
    const act = way.acts[done++];
    if (!act) return { kind: 'answer', text: way.answer === null ? 'DONE' : `DONE: ${way.answer}` };
    return {
      kind: 'answer',
      text: 'The next step.',
      acts: [
        without(
          act,
          lacks.map(({ value }) => value),
        ),
      ],
    };
  };
}

/** Its instruction, whatever its slots were filled with. */
function toldOf({ instructions }: Member, level: InstructionLevel): RegExp {
  const text = instructions[level] ?? instructions.base;
  const parts = text.split(/\{\{[^}]*\}\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.{1,200}'));
}

/** All that the user answered. */
const heard = (said: string): string =>
  [...said.matchAll(/^The user said: (.*)$/gm)].map(([, answer]) => answer).join('\n');

const without = (act: ScriptedAct, values: readonly string[]): ScriptedAct =>
  act.do === 'type'
    ? { ...act, text: values.reduce((text, value) => text.replaceAll(value, 'unknown'), act.text) }
    : act;
