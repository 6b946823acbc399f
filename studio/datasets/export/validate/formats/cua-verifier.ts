import path from 'node:path';
import { z } from 'zod';
import { plural } from '../../../../../core/words.ts';
import {
  type VerifierAnnotation,
  type VerifierTrajectory,
  verifierActionSchema,
  verifierAnnotationSchema,
  verifierEvalSchema,
  verifierResponseSchema,
  verifierTrajectorySchema,
} from '../../../../../schemas/export-cua-verifier.ts';
import { refuseCancelled } from '../../../../store/jobs/cancelled.ts';
import { TASK_ID_SHAPE } from '../expected.ts';
import { readParquet } from '../parquet.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, fitting, parsedJson } from '../reading.ts';
import { checkImageCell } from '../rows.ts';

const TEXT = 'BYTE_ARRAY UTF8';
/** Written down from the features of the maker's own builder; the last one is ours. */
const TRAJECTORIES: Readonly<Record<string, string>> = {
  task_id: TEXT,
  instruction: TEXT,
  init_url: TEXT,
  start_timestamp: TEXT,
  end_timestamp: TEXT,
  final_answer: TEXT,
  is_aborted: 'BOOLEAN',
  web_surfer_log: TEXT,
  screenshots: `[{bytes: BYTE_ARRAY, path: ${TEXT}}]`,
  n_screenshots: 'INT32',
  gpt_eval_json: TEXT,
  uv_rubric_score: 'FLOAT',
  uv_outcome_success: 'INT32',
  mm_is_success: 'INT32',
  verifier_is_success: 'INT32',
  final_human_outcome_label: 'INT32',
  final_human_process_label: 'INT32',
  median_human_rubric_score_agnostic: 'FLOAT',
  majority_human_outcome_vote: 'INT32',
  trajectory_studio: TEXT,
};
const ANNOTATIONS: Readonly<Record<string, string>> = {
  task_id: TEXT,
  annotator: TEXT,
  human_judgement_outcome: TEXT,
  human_judgement_process: TEXT,
  human_process_score: 'FLOAT',
  outcome_comment: TEXT,
  process_comment: TEXT,
  informed_outcome_agreement: TEXT,
  informed_process_agreement: TEXT,
  informed_outcome_comment: TEXT,
  informed_process_comment: TEXT,
};

/** Rows of both tables together: for each trajectory the figures that people's rows give. */
type Seen = { row: VerifierTrajectory; place: PlaceReport; votes: string[]; scores: number[]; people: Set<string> };

export async function checkCuaVerifierBench(check: CheckedFolder): Promise<Record<string, number>> {
  const split = check.split ?? 'train';
  const counts = {
    [`trajectories/${split}-*.parquet`]: 0,
    [`annotations/${split}-*.parquet`]: 0,
    images: 0,
    comments: 0,
  };
  const seen = new Map<string, Seen>();
  await eachRow(check, 'trajectories', TRAJECTORIES, verifierTrajectorySchema, async (row, raw, place) => {
    counts[`trajectories/${split}-*.parquet`]!++;
    if (seen.has(row.task_id)) place('ID_TWICE', `${row.task_id} stands here, or in a file before, already`);
    seen.set(row.task_id, {
      row: { ...row, web_surfer_log: '', trajectory_studio: '' },
      place,
      votes: [],
      scores: [],
      people: new Set(),
    });
    counts.images! += await checkTrajectory(check, row, raw, place);
  });
  await eachRow(check, 'annotations', ANNOTATIONS, verifierAnnotationSchema, async (row, _raw, place) => {
    counts[`annotations/${split}-*.parquet`]!++;
    counts.comments! += [row.outcome_comment, row.process_comment].filter((text) => text !== '').length;
    const of = seen.get(row.task_id);
    if (of) takeAnnotation(of, row, place);
    else place('REFERENCE_WRONG', `there is no trajectory ${row.task_id}`);
  });
  for (const of of seen.values()) checkTogether(of);
  return counts;
}

async function eachRow<T>(
  { dir, found, report, signal, split }: CheckedFolder,
  folder: string,
  columns: Readonly<Record<string, string>>,
  schema: z.ZodType<T>,
  onRow: (row: T, raw: Record<string, unknown>, place: PlaceReport) => Promise<void>,
): Promise<void> {
  const files = found.filter((name) => name.startsWith(`${folder}/`)).sort();
  if (files.length === 0) report('FILE_MISSING', folder, '', 'the format’s own file is not there');
  const digits = (number: number): string => String(number).padStart(5, '0');
  for (const [at, file] of files.entries()) {
    const wanted = `${folder}/${split ?? 'train'}-${digits(at)}-of-${digits(files.length)}.parquet`;
    if (file !== wanted) report('SHARD_NAME', file, '', `it should be ${wanted}: no number is left out`);
    await readParquet(path.join(dir, file), file, { columns, features: true }, report, async (raw, number) => {
      refuseCancelled(signal);
      const where = `row ${number}`;
      const row = fitting(raw, schema, file, where, report);
      if (row !== undefined) await onRow(row, raw, (code, message) => report(code, file, where, message));
    });
  }
}

const cellsSchema = z.array(
  z.object({ bytes: z.instanceof(Uint8Array).nullish(), path: z.string().nullish() }).nullable(),
);

/** Its pictures, its log beside them, and what it says of its judging. Gives back how many pictures it has. */
async function checkTrajectory(
  check: CheckedFolder,
  row: VerifierTrajectory,
  raw: Record<string, unknown>,
  place: PlaceReport,
): Promise<number> {
  if (!TASK_ID_SHAPE.test(row.task_id)) place('TASK_ID', `"${row.task_id}" is not of the form PPT_15`);
  check.inSplit(row.task_id, place);
  const cells = cellsSchema.parse(raw.screenshots); // The row's schema has looked at it.
  const sizes: Size[] = [];
  for (const [at, cell] of cells.entries()) sizes.push(await checkImageCell(cell, `screenshots[${at}]`, place));
  if (row.n_screenshots !== cells.length)
    place('FIGURE_WRONG', `n_screenshots is ${row.n_screenshots}, there are ${cells.length}`);
  if (
    Number.isNaN(Date.parse(row.start_timestamp)) ||
    !(Date.parse(row.end_timestamp) >= Date.parse(row.start_timestamp))
  )
    place('ROW_BAD', 'it ends before it begins, or a timestamp is no time');
  checkLog(row, sizes, place);
  checkEval(row, place);
  const facts = parsed(row.trajectory_studio, place);
  if (facts !== undefined && (typeof facts !== 'object' || facts === null))
    place('JSON_BAD', 'trajectory_studio is no object');
  return cells.length;
}

type Size = { width: number; height: number } | null;

const parsed = (text: string, place: PlaceReport): unknown =>
  parsedJson(text, '', '', (_code, _file, _where, message) => place('JSON_BAD', message));

function checkLog({ web_surfer_log: text }: VerifierTrajectory, sizes: readonly Size[], place: PlaceReport): void {
  const lines = text.split('\n').filter((line) => line !== '');
  let at = 0;
  for (const line of lines) {
    const value = parsed(line, place);
    const read = value === undefined ? undefined : verifierActionSchema.safeParse(value);
    if (read && !read.success) place('ROW_BAD', `line ${at + 1} of web_surfer_log: ${read.error.issues[0]?.message}`);
    const size = sizes[at];
    const said = read?.data?.arguments;
    if (read?.data && read.data.action !== said?.action)
      place('REFERENCE_WRONG', `line ${at + 1} of web_surfer_log: ${read.data.action} does ${said?.action}`);
    for (const point of [said?.start_coordinate, said?.coordinate]) {
      if (point && size && (point[0] < 0 || point[1] < 0 || point[0] >= size.width || point[1] >= size.height))
        place(
          'POSITION_OUTSIDE',
          `line ${at + 1}: (${point.join(', ')}) lies outside of ${size.width} x ${size.height}`,
        );
    }
    at++;
  }
  // The last screen is that of the end, on which nothing but the end is said; where it is not known, that has no screen.
  if (lines.length === 0 || Math.abs(lines.length - sizes.length) > 1)
    place('MARKS_WRONG', `${plural(lines.length, 'action')} and ${plural(sizes.length, 'screenshot')}`);
}

function checkEval(
  { gpt_eval_json, uv_outcome_success, uv_rubric_score }: VerifierTrajectory,
  place: PlaceReport,
): void {
  if (gpt_eval_json === '') {
    if (uv_outcome_success !== null || uv_rubric_score !== null)
      place('REFERENCE_WRONG', 'it has a verdict and no judging');
    return;
  }
  const whole = verifierEvalSchema.safeParse(parsed(gpt_eval_json, place));
  const response = verifierResponseSchema.safeParse(whole.success ? parsed(whole.data.gpt_response_text, place) : null);
  if (!whole.success || !response.success) {
    place('ROW_BAD', 'gpt_eval_json has not the form that its readers take the verdict out of');
    return;
  }
  const { rubric_outcome_verification: outcome, rubric_score } = response.data;
  const success = outcome.output_success === null ? null : Number(outcome.output_success);
  if (success !== uv_outcome_success || whole.data.score !== uv_outcome_success)
    place('REFERENCE_WRONG', `uv_outcome_success is ${uv_outcome_success}, gpt_eval_json says ${success}`);
  if (!isNear(rubric_score, uv_rubric_score))
    place('REFERENCE_WRONG', `uv_rubric_score is ${uv_rubric_score}, gpt_eval_json says ${rubric_score}`);
}

/** Whether a number is the other one as 32 bits hold it. */
const isNear = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : Math.abs(one - other) < 1e-6;

function takeAnnotation(of: Seen, row: VerifierAnnotation, place: PlaceReport): void {
  if (of.people.has(row.annotator)) place('ID_TWICE', `${row.annotator} has said something of ${row.task_id} already`);
  of.people.add(row.annotator);
  of.votes.push(row.human_judgement_outcome);
  if (row.human_process_score !== null) of.scores.push(row.human_process_score);
}

/** The columns of a trajectory that are made of people's rows. */
function checkTogether({ row, place, votes, scores }: Seen): void {
  const of = (word: string): number => votes.filter((vote) => vote === word).length;
  const [yes, no] = [of('Correct'), of('Incorrect')];
  const vote = yes === no ? null : Number(yes > no);
  if (vote !== row.majority_human_outcome_vote)
    place('FIGURE_WRONG', `majority_human_outcome_vote is ${row.majority_human_outcome_vote}, people say ${vote}`);
  const sorted = scores.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  const median = low === undefined || high === undefined ? null : (low + high) / 2;
  if (!isNear(median, row.median_human_rubric_score_agnostic))
    place('FIGURE_WRONG', `the median of people's scores is ${median}, not ${row.median_human_rubric_score_agnostic}`);
}
