import { matcher } from '../../core/curate/filter.ts';
import { datasetStatistics } from '../../core/curate/statistics.ts';
import type { DatasetSource } from '../../schemas/api/datasets.ts';
import type { DatasetStatistics } from '../../schemas/dataset.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Counting, countedRows } from './rows.ts';
import { rowOf } from './snapshot.ts';
import { readVersion } from './versions.ts';

/** The paper's figures of what a filter finds now, or of a frozen version. Throws UNKNOWN_FILE, BAD_FILE for a version. */
export async function statisticsOf(
  workspace: Workspace,
  source: DatasetSource,
  counting: Counting = {},
): Promise<DatasetStatistics> {
  if (source.kind === 'filter') {
    const software = new Map((await workspace.listSoftware()).map(({ id, name }) => [id, name]));
    const fits = matcher(source.filter);
    const rows = await countedRows(workspace, counting);
    return datasetStatistics(
      rows.filter(({ row }) => fits(row)),
      software,
    );
  }
  const names = new Map<string, string>();
  const rows = [];
  for await (const one of (await readVersion(workspace, source.name)).recordings()) {
    names.set(one.app.id, one.app.name);
    rows.push({ row: rowOf(one), figures: one.figures });
  }
  return datasetStatistics(rows, names);
}
