/** The three data sets' columns (formats.md, VideoGUI), and what they are to parquet and to Hugging Face's `datasets`. */

/** `boxes`: imagefolder's `objects`, a struct of lists of one length. */
export type ColumnType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float32'
  | 'float64'
  | 'int64-list'
  | 'string-list'
  | 'image'
  | 'image-list'
  | 'boxes';
export type ParquetColumn = { name: string; type: ColumnType };

/**
 * A data set: its folder and repository name, its level (also its column `split`, and the names of its files), the split that
 * it is loaded as, and its columns in order: those of the published sets first.
 */
export type DataSet = { folder: string; split: string; loadedAs: string; columns: readonly ParquetColumn[] };

const column = (name: string, type: ColumnType): ParquetColumn => ({ name, type });

export const HIGH_PLAN: DataSet = {
  folder: 'VideoGUI-High-Plan',
  split: 'high_plan',
  // The published data set is loaded under this name.
  loadedAs: 'train',
  columns: [
    column('task_id', 'string'),
    column('app', 'string'),
    column('fulltask_query', 'string'),
    column('subtask_sequence', 'string-list'),
    // File names beside metadata.parquet; `visual_start` may be null.
    column('visual_start', 'string'),
    column('visual_end', 'string'),
    // Ours from here on: the subtasks' ids in the other two data sets, and what else the task holds.
    column('subtask_ids', 'int64-list'),
    column('category', 'string'),
    column('platform', 'string'),
    column('source', 'string'),
    column('answer', 'string'),
    // `<role>/<name>`, beside metadata.parquet.
    column('files', 'string-list'),
    // `proven`, `failed`, `untried`: whether its recording was played again and its checks hold.
    column('proof', 'string'),
  ],
};

export const MID_PLAN: DataSet = {
  folder: 'VideoGUI-Mid-Plan',
  split: 'mid_plan',
  loadedAs: 'mid_plan',
  columns: [
    column('split', 'string'),
    column('app', 'string'),
    column('subtask_query', 'string'),
    column('screenshot_start', 'image'),
    column('screenshot_end', 'image'),
    column('action_sequence', 'string'),
    column('task_id', 'string'),
    column('subtask_id', 'int64'),
  ],
};

export const ACTION: DataSet = {
  folder: 'VideoGUI-Action',
  split: 'action',
  loadedAs: 'action',
  columns: [
    column('split', 'string'),
    column('app', 'string'),
    column('screenshot_start', 'image'),
    column('action_type', 'string'),
    column('action_narration', 'string'),
    column('start_position', 'int64-list'),
    column('end_position', 'int64-list'),
    column('scroll_value', 'float64'),
    column('task_id', 'string'),
    column('subtask_id', 'int64'),
    column('action_id', 'int64'),
  ],
};

export const DATA_SETS: readonly DataSet[] = [HIGH_PLAN, MID_PLAN, ACTION];

const FEATURES: Record<ColumnType, object> = {
  string: { dtype: 'string', _type: 'Value' },
  bool: { dtype: 'bool', _type: 'Value' },
  int32: { dtype: 'int32', _type: 'Value' },
  int64: { dtype: 'int64', _type: 'Value' },
  float32: { dtype: 'float32', _type: 'Value' },
  float64: { dtype: 'float64', _type: 'Value' },
  'int64-list': { feature: { dtype: 'int64', _type: 'Value' }, _type: 'Sequence' },
  'string-list': { feature: { dtype: 'string', _type: 'Value' }, _type: 'Sequence' },
  image: { _type: 'Image' },
  'image-list': { feature: { _type: 'Image' }, _type: 'Sequence' },
  boxes: {
    bbox: { feature: { feature: { dtype: 'int64', _type: 'Value' }, _type: 'Sequence' }, _type: 'Sequence' },
    categories: { feature: { dtype: 'string', _type: 'Value' }, _type: 'Sequence' },
    roles: { feature: { dtype: 'string', _type: 'Value' }, _type: 'Sequence' },
  },
};

/** The value of the parquet key `huggingface`: with it `load_dataset` shows images and lists as what they are. */
export function huggingfaceMetadata(columns: readonly ParquetColumn[]): string {
  const features = Object.fromEntries(columns.map(({ name, type }) => [name, FEATURES[type]]));
  return JSON.stringify({ info: { features } });
}
