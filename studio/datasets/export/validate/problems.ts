/** The problems that a validator may find. Codes are never renamed: scripts read them. */
export type ProblemCode =
  | 'MANIFEST_MISSING'
  | 'MANIFEST_BAD'
  | 'FILE_MISSING'
  | 'FILE_CHANGED'
  | 'FILE_UNLISTED'
  | 'COUNT_WRONG'
  | 'CARD_BAD'
  | 'SHARD_MISSING'
  | 'SHARD_NAME'
  | 'SHARD_DAMAGED'
  | 'PARQUET_UNREADABLE'
  | 'COLUMN_MISSING'
  | 'COLUMN_UNKNOWN'
  | 'COLUMN_TYPE'
  | 'COLUMN_ORDER'
  | 'FEATURES_BAD'
  | 'ROW_BAD'
  | 'TASK_ID'
  | 'TASK_UNKNOWN'
  | 'TASK_MISSING'
  | 'APP_DIFFERS'
  | 'SUBTASK_UNKNOWN'
  | 'SUBTASK_MISSING'
  | 'ACTION_UNKNOWN'
  | 'ACTION_MISSING'
  | 'NARRATION_EMPTY'
  | 'NARRATION_DIFFERS'
  | 'RANK_BAD'
  | 'RANK_TWICE'
  | 'RANK_GAP'
  | 'ACTION_TYPE'
  | 'IMAGE_MISSING'
  | 'IMAGE_DAMAGED'
  | 'MEDIA_MISSING'
  | 'MEDIA_DAMAGED'
  | 'POSITION_MISSING'
  | 'POSITION_UNEXPECTED'
  | 'POSITION_OUTSIDE'
  | 'SCROLL_VALUE'
  | 'JSONL_BAD'
  | 'JSON_BAD'
  | 'FORMAT_OTHER'
  | 'ID_TWICE'
  | 'CODE_BAD'
  | 'CODE_DIFFERS'
  | 'TERMINATE_WRONG'
  | 'ORDER_WRONG'
  | 'TURNS_WRONG'
  | 'MARKS_WRONG'
  | 'BOX_OUTSIDE'
  | 'BOX_WRONG'
  | 'SIZE_WRONG'
  | 'REFERENCE_WRONG'
  | 'FIGURE_WRONG'
  | 'IMAGE_UNUSED'
  | 'SPLIT_WRONG'
  | 'RAW_BAD'
  | 'TITLE_MISSING'
  | 'TITLE_INVENTED'
  | 'KIND_WRONG';

/** `file` inside the export, with `/`; `where` in it (`row 3, PPT_1/2/3`), empty for the whole file. */
export type Problem = { code: ProblemCode; file: string; where: string; message: string };

/** Adds a problem. */
export type Report = (code: ProblemCode, file: string, where: string, message: string) => void;

/** Adds a problem of one known place. */
export type PlaceReport = (code: ProblemCode, message: string) => void;

export function reportInto(problems: Problem[]): Report {
  return (code, file, where, message) => problems.push({ code, file, where, message });
}
