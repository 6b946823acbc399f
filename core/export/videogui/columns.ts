/** The three data sets' columns (formats.md, VideoGUI), and what they are to parquet and to Hugging Face's `datasets`. */

type ColumnType = 'string' | 'int64' | 'float64' | 'int64-list' | 'image';
export type Column = { name: string; type: ColumnType };

/** A data set: its folder and repository name, its split, and its columns in order. */
export type DataSet = { folder: string; split: string; columns: readonly Column[] };

const column = (name: string, type: ColumnType): Column => ({ name, type });

export const HIGH_PLAN: DataSet = {
  folder: 'VideoGUI-High-Plan',
  split: 'high_plan',
  columns: [
    column('task_id', 'string'),
    column('app', 'string'),
    column('fulltask_query', 'string'),
    column('subtask_sequence', 'string'),
    // File names beside metadata.parquet; `visual_start` may be null.
    column('visual_start', 'string'),
    column('visual_end', 'string'),
  ],
};

export const MID_PLAN: DataSet = {
  folder: 'VideoGUI-Mid-Plan',
  split: 'mid_plan',
  columns: [
    column('split', 'string'),
    column('app', 'string'),
    column('subtask_query', 'string'),
    column('action_sequence', 'string'),
    column('task_id', 'string'),
    column('screenshot_start', 'image'),
    column('screenshot_end', 'image'),
    column('subtask_id', 'int64'),
  ],
};

export const ACTION: DataSet = {
  folder: 'VideoGUI-Action',
  split: 'action',
  columns: [
    column('split', 'string'),
    column('app', 'string'),
    column('task_id', 'string'),
    column('screenshot_start', 'image'),
    column('action_type', 'string'),
    column('action_narration', 'string'),
    column('start_position', 'int64-list'),
    column('end_position', 'int64-list'),
    column('scroll_value', 'float64'),
    column('subtask_id', 'int64'),
    column('action_id', 'int64'),
  ],
};

export const DATA_SETS: readonly DataSet[] = [HIGH_PLAN, MID_PLAN, ACTION];

const FEATURES: Record<ColumnType, object> = {
  string: { dtype: 'string', _type: 'Value' },
  int64: { dtype: 'int64', _type: 'Value' },
  float64: { dtype: 'float64', _type: 'Value' },
  'int64-list': { feature: { dtype: 'int64', _type: 'Value' }, _type: 'Sequence' },
  image: { _type: 'Image' },
};

/** The value of the parquet key `huggingface`: with it `load_dataset` shows images and lists as what they are. */
export function huggingfaceMetadata(columns: readonly Column[]): string {
  const features = Object.fromEntries(columns.map(({ name, type }) => [name, FEATURES[type]]));
  return JSON.stringify({ info: { features } });
}
