import { resolve } from 'node:path';
import { clarificationAdjusted, passed, type ScenarioCase } from '../../../core/evaluate/scenario.ts';
import { scenarioRow, type TaskGroup, taskGroups, trajectoryRow } from '../../../core/evaluate/task-rows.ts';
import { attemptsOf, scoreAttempt, type TrajectoryCase } from '../../../core/evaluate/trajectories.ts';
import { plural } from '../../../core/words.ts';
import {
  EVALUATION_SCHEMA,
  EVALUATION_VERSION,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationRow,
  SCORING_RULES,
  type ScoredCase,
} from '../../../schemas/evaluate.ts';
import {
  type Prediction,
  scenarioOutcomeSchema,
  scenarioTruthSchema,
  trajectoryAttemptsSchema,
  trajectoryOutcomeSchema,
  trajectoryTruthSchema,
} from '../../../schemas/questions.ts';
import { breathe } from '../../store/breathe.ts';
import { caseFile } from './case-file.ts';
import { checkPredictions, type InputProblem, openTruth, predictionsOf, problemOf, refuseProblems } from './inputs.ts';
import { MOST_REPORTS, refuseOverwriting } from './run.ts';

type EvaluateTasksRequest = {
  level: 'trajectories' | 'scenario';
  truth: readonly string[];
  predictions: readonly string[];
  options: EvaluateOptions;
  cases: string | null;
  signal?: AbortSignal | undefined;
  /** 0 to 1. */
  onProgress?: (share: number) => void;
};

/** Scores runs of whole tasks: each prediction is an object with the run's outcome. Throws BAD_FILE with every wrong line, CANCELLED. */
export async function evaluateTasks(request: EvaluateTasksRequest): Promise<Evaluation> {
  const { level, options } = request;
  refuseOverwriting(request);
  const read =
    level === 'trajectories'
      ? readCases(request, trajectoryTruthSchema, readOutcome)
      : readCases(request, scenarioTruthSchema, (value) => scenarioOutcomeSchema.safeParse(value));
  // `level` chose both schemas, so the cases are of its kind.
  const rows: EvaluationRow[] =
    level === 'trajectories'
      ? await rowsOf(read.cases as TrajectoryCase[], trajectoryRow, request)
      : await rowsOf(read.cases as ScenarioCase[], scenarioRow, request);
  const scored =
    level === 'trajectories'
      ? (read.cases as TrajectoryCase[]).map((one) => scoredTrajectory(one, options))
      : (read.cases as ScenarioCase[]).map((one) => scoredScenario(one, options));
  if (request.cases !== null) {
    const file = caseFile(resolve(request.cases));
    for (const one of scored) file.add(one);
    file.commit();
  }
  const missing = scored.filter(({ notes }) => notes.includes('missing')).length;
  return {
    schema: EVALUATION_SCHEMA,
    version: EVALUATION_VERSION,
    rules: SCORING_RULES,
    level,
    coordinates: null,
    model: read.model,
    dataset: null,
    aid: null,
    prompts: { questions: null, critic: null },
    critic: null,
    options,
    rows,
    counts: {
      cases: scored.length,
      answered: scored.length - missing,
      missing,
      unreadable: 0,
      refused: 0,
      otherLevel: 0,
    },
    reports: scored
      .flatMap(({ id, notes, why }) =>
        notes.map((note) => ({ id, line: read.lines.get(id) ?? null, note, message: why })),
      )
      .slice(0, MOST_REPORTS),
    caseFile: request.cases === null ? null : resolve(request.cases),
  };
}

/** A row after the other, so that a server answers its other requests between. */
async function rowsOf<T extends TrajectoryCase | ScenarioCase>(
  cases: readonly T[],
  rowOf: (group: TaskGroup<T>, options: EvaluateOptions) => EvaluationRow,
  { options, signal, onProgress }: EvaluateTasksRequest,
): Promise<EvaluationRow[]> {
  const rows: EvaluationRow[] = [];
  const groups = taskGroups<T>(cases);
  for (const group of groups) {
    signal?.throwIfAborted();
    rows.push(rowOf(group, options));
    onProgress?.(rows.length / groups.length);
    await breathe();
  }
  return rows;
}

type Checked<O> = { success: true; data: O } | { success: false; error: Parameters<typeof problemOf>[0] };

function readCases<T extends { id: string }, O>(
  { truth: files, predictions, level }: EvaluateTasksRequest,
  schema: Parameters<typeof openTruth<T>>[1],
  check: (value: Prediction['prediction']) => Checked<O>,
): { cases: { truth: T; outcome: O | null }[]; model: string | null; lines: Map<string, number> } {
  const truth = openTruth(files, schema, () => 0);
  try {
    const { model } = checkPredictions(predictions, truth);
    const outcomes = new Map<string, O>();
    const lines = new Map<string, number>();
    const problems: InputProblem[] = [];
    for (const { id, prediction, line, file } of predictionsOf(predictions)) {
      if (prediction === null) continue;
      const checked = check(prediction);
      if (checked.success) outcomes.set(id, checked.data);
      else
        problems.push({
          file,
          line,
          message: `no outcome of ${level}: ${problemOf(checked.error)}`,
        });
      lines.set(id, line);
    }
    refuseProblems(problems);
    const cases = Array.from({ length: truth.table.size }, (_, place) => {
      const known = truth.read(place);
      return { truth: known, outcome: outcomes.get(known.id) ?? null };
    });
    return { cases, model, lines };
  } finally {
    truth.close();
  }
}

/** A run, or several attempts, which one with that name says. */
const readOutcome = (value: unknown): Checked<NonNullable<TrajectoryCase['outcome']>> =>
  typeof value === 'object' && value !== null && 'attempts' in value
    ? trajectoryAttemptsSchema.safeParse(value)
    : trajectoryOutcomeSchema.safeParse(value);

/** The first attempt's scores; the words and Pass@k speak of all. */
function scoredTrajectory(one: TrajectoryCase, options: EvaluateOptions): ScoredCase {
  const { truth, outcome } = one;
  const attempts = attemptsOf(one).map((attempt) => scoreAttempt(attempt, options));
  const { success, completion, prefix, overLimit, overdone, difficulty, atomic } = attempts[0]!; // One at least.
  const done = `${atomic.filter(Boolean).length} of ${plural(atomic.length, 'atomic task')} succeeded`;
  const but = [
    ...(overLimit ? ['it took too many steps'] : []),
    ...(overdone ? ['it went on beyond the instruction'] : []),
  ].join(' and ');
  const passes = attempts.filter((attempt) => attempt.success === 1).length;
  const rest = attempts.length === 1 ? '' : ` ${passes} of ${attempts.length} attempts passed.`;
  const passK = attempts.slice(0, options.passAttempts).some((attempt) => attempt.success === 1) ? 1 : 0;
  return {
    ...common(truth, truth.task, outcome),
    kind: 'trajectory',
    actions: truth.nodes,
    scores: { success, completion, prefix, difficulty, ...(attempts.length > 1 && { passK }) },
    why: outcome === null ? 'There is no prediction.' : `${done}${but === '' ? '' : `, but ${but}`}.${rest}`,
    notes: outcome === null ? ['missing'] : overLimit ? ['over-limit'] : [],
  };
}

function scoredScenario({ truth, outcome }: ScenarioCase, options: EvaluateOptions): ScoredCase {
  const success = passed(outcome, options);
  const asked = outcome?.clarifications ?? 0;
  return {
    ...common(truth, truth.scenario, outcome),
    kind: 'scenario',
    actions: 0,
    scores: {
      success,
      score: outcome?.score ?? 0,
      cas: clarificationAdjusted(success, asked, options.clarificationCost),
    },
    why:
      outcome === null
        ? 'There is no prediction.'
        : `${success ? 'It passed' : 'It failed'} after ${plural(asked, 'question')}.`,
    notes: outcome === null ? ['missing'] : [],
  };
}

function common(
  truth: { id: string; software: string; difficulty: string | null },
  task: string,
  outcome: object | null,
): Pick<
  ScoredCase,
  'id' | 'query' | 'software' | 'task' | 'difficulty' | 'prompt' | 'images' | 'truth' | 'prediction' | 'reading'
> {
  const { id, software, difficulty } = truth;
  return {
    id,
    query: null,
    software,
    task,
    difficulty,
    prompt: null,
    images: [],
    truth,
    prediction: outcome,
    reading: outcome,
  };
}
