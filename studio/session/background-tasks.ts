import { screenDifferences } from '../../core/play/differences.ts';
import { changedBlocks } from '../../core/play/sight.ts';
import { type DatasetSource, type ExportWishes, exportPreviewSchema } from '../../schemas/api/datasets.ts';
import type { GivenCritic, QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import type { SkillPreview, SkillRequest } from '../../schemas/api/skills.ts';
import type {
  DataRow,
  DatasetFilter,
  DatasetStatistics,
  DatasetVersion,
  DuplicateWishes,
  Leak,
  SplitPlan,
  SplitRule,
} from '../../schemas/dataset.ts';
import { findDuplicates } from '../datasets/duplicates.ts';
import { judgeRun } from '../datasets/evaluate/judge-run.ts';
import { makeQuestionSet } from '../datasets/evaluate/question-sets.ts';
import { scoreRun } from '../datasets/evaluate/runs.ts';
import { takeQuestionSet } from '../datasets/evaluate/take-questions.ts';
import { checkExport, previewOf, runExport } from '../datasets/export/exports.ts';
import { previewSkill, writeOneSkill } from '../datasets/export/preview-skill.ts';
import { freezeVersion } from '../datasets/freeze.ts';
import { datasetRows } from '../datasets/rows.ts';
import { rowOf } from '../datasets/snapshot.ts';
import { applySplit, leaksOf, planSplit } from '../datasets/splits.ts';
import { statisticsOf } from '../datasets/statistics.ts';
import { compareVersions, readVersion } from '../datasets/versions.ts';
import { readRgb } from '../files/picture.ts';
import { type ArchiveChoice, chosenRecordings } from '../import/archive/chosen.ts';
import { exportArchive, type WrittenArchive } from '../import/archive/export-archive.ts';
import { noted } from '../import/archive/reports.ts';
import { carriedTexts } from '../import/carried.ts';
import type { Mask } from '../store/mask.ts';
import { confirmTaken, finish, importOne, keep, takeArchive, takeArrived } from './background-imports.ts';
import type { BackgroundTask } from './background-task.ts';

/** Work that reads a whole data set. It runs in threads (background.ts), each with a connection of its own. */

/** `mask`: of whom it is made for; left out, of nobody. */
type Masked = { mask?: Mask | undefined };
/** Checked, and as JSON in UTF-8, for an answer that is only passed on: of long recordings it is megabytes. */
const preview: BackgroundTask<ExportWishes & Masked, Uint8Array<ArrayBuffer>> = async (
  workspace,
  { mask, ...wishes },
  { signal },
) => {
  const found = exportPreviewSchema.parse(await previewOf(workspace, wishes, { signal, mask }));
  return new TextEncoder().encode(JSON.stringify(found));
};

type ExportInput = { wishes: ExportWishes; out: string; toolVersion: string };
const writeExport: BackgroundTask<ExportInput, { bytes: number }> = async (
  workspace,
  { wishes, out, toolVersion },
  tools,
) => {
  const results = await runExport(workspace, wishes, out, { toolVersion, ...tools });
  return { bytes: results.reduce((sum, result) => sum + result.bytes, 0) };
};

const skill: BackgroundTask<SkillRequest, SkillPreview> = (workspace, wishes, { signal }) =>
  previewSkill(workspace, wishes, signal);

const writeSkill: BackgroundTask<
  SkillRequest & { out: string },
  { name: string; problems: SkillPreview['problems'] }
> = async (workspace, { out, ...wishes }, { signal }) => {
  const written = await writeOneSkill(workspace, wishes, out, signal);
  return { name: written.skill.name, problems: written.problems };
};

type FreezeInput = { wishes: { name: string; changelog: string; filter: DatasetFilter }; toolVersion: string };
const freeze: BackgroundTask<FreezeInput, DatasetVersion> = (workspace, { wishes, toolVersion }, tools) =>
  freezeVersion(workspace, wishes, { toolVersion, ...tools });

const duplicates: BackgroundTask<DuplicateWishes, { goals: number; screens: number }> = async (
  workspace,
  wishes,
  tools,
) => {
  const { goals, screens } = await findDuplicates(workspace, wishes, tools);
  return { goals: goals.length, screens: screens.length };
};

/** `budgetMs`: stops after so long. Gives how many are left. */
const count: BackgroundTask<{ budgetMs?: number }, { uncounted: number }> = async (
  workspace,
  { budgetMs },
  { signal, report },
) => {
  const { uncounted } = await datasetRows(workspace, {
    signal,
    report: (done, all) => report(done / all, `${done} of ${all} counted`),
    ...(budgetMs !== undefined && { budgetMs }),
  });
  return { uncounted };
};

type VersionAnswer = { version: DatasetVersion; rows: DataRow[] };
const version: BackgroundTask<{ name: string }, VersionAnswer> = async (workspace, { name }) => {
  const read = await readVersion(workspace, name);
  const rows: DataRow[] = [];
  for await (const one of read.recordings()) rows.push(rowOf(one));
  return { version: read.info, rows };
};

const compare: BackgroundTask<{ from: string; to: string }, Awaited<ReturnType<typeof compareVersions>>> = (
  workspace,
  { from, to },
) => compareVersions(workspace, from, to);

const statistics: BackgroundTask<{ source: DatasetSource } & Masked, DatasetStatistics> = (
  workspace,
  { source, mask },
  { signal },
) => statisticsOf(workspace, source, { signal, mask });

type SplitInput = { rule: SplitRule; filter: DatasetFilter; apply: boolean };
const split: BackgroundTask<SplitInput, SplitPlan> = (workspace, { rule, filter, apply }) =>
  apply ? applySplit(workspace, rule, filter) : planSplit(workspace, rule, filter);

type LeaksInput = { filter: DatasetFilter; goals: number; screens: number | null; look: boolean };
const leaks: BackgroundTask<LeaksInput, { leaks: Leak[]; screensUnseen: number }> = (workspace, input, { signal }) =>
  leaksOf(workspace, input, { signal, look: input.look });

const validate: BackgroundTask<{ id: string }, { ok: boolean; problems: number }> = async (
  workspace,
  { id },
  { signal },
) => {
  const { ok, problems } = await checkExport(workspace, id, signal);
  return { ok, problems: problems.length };
};

type ArchiveInput = { file: string; version: string | null; choice: ArchiveChoice; toolVersion: string };
const archive: BackgroundTask<ArchiveInput, WrittenArchive> = async (workspace, input, tools) => {
  const { file, version: dataset, choice, toolVersion: version } = input;
  const carried = (recording: string) => carriedTexts(workspace, recording);
  const recordings = await chosenRecordings(workspace, choice);
  const options = { ...tools, recordings, dataset, version, carried, voice: choice.voice };
  return noted(
    workspace,
    { kind: 'made', file },
    () => exportArchive(workspace, file, options),
    (made) => ({
      recordings: made.recordings.length,
      version: made.dataset,
      bytes: made.bytes,
      resumed: made.resumed,
      notes: made.leftOut,
    }),
  );
};

/** A question set or a run, under an id that is known before it is there. */
type Evaluating<T> = { id: string; wanted: T };
/** The wishes of one of the functions below, which take them after the workspace. */
type Wanted<F extends (workspace: never, wanted: never, ...more: never[]) => unknown> = Parameters<F>[1];

const questions: BackgroundTask<Evaluating<Wanted<typeof makeQuestionSet>>, QuestionSet['files']> = async (
  workspace,
  { id, wanted },
  tools,
) => (await makeQuestionSet(workspace, wanted, { ...tools, id })).files;

const takeQuestions: BackgroundTask<Evaluating<Wanted<typeof takeQuestionSet>>, QuestionSet['files']> = async (
  workspace,
  { id, wanted },
  tools,
) => (await takeQuestionSet(workspace, wanted, { ...tools, id })).files;

const score: BackgroundTask<Evaluating<Wanted<typeof scoreRun>>, Run['evaluation']['counts']> = async (
  workspace,
  { id, wanted },
  tools,
) => (await scoreRun(workspace, wanted, { ...tools, id })).evaluation.counts;

type JudgeInput = { run: string; critic: GivenCritic };
const judge: BackgroundTask<Evaluating<JudgeInput>, Run['evaluation']['critic']> = async (
  workspace,
  { id, wanted },
  tools,
) => (await judgeRun(workspace, wanted.run, wanted.critic, { ...tools, id })).evaluation.critic;

/** Files of pictures: the demonstration before and after a step, where it has them, and one of a play, at one of both moments. */
type Compared = { before: string | null; after: string | null; when: 'before' | 'after'; played: string };
/** Where a play differs from its demonstration. What the step itself changes is told from the demonstration before and after it. */
const differ: BackgroundTask<Compared, ReturnType<typeof screenDifferences>> = async (_workspace, input) => {
  const before = input.before === null ? null : await readRgb(input.before);
  const after = input.after === null ? null : await readRgb(input.after);
  const recorded = input.when === 'before' ? before : after;
  const changed = before && after && changedBlocks(before, after);
  return recorded && screenDifferences(recorded, await readRgb(input.played), changed);
};

export const TASKS = {
  differ,
  preview,
  questions,
  takeQuestions,
  score,
  judge,
  export: writeExport,
  skill,
  writeSkill,
  validate,
  freeze,
  version,
  compare,
  duplicates,
  leaks,
  statistics,
  split,
  count,
  archive,
  importOne,
  takeArchive,
  takeArrived,
  confirmTaken,
  finish,
  keep,
};

export type TaskName = keyof typeof TASKS;
export type InputOf<N extends TaskName> = Parameters<(typeof TASKS)[N]>[1];
export type OutputOf<N extends TaskName> = Awaited<ReturnType<(typeof TASKS)[N]>>;
