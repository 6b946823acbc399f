import type { DataRow } from '../../schemas/dataset.ts';

/** A row of a data set, with what the test is about. */
export function dataRow(of: Partial<DataRow> = {}): DataRow {
  return {
    recording: '20261121-1200-ppt-1-aaaa',
    task: 'PPT_1',
    software: 'powerpoint',
    goal: 'Make the title blue',
    state: 'annotated',
    verdict: 'complete',
    proof: 'untried',
    startedAt: '2026-11-21T12:00:00.000Z',
    seconds: 42,
    person: 'Ada',
    annotators: [],
    tags: [],
    split: null,
    agreement: null,
    steps: 8,
    subtasks: 2,
    kinds: { click: 6, type: 2 },
    resolution: '1920x1080',
    boxes: 1,
    names: 1,
    missing: {},
    drafted: { taken: 0, edited: 0 },
    judged: null,
    ...of,
  };
}
