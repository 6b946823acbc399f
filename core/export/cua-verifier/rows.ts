import type { VerifierAnnotation, VerifierResponse, VerifierTrajectory } from '../../../schemas/export-cua-verifier.ts';
import { median } from '../../lists.ts';
import { isCorrect, type JudgedStep } from '../../review/judged.ts';
import { outcomesSaid } from '../../review/outcome.ts';
import { stepFacts, taskFacts } from '../atif/trajectory.ts';
import { type ExportJudging, type ExportTask, itemName, type LeftOut } from '../model.ts';
import type { NamedPicture } from '../pictures.ts';
import type { ParquetColumn } from '../videogui/columns.ts';
import { actionLog, CUA_VERIFIER_BENCH } from './log.ts';

/**
 * Trajectories with the words of judges and of people on them, in the columns of CUAVerifierBench (arXiv 2604.06240): rows of its
 * config `trajectories`, and of `annotations` one for each person.
 */

/** The screens of a row come as named pictures, which the writer reads. */
type TrajectoryRow = Omit<VerifierTrajectory, 'screenshots'> & { screenshots: readonly NamedPicture[] };

const column =
  <T extends string>(type: ParquetColumn['type']) =>
  (name: T): ParquetColumn => ({ name, type });
const [text, whole, real] = [
  column<keyof VerifierTrajectory>('string'),
  column<keyof VerifierTrajectory>('int32'),
  column<keyof VerifierTrajectory>('float32'),
];

export const TRAJECTORY_COLUMNS: readonly ParquetColumn[] = [
  ...(['task_id', 'instruction', 'init_url', 'start_timestamp', 'end_timestamp', 'final_answer'] as const).map(text),
  { name: 'is_aborted', type: 'bool' },
  text('web_surfer_log'),
  { name: 'screenshots', type: 'image-list' },
  whole('n_screenshots'),
  text('gpt_eval_json'),
  real('uv_rubric_score'),
  ...(['uv_outcome_success', 'mm_is_success', 'verifier_is_success'] as const).map(whole),
  ...(['final_human_outcome_label', 'final_human_process_label'] as const).map(whole),
  real('median_human_rubric_score_agnostic'),
  whole('majority_human_outcome_vote'),
  // Ours from here on.
  text('trajectory_studio'),
];

const said = column<keyof VerifierAnnotation>('string');
export const ANNOTATION_COLUMNS: readonly ParquetColumn[] = [
  ...(['task_id', 'annotator', 'human_judgement_outcome', 'human_judgement_process'] as const).map(said),
  column<keyof VerifierAnnotation>('float32')('human_process_score'),
  ...(['outcome_comment', 'process_comment'] as const).map(said),
  ...(['informed_outcome_agreement', 'informed_process_agreement'] as const).map(said),
  ...(['informed_outcome_comment', 'informed_process_comment'] as const).map(said),
];

/** The judging whose verdict stands: the newest that this workspace made. */
export const standingJudging = ({ said: words }: ExportTask): ExportJudging | null =>
  words?.judgings.find(({ own }) => own) ?? null;

/** One person's words on a task, without who they are. */
export type Annotation = Omit<VerifierAnnotation, 'annotator'> & { person: string };

export type VerifierRows = {
  /** Null: nothing of it can be judged, and `leftOut` says why. */
  trajectory: TrajectoryRow | null;
  annotations: readonly Annotation[];
  leftOut: LeftOut[];
};

/** A task's rows. `comments`: whether what people wrote goes out. */
export function verifierRows(task: ExportTask, { comments }: { comments: boolean }): VerifierRows {
  const { lines, pictures, leftOut } = actionLog(task);
  if (pictures.length === 0) return { trajectory: null, annotations: [], leftOut };
  if (task.said === undefined) {
    const reason = 'a frozen version keeps what is settled, not what single people and judges said';
    leftOut.push({ item: task.id, from: `${CUA_VERIFIER_BENCH}/words`, reason });
  }
  const { told, written } = annotationsOf(task, comments);
  if (!comments && written > 0) {
    const reason = `comments of people (${written} of them): they were not wanted`;
    leftOut.push({ item: task.id, from: `${CUA_VERIFIER_BENCH}/comments`, reason });
  }
  const judging = standingJudging(task);
  const scores = told.flatMap((one) => one.human_process_score ?? []);
  const [recording] = task.recordings;
  const begun = Date.parse(recording?.startedAt ?? '1970-01-01T00:00:00Z');
  const trajectory: TrajectoryRow = {
    task_id: task.id,
    instruction: task.goal,
    init_url: '',
    start_timestamp: new Date(begun).toISOString(),
    end_timestamp: new Date(begun + Math.round(task.durationUs / 1000)).toISOString(),
    final_answer: (task.run ? task.run.answer : task.answer)?.trim() || NO_ANSWER,
    is_aborted: task.run !== undefined && !endedItself(task.run.how),
    web_surfer_log: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    screenshots: pictures,
    n_screenshots: pictures.length,
    gpt_eval_json: judging ? evalText(judging) : '',
    uv_rubric_score: judging && metShare(judging),
    uv_outcome_success: judging && numberOf(outcomeOf(judging)),
    mm_is_success: null,
    verifier_is_success: null,
    final_human_outcome_label: numberOf(concludedOutcome(task)),
    final_human_process_label: numberOf(rightOf(judgedIn(task).map(isCorrect))),
    median_human_rubric_score_agnostic: scores.length === 0 ? null : median(scores),
    majority_human_outcome_vote: numberOf(majority(told.map((one) => one.human_judgement_outcome))),
    trajectory_studio: JSON.stringify(factsOf(task, judging)),
  };
  return { trajectory, annotations: told, leftOut };
}

/** The original's word for an agent that gave no answer. */
const NO_ANSWER = '<no_answer>';

/** By the agent's own word, right or wrong. */
const endedItself = (how: string): boolean => how === 'done' || how === 'gave-up';

const numberOf = (value: boolean | null): 0 | 1 | null => (value === null ? null : value ? 1 : 0);
const outcomeOf = ({ verdict }: ExportJudging): boolean | null =>
  verdict === 'unsure' ? null : verdict === 'succeeded';

/** The share of the criteria that are met, over all judges whose opinion could be read; null where there is none. */
function metShare({ judges }: ExportJudging): number | null {
  const criteria = judges.flatMap(({ opinion }) => opinion?.criteria ?? []);
  return criteria.length === 0 ? null : criteria.filter(({ met }) => met === true).length / criteria.length;
}

const panelFacts = ({ panel, at, own, verdict }: ExportJudging): Record<string, unknown> => ({
  models: panel.models,
  prompts: panel.prompts,
  protocol: panel.protocol,
  endpoint: panel.origin,
  rules: panel.rules,
  at,
  own,
  verdict,
});

/** In the shape that readers of the original take the verdict out of. */
function evalText(judging: ExportJudging): string {
  const response: VerifierResponse = {
    rubric_outcome_verification: { output_success: outcomeOf(judging) },
    rubric_score: metShare(judging),
    panel: panelFacts(judging),
    judges: judging.judges.map(({ judge, opinion }) => ({ ...judge, opinion })),
  };
  return JSON.stringify({ score: numberOf(outcomeOf(judging)), gpt_response_text: JSON.stringify(response) });
}

const judgedIn = ({ subtasks }: ExportTask): JudgedStep[] =>
  subtasks.flatMap(({ actions }) => actions.flatMap(({ judged }) => judged ?? []));

/** Steps together are wrong where one is, right where all are; null where nobody judged one, or one is neither. */
function rightOf(steps: readonly (boolean | null)[]): boolean | null {
  if (steps.includes(false)) return false;
  return steps.length > 0 && steps.every((right) => right === true) ? true : null;
}

/** Null where nobody said anything of it, or reviews contradict each other. */
function concludedOutcome(task: ExportTask): boolean | null {
  const rejected = task.said?.rejected ?? false;
  const outcomes = outcomesSaid({ approved: task.state === 'approved', rejected, steps: judgedIn(task) });
  const [first = null] = outcomes;
  return outcomes.every((one) => one === first) ? first : null;
}

const WORDS = { true: 'Correct', false: 'Incorrect', null: '' } as const;
const wordOf = (value: boolean | null): 'Correct' | 'Incorrect' | '' => WORDS[`${value}`];

/** A row for each person who said something of it or of its steps; `written`: comments that they wrote. */
function annotationsOf(task: ExportTask, comments: boolean): { told: Annotation[]; written: number } {
  const names = new Map(
    task.subtasks.flatMap(({ id, actions }) => actions.map((one) => [one.id, itemName(task.id, id, one.rank)])),
  );
  let written = 0;
  const told = (task.said?.people ?? []).flatMap(({ person, good, comment, steps }): Annotation[] => {
    const shown = steps.filter(({ action }) => names.has(action));
    const remarks = shown.filter((step) => step.comment.trim() !== '');
    const texts = [comment, ...remarks.map((step) => step.comment)].filter((one) => one.trim() !== '');
    const rights = shown.flatMap(({ right }) => right ?? []);
    const judged = shown.filter((step) => step.judged);
    written += texts.length;
    if (good === null && judged.length === 0 && (texts.length === 0 || !comments)) return [];
    return [
      {
        task_id: task.id,
        person,
        human_judgement_outcome: wordOf(good),
        human_judgement_process: wordOf(rightOf(judged.map(({ right }) => right))),
        human_process_score: rights.length === 0 ? null : rights.filter(Boolean).length / rights.length,
        outcome_comment: comments ? comment.trim() : '',
        process_comment: comments
          ? remarks.map((step) => `${names.get(step.action)}: ${step.comment.trim()}`).join('\n')
          : '',
        informed_outcome_agreement: '',
        informed_process_agreement: '',
        informed_outcome_comment: '',
        informed_process_comment: '',
      },
    ];
  });
  return { told, written };
}

/** Null of nothing, and where as many say the one as the other. */
function majority(words: readonly string[]): boolean | null {
  const [yes, no] = ['Correct', 'Incorrect'].map((word) => words.filter((one) => one === word).length);
  return yes === no ? null : yes! > no!;
}

/** The facts that have no column of their own. */
function factsOf(task: ExportTask, standing: ExportJudging | null): Record<string, unknown> {
  const others = (task.said?.judgings ?? []).filter((one) => one !== standing);
  return {
    ...taskFacts(task),
    what: task.run ? 'run' : 'demonstration',
    checks: task.run ? { success: task.run.success, score: task.run.score } : null,
    panel: standing && panelFacts(standing),
    ...(others.length > 0 && { other_panels: others.map(panelFacts) }),
    steps: task.subtasks
      .toSorted((a, b) => a.id - b.id)
      .flatMap((subtask) =>
        subtask.actions
          .toSorted((a, b) => a.rank - b.rank)
          .map((one) => ({ item: itemName(task.id, subtask.id, one.rank), ...stepFacts(subtask, one) })),
      ),
  };
}
