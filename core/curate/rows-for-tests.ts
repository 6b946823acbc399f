import type { DataRow } from '../../schemas/dataset.ts';

/** A row of the data set, made up. */
export function dataRow(changes: Partial<DataRow> = {}): DataRow {
  return {
    recording: 'r1',
    task: 'PPT_1',
    software: 'powerpoint',
    goal: 'Insert a picture',
    state: 'approved',
    verdict: 'complete',
    proof: 'untried',
    startedAt: '2026-05-04T10:20:30.456Z',
    seconds: 60,
    person: 'Ana',
    annotators: ['Bo'],
    tags: [],
    split: null,
    agreement: null,
    steps: 4,
    subtasks: 2,
    kinds: { click: 3, type: 1 },
    resolution: '1920x1080',
    boxes: 0.5,
    names: 1,
    missing: {},
    drafted: { taken: 0, edited: 0 },
    judged: null,
    ...changes,
  };
}
