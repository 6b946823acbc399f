import type { RecordOf } from '../../schemas/annotation.ts';

/** The records of one document about one step; null: it has none of this kind. */
export type StepRecords = {
  label: RecordOf<'label'> | null;
  target: RecordOf<'box'> | null;
  end: RecordOf<'box'> | null;
  removal: RecordOf<'removal'> | null;
  reasoning: RecordOf<'reasoning'> | null;
  before: RecordOf<'keyframe'> | null;
  after: RecordOf<'keyframe'> | null;
};

export const NO_RECORDS: StepRecords = {
  label: null,
  target: null,
  end: null,
  removal: null,
  reasoning: null,
  before: null,
  after: null,
};
