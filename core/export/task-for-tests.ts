import type { ExportTask } from './model.ts';

/** A task of PowerPoint without recordings, with what a test says of it. */
export function emptyTask(more: Partial<ExportTask>): ExportTask {
  return {
    id: 'PPT_1',
    app: { id: 'ppt', name: 'Powerpoint', prefix: 'PPT' },
    goal: 'g',
    recordings: [],
    state: 'approved',
    visualQuery: { start: null, end: null },
    subtasks: [],
    answer: null,
    platform: 'linux',
    source: null,
    resolution: { width: 1, height: 1 },
    durationUs: 0,
    ...more,
  };
}
