import type { AgentLine } from '../../schemas/agents.ts';
import { whoseAt } from '../actions/whose.ts';
import { type ExportAction, type ExportSubtask, type ExportTask, itemName, type LeftOut } from './model.ts';

/** Steps of a model's run in an export: whose each is, and what the model said beside it. */

export type Whose = NonNullable<ExportAction['by']>;

/** Says of each step whose it is. An agent's step has the model's words as its thought where no person wrote one. */
export function stepsOfRun(subtasks: readonly ExportSubtask[], lines: readonly AgentLine[]): ExportSubtask[] {
  const whose = whoseAt(lines);
  const acted = lines.filter((line) => line.type === 'acted');
  const said = new Set<number>();
  // An answer's words stand at the first of its steps.
  const thoughtAt = (t: number): string | null => {
    const at = acted.findIndex((line) => line.t <= t && t <= line.end);
    if (at < 0 || said.has(at)) return null;
    said.add(at);
    return acted[at]?.thought.trim() || null;
  };
  return subtasks.map((subtask) => ({
    ...subtask,
    actions: subtask.actions.map((one): ExportAction => {
      const by = whose(one.action.start.t);
      const thought = by === 'agent' ? thoughtAt(one.action.start.t) : null;
      return { ...one, by, thought: one.thought ?? thought };
    }),
  }));
}

const OTHER: Readonly<Record<Whose, string>> = {
  agent: "a person's step, and only the agent's are wanted",
  person: "the agent's step, and only a person's are wanted",
};

/** Without the other's steps, which are told. Ranks stay; a subtask without any is left out. */
export function onlyStepsOf(
  task: string,
  subtasks: readonly ExportSubtask[],
  whose: Whose,
): { subtasks: ExportSubtask[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const kept = subtasks.flatMap((subtask): ExportSubtask[] => {
    const actions = subtask.actions.filter((one) => {
      const isWanted = (one.by ?? 'person') === whose;
      if (!isWanted) leftOut.push({ item: itemName(task, subtask.id, one.rank), from: '*', reason: OTHER[whose] });
      return isWanted;
    });
    if (actions.length === 0) return [];
    const [startImage, endImage] = [actions[0]?.beforeImage ?? null, actions.at(-1)?.afterImage ?? null];
    return [{ ...subtask, actions, startImage, endImage }];
  });
  return { subtasks: kept, leftOut };
}

type RunInManifest = Omit<NonNullable<ExportTask['run']>, 'rewards' | 'answer'> & {
  task: string;
  recording: string;
  agentSteps: number;
  personSteps: string[];
};

/** A run as the manifest of every format says it; null for a demonstration. */
export function runInManifest({ id, run, recordings, subtasks }: ExportTask): RunInManifest | null {
  if (!run) return null;
  const steps = subtasks.flatMap((subtask) =>
    subtask.actions.map(({ rank, by }) => ({ by, item: itemName(id, subtask.id, rank) })),
  );
  const personSteps = steps.filter(({ by }) => by === 'person').map(({ item }) => item);
  const recording = recordings[0]?.id ?? '';
  const { rewards: _r, answer: _a, ...said } = run;
  return { task: id, recording, ...said, agentSteps: steps.length - personSteps.length, personSteps };
}
