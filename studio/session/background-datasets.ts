import type { DatasetSource } from '../../schemas/api/datasets.ts';
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
import { freezeVersion } from '../datasets/freeze.ts';
import { datasetRows } from '../datasets/rows.ts';
import { rowOf } from '../datasets/snapshot.ts';
import { applySplit, leaksOf, planSplit } from '../datasets/splits.ts';
import { statisticsOf } from '../datasets/statistics.ts';
import { compareVersions, readVersion } from '../datasets/versions.ts';
import type { BackgroundTask, MadeFor } from './background-task.ts';

/** The data set: its rows, versions, splits and what is the same twice. */

type FreezeInput = { wishes: { name: string; changelog: string; filter: DatasetFilter }; toolVersion: string };
export const freeze: BackgroundTask<FreezeInput, DatasetVersion> = (workspace, { wishes, toolVersion }, tools) =>
  freezeVersion(workspace, wishes, { toolVersion, ...tools });

export const duplicates: BackgroundTask<DuplicateWishes, { goals: number; screens: number }> = async (
  workspace,
  wishes,
  tools,
) => {
  const { goals, screens } = await findDuplicates(workspace, wishes, tools);
  return { goals: goals.length, screens: screens.length };
};

/** `budgetMs`: stops after so long. Gives how many are left. */
export const countRows: BackgroundTask<{ budgetMs?: number }, { uncounted: number }> = async (
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
export const version: BackgroundTask<{ name: string }, VersionAnswer> = async (workspace, { name }) => {
  const read = await readVersion(workspace, name);
  const rows: DataRow[] = [];
  for await (const one of read.recordings()) rows.push(rowOf(one));
  return { version: read.info, rows };
};

export const compareTwo: BackgroundTask<{ from: string; to: string }, Awaited<ReturnType<typeof compareVersions>>> = (
  workspace,
  { from, to },
) => compareVersions(workspace, from, to);

export const statistics: BackgroundTask<{ source: DatasetSource } & MadeFor, DatasetStatistics> = (
  workspace,
  { source, mask },
  { signal },
) => statisticsOf(workspace, source, { signal, mask });

type SplitInput = { rule: SplitRule; filter: DatasetFilter; apply: boolean };
export const split: BackgroundTask<SplitInput, SplitPlan> = (workspace, { rule, filter, apply }) =>
  apply ? applySplit(workspace, rule, filter) : planSplit(workspace, rule, filter);

type LeaksInput = Parameters<typeof leaksOf>[1] & { look: boolean };
export const leaks: BackgroundTask<LeaksInput, { leaks: Leak[]; screensUnseen: number }> = (
  workspace,
  input,
  { signal },
) => leaksOf(workspace, input, { signal, look: input.look });
