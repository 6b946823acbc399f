import type { ExportTask, LeftOut } from '../../core/export/model.ts';
import type { PanelShown } from '../../schemas/api/judges.ts';
import type { DatasetTerms } from '../../schemas/dataset-terms.ts';

/**
 * The tasks to export: by id, one in memory at a time. A task that may not go out comes without subtasks, so that
 * the exporter can say why.
 */
export type ExportSource = {
  /** How many tasks `tasks` gives, for the progress. */
  total: number;
  /** Splits that its tasks stand in, by name; none: the data set is not split. */
  splits?: readonly string[];
  /** Licence, citation and sources, as they go onto the cards; absent: nobody said any. */
  terms?: DatasetTerms;
  /** The worth of each panel of judges in the workspace; absent: it is not known of what is exported. */
  panels?: () => Promise<readonly PanelShown[]>;
  tasks(): AsyncIterable<ExportTask> | Iterable<ExportTask>;
  /** Everything that was left out before (removed steps, other recordings). Complete once `tasks` has ended. */
  leftOut(): LeftOut[];
};
