/**
 * The validator's expectations, written down from formats.md and not from the writer's tables: a mistake there must not be
 * repeated here.
 */

/** Columns as parquet has them: physical type, `UTF8` where it is text, `[…]` a list, `{…}` a struct. */
export const EXPECTED_COLUMNS = {
  'VideoGUI-High-Plan': {
    task_id: 'BYTE_ARRAY UTF8',
    app: 'BYTE_ARRAY UTF8',
    fulltask_query: 'BYTE_ARRAY UTF8',
    subtask_sequence: '[BYTE_ARRAY UTF8]',
    visual_start: 'BYTE_ARRAY UTF8',
    visual_end: 'BYTE_ARRAY UTF8',
    subtask_ids: '[INT64]',
    category: 'BYTE_ARRAY UTF8',
    platform: 'BYTE_ARRAY UTF8',
    source: 'BYTE_ARRAY UTF8',
    answer: 'BYTE_ARRAY UTF8',
    files: '[BYTE_ARRAY UTF8]',
    proof: 'BYTE_ARRAY UTF8',
  },
  'VideoGUI-Mid-Plan': {
    split: 'BYTE_ARRAY UTF8',
    app: 'BYTE_ARRAY UTF8',
    subtask_query: 'BYTE_ARRAY UTF8',
    screenshot_start: '{bytes: BYTE_ARRAY, path: BYTE_ARRAY UTF8}',
    screenshot_end: '{bytes: BYTE_ARRAY, path: BYTE_ARRAY UTF8}',
    action_sequence: 'BYTE_ARRAY UTF8',
    task_id: 'BYTE_ARRAY UTF8',
    subtask_id: 'INT64',
  },
  'VideoGUI-Action': {
    split: 'BYTE_ARRAY UTF8',
    app: 'BYTE_ARRAY UTF8',
    screenshot_start: '{bytes: BYTE_ARRAY, path: BYTE_ARRAY UTF8}',
    action_type: 'BYTE_ARRAY UTF8',
    action_narration: 'BYTE_ARRAY UTF8',
    start_position: '[INT64]',
    end_position: '[INT64]',
    scroll_value: 'DOUBLE',
    task_id: 'BYTE_ARRAY UTF8',
    subtask_id: 'INT64',
    action_id: 'INT64',
  },
} as const;

/** metadata.parquet of imagefolder, in every split the same; `after_file_name` stands second with the option `after`. */
export const IMAGEFOLDER_COLUMNS: Readonly<Record<string, string>> = {
  file_name: 'BYTE_ARRAY UTF8',
  task_id: 'BYTE_ARRAY UTF8',
  app: 'BYTE_ARRAY UTF8',
  goal: 'BYTE_ARRAY UTF8',
  subtask_id: 'INT64',
  subtask: 'BYTE_ARRAY UTF8',
  action_id: 'INT64',
  action_type: 'BYTE_ARRAY UTF8',
  narration: 'BYTE_ARRAY UTF8',
  element: 'BYTE_ARRAY UTF8',
  start_position: '[INT64]',
  end_position: '[INT64]',
  text: 'BYTE_ARRAY UTF8',
  keys: '[BYTE_ARRAY UTF8]',
  thought: 'BYTE_ARRAY UTF8',
  action_thought: 'BYTE_ARRAY UTF8',
  observation: 'BYTE_ARRAY UTF8',
  drag_start: 'BYTE_ARRAY UTF8',
  drag_end: 'BYTE_ARRAY UTF8',
  drag_purpose: 'BYTE_ARRAY UTF8',
  drag_kind: 'BYTE_ARRAY UTF8',
  task_kind: 'BYTE_ARRAY UTF8',
  category: 'BYTE_ARRAY UTF8',
  platform: 'BYTE_ARRAY UTF8',
  source: 'BYTE_ARRAY UTF8',
  answer: 'BYTE_ARRAY UTF8',
  proof: 'BYTE_ARRAY UTF8',
  objects: '{bbox: [[INT64]], categories: [BYTE_ARRAY UTF8], roles: [BYTE_ARRAY UTF8]}',
};

export type DataSetName = keyof typeof EXPECTED_COLUMNS;

/** The Hugging Face feature of each parquet type, as `datasets` writes it. */
export const EXPECTED_FEATURES: Record<string, string> = {
  'BYTE_ARRAY UTF8': '{"dtype":"string","_type":"Value"}',
  '{bytes: BYTE_ARRAY, path: BYTE_ARRAY UTF8}': '{"_type":"Image"}',
  '[{bytes: BYTE_ARRAY, path: BYTE_ARRAY UTF8}]': '{"feature":{"_type":"Image"},"_type":"Sequence"}',
  BOOLEAN: '{"dtype":"bool","_type":"Value"}',
  INT32: '{"dtype":"int32","_type":"Value"}',
  FLOAT: '{"dtype":"float32","_type":"Value"}',
  INT64: '{"dtype":"int64","_type":"Value"}',
  DOUBLE: '{"dtype":"float64","_type":"Value"}',
  '[BYTE_ARRAY UTF8]': '{"feature":{"dtype":"string","_type":"Value"},"_type":"Sequence"}',
  '[INT64]': '{"feature":{"dtype":"int64","_type":"Value"},"_type":"Sequence"}',
};

export const SPLITS = {
  'VideoGUI-High-Plan': 'high_plan',
  'VideoGUI-Mid-Plan': 'mid_plan',
  'VideoGUI-Action': 'action',
} as const;

/** The kinds of `action_type`: the paper's names, then those that follow its pattern. */
export const ACTION_KINDS: Readonly<Record<string, 'click' | 'drag' | 'scroll' | 'keys' | 'other'>> = {
  LeftClick: 'click',
  RightClick: 'click',
  DoubleClick: 'click',
  Drag: 'drag',
  Scroll: 'scroll',
  'Type/Press': 'keys',
  TripleClick: 'click',
  MiddleClick: 'click',
  Click: 'click',
};

/** Further types of the jsonl, which keeps every kind. */
export const JSONL_KINDS: typeof ACTION_KINDS = { ...ACTION_KINDS, Hover: 'other', Wait: 'other' };

/** A text that nobody wrote: a goal with a number behind it, where a subtask has no title of its own. */
export const isInvented = (title: string, goal: string): boolean =>
  title.startsWith(goal) && /^\s*\(part \d+\)$/.test(title.slice(goal.length));

/** `PPT_15`. */
export const TASK_ID_SHAPE = /^[A-Za-z][A-Za-z0-9-]*_\d+(?:-\d+)?$/;
