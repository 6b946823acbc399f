import { resolve } from 'node:path';
import { addCase, type Board, boardRows } from '../../../core/evaluate/aggregate.ts';
import type { Act } from '../../../core/evaluate/keys/acts.ts';
import { keyActs } from '../../../core/evaluate/keys/score.ts';
import { type PerformedAnswer, performedCounts, withPerformed } from '../../../core/evaluate/performed.ts';
import { referencesOf } from '../../../core/evaluate/plan.ts';
import { addChance, type Chance, chanceMetrics } from '../../../core/evaluate/random-guess.ts';
import { answerPart } from '../../../core/evaluate/reading/answer-part.ts';
import { type Case, scoreCase, withCritic } from '../../../core/evaluate/score-case.ts';
import { StudioError } from '../../../schemas/errors.ts';
import {
  EVALUATION_SCHEMA,
  EVALUATION_VERSION,
  type EvaluateLevel,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationReport,
  SCORING_RULES,
  type ScoredCase,
} from '../../../schemas/evaluate.ts';
import {
  type PlanTruth,
  type Prediction,
  QUESTION_KINDS,
  type QuestionKind,
  questionSchema,
} from '../../../schemas/questions.ts';
import type { CoordinateScale } from '../../../schemas/scales.ts';
import { breathe } from '../../store/breathe.ts';
import { type CaseFile, caseFile } from './case-file.ts';
import { coordinatesOf } from './coordinates.ts';
import { type Critic, type CriticOptions, openCritic } from './critic.ts';
import { checkPredictions, openTruth, type PredictionFiles, predictionsOf, type TruthFiles } from './inputs.ts';
import { loadPrompts } from './prompt-files.ts';

export type EvaluateRequest = {
  level: Exclude<EvaluateLevel, 'trajectories' | 'scenario'>;
  /** Files that `questions` wrote, with the truth in them. */
  truth: readonly string[];
  predictions: readonly string[];
  options: EvaluateOptions;
  /** Asked about plans, or what it said before; null: only what can be said without a model. */
  critic: CriticOptions | Critic | null;
  /** A folder of prompts that replaces ours (the critic's). */
  prompts?: string | null;
  /** Performs answers of kind keys on a stage and reads back what was recorded; absent: they are read alone (M32). */
  perform?: KeysPerformer | undefined;
  /** Where each case is written, one a line; null: nowhere. */
  cases: string | null;
  signal?: AbortSignal | undefined;
  /** `cost` of the critic so far. */
  onProgress?: (done: number, total: number, cost: number) => void;
};

/** Performs each answer's acts by itself; a long list comes in batches of `batch`. Throws when no stage can be set up. */
export type KeysPerformer = {
  batch: number;
  perform(answers: readonly (readonly Act[])[]): Promise<PerformedAnswer[]>;
};

export const MOST_REPORTS = 1000;
const TELL_EVERY = 5000;

/**
 * Scores predictions against their truth. Files are read as streams: the memory holds some tens of bytes a case, and
 * bounded sums. All files are checked first, so that nothing is half-scored (or half-paid).
 * Throws BAD_FILE with every wrong line, FUTURE_VERSION, ENDPOINT_FAILED, CANCELLED.
 */
export async function evaluateRun(request: EvaluateRequest): Promise<Evaluation> {
  const { level, options } = request;
  refuseOverwriting(request);
  const wanted = new Set<QuestionKind>(level === 'all' ? QUESTION_KINDS : [level]);
  const { prompts, criticHash } = loadPrompts(request.prompts ?? null);
  const critic =
    request.critic &&
    ('judge' in request.critic ? request.critic : openCritic(prompts.critic, criticHash, request.critic));
  const truth = openTruth(request.truth, questionSchema, ({ kind, truth: known }) => {
    if (!known) return 'it holds no truth: give the file that `questions --truth` wrote';
    return known.kind === kind
      ? QUESTION_KINDS.indexOf(kind)
      : `its truth is of a ${known.kind}, the question of a ${kind}`;
  });
  const file = request.cases === null ? null : caseFile(resolve(request.cases));
  try {
    const predictions = checkPredictions(request.predictions, truth);
    refuseNothing(truth, wanted, request);
    const coordinates = await coordinatesOf(request, truth, wanted);
    const performed = request.perform ? await performAll(request, request.perform, truth, wanted) : null;
    const scale = coordinates?.scale ?? 'pixels';
    const sums = await scoreAll(request, truth, predictions, wanted, critic, file, scale, performed);
    file?.commit();
    return {
      schema: EVALUATION_SCHEMA,
      version: EVALUATION_VERSION,
      rules: SCORING_RULES,
      level,
      coordinates,
      model: predictions.model,
      dataset: truth.head?.dataset ?? predictions.dataset,
      prompts: { questions: predictions.prompts ?? truth.head?.prompts ?? null, critic: critic?.promptHash ?? null },
      aid: truth.aid,
      critic: critic?.counts() ?? null,
      options,
      rows: boardRows(sums.board, options, level === 'all'),
      random: chanceMetrics(sums.chance),
      counts: sums.counts,
      ...(performed && { performed: sums.performed.result() }),
      reports: sums.reports,
      caseFile: request.cases === null ? null : resolve(request.cases),
    };
  } catch (error) {
    file?.discard();
    throw error;
  } finally {
    truth.close();
  }
}

type Sums = {
  board: Board;
  chance: Chance;
  counts: Evaluation['counts'];
  reports: EvaluationReport[];
  performed: ReturnType<typeof performedCounts>;
};
type Scoring = { scored: Promise<ScoredCase> | ScoredCase; line: number | null };

async function scoreAll(
  request: EvaluateRequest,
  truth: TruthFiles<unknown>,
  { answered }: PredictionFiles,
  wanted: ReadonlySet<QuestionKind>,
  critic: Critic | null,
  file: CaseFile | null,
  scale: CoordinateScale,
  performed: ReadonlyMap<string, PerformedAnswer> | null,
): Promise<Sums> {
  const counts = { cases: 0, answered: 0, missing: 0, unreadable: 0, refused: 0, otherLevel: 0 };
  const sums: Sums = { board: new Map(), chance: new Map(), counts, reports: [], performed: performedCounts() };
  const { options, signal } = request;
  const isWanted = (place: number) => wanted.has(QUESTION_KINDS[truth.table.at(place).kind]!);
  let total = 0;
  for (let place = 0; place < truth.table.size; place++) if (isWanted(place)) total++;

  // In the order of the predictions, whatever the critic answers first: the same run gives the same file.
  const waiting: Scoring[] = [];
  const settle = async (most: number) => {
    while (waiting.length > most) {
      const { scored, line } = waiting.shift()!;
      take(sums, await scored, line, options);
      if (file) file.add(await scored);
      const { cases } = sums.counts;
      // The last one is told at the end.
      if (cases < total && (critic || cases % TELL_EVERY === 0)) tell(cases);
    }
  };
  const tell = (done: number) => request.onProgress?.(done, total, critic?.counts().cost ?? 0);
  const score = (place: number, prediction: Prediction['prediction'] | undefined, line: number | null) => {
    // Indexed by `openTruth`, which refused lines without a truth.
    const of = truth.read(place) as Case;
    addChance(sums.chance, of, options);
    const read = scoreCase(of, prediction, options, scale);
    const seen = performed?.get(of.id);
    const scored = seen && of.truth.kind === 'keys' ? withPerformed(read, of.truth.keys, seen, options) : read;
    const plan = of.truth.kind === 'mid' || of.truth.kind === 'high' ? of.truth : null;
    const judged = critic && plan && critic.judges(plan.kind) ? judge(critic, plan, scored, options) : scored;
    // Told where it is awaited; until then Node must not take it for forgotten.
    if (judged instanceof Promise) judged.catch(() => undefined);
    waiting.push({ scored: judged, line });
  };
  const room = request.critic && 'concurrency' in request.critic ? request.critic.concurrency - 1 : 0;
  for (const { id, prediction, line } of predictionsOf(request.predictions)) {
    signal?.throwIfAborted();
    const place = truth.table.find(id);
    if (!isWanted(place)) counts.otherLevel++;
    else {
      score(place, prediction, line);
      await settle(room);
    }
    await breathe();
  }
  for (let place = 0; place < truth.table.size; place++) {
    if (answered[place] || !isWanted(place)) continue;
    signal?.throwIfAborted();
    score(place, undefined, null);
    await settle(room);
    await breathe();
  }
  await settle(0);
  tell(total);
  return sums;
}

/** All answers of kind keys that press something, performed before anything is scored: the scores come in one go then. */
async function performAll(
  { options, predictions, signal }: EvaluateRequest,
  { batch, perform }: KeysPerformer,
  truth: TruthFiles<unknown>,
  wanted: ReadonlySet<QuestionKind>,
): Promise<Map<string, PerformedAnswer>> {
  const performed = new Map<string, PerformedAnswer>();
  let waiting: { id: string; acts: readonly Act[] }[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    signal?.throwIfAborted();
    const seen = await perform(waiting.map(({ acts }) => acts));
    for (const [n, { id }] of waiting.entries()) performed.set(id, seen[n] ?? { why: 'nothing was recorded of it' });
    waiting = [];
  };
  for (const { id, prediction } of predictionsOf(predictions)) {
    const place = truth.table.find(id);
    if (!wanted.has('keys') || QUESTION_KINDS[truth.table.at(place).kind] !== 'keys') continue;
    const acts = keyActs(prediction, options);
    if (!acts) continue;
    waiting.push({ id, acts });
    if (waiting.length >= batch) await flush();
  }
  await flush();
  return performed;
}

/** The critic compares with the reference that fits best; asking about each would cost as often. */
function fittingTruth(truth: PlanTruth, { reading }: ScoredCase): PlanTruth {
  const place: unknown = typeof reading === 'object' && reading !== null ? Reflect.get(reading, 'reference') : 0;
  return { kind: truth.kind, steps: referencesOf(truth)[typeof place === 'number' ? place : 0] ?? truth.steps };
}

/** A plan that is missing gets 0 without asking anybody. */
async function judge(
  critic: Critic,
  truth: PlanTruth,
  scored: ScoredCase,
  options: EvaluateOptions,
): Promise<ScoredCase> {
  const { prediction } = scored;
  const steps = Array.isArray(prediction) && prediction.every((step) => typeof step === 'string');
  const given = steps ? prediction.join('\n') : prediction;
  // Nobody is asked to judge what a model thought before its plan.
  const text = typeof given === 'string' && options.answerForms === 'any' ? answerPart(given).trim() : given;
  if (typeof text !== 'string' || text.trim() === '') return { ...scored, scores: { ...scored.scores, score: 0 } };
  return withCritic(
    scored,
    await critic.judge({
      id: scored.id,
      truth: fittingTruth(truth, scored),
      prediction: text,
      software: scored.software,
    }),
    options,
  );
}

function take(
  { board, counts, reports, performed }: Sums,
  scored: ScoredCase,
  line: number | null,
  options: EvaluateOptions,
): void {
  addCase(board, scored, options);
  performed.add(scored);
  counts.cases++;
  if (scored.notes.includes('missing')) counts.missing++;
  else counts.answered++;
  if (scored.notes.includes('unreadable')) counts.unreadable++;
  if (scored.notes.includes('refused')) counts.refused++;
  for (const note of scored.notes) {
    if (reports.length < MOST_REPORTS) reports.push({ id: scored.id, line, note, message: scored.why });
  }
}

function refuseNothing(
  truth: TruthFiles<unknown>,
  wanted: ReadonlySet<QuestionKind>,
  { level, truth: files }: EvaluateRequest,
) {
  for (let place = 0; place < truth.table.size; place++) {
    if (wanted.has(QUESTION_KINDS[truth.table.at(place).kind]!)) return;
  }
  throw new StudioError(
    'BAD_FILE',
    `${files.join(', ')}: there is no question of "${level}" in it. Give the file of that level.`,
    {
      level,
    },
  );
}

export function refuseOverwriting({
  cases,
  truth,
  predictions,
}: Pick<EvaluateRequest, 'cases' | 'truth' | 'predictions'>): void {
  if (cases === null) return;
  if ([...truth, ...predictions].some((path) => resolve(path) === resolve(cases))) {
    throw new StudioError('USAGE', `--cases ${cases} would overwrite an input. Choose another name.`, { cases });
  }
}
