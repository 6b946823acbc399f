/**
 * Work that reads a whole data set. It runs in threads (background.ts), each with a connection of its own. A thread loads the
 * code of what it is given, and no other: all of it is most of what a thread takes to start.
 */
export const TASKS = {
  differ: async () => (await recordings()).differ,
  finish: async () => (await recordings()).finish,
  keep: async () => (await recordings()).keep,
  preview: async () => (await exports()).preview,
  export: async () => (await exports()).writeExport,
  validate: async () => (await exports()).validate,
  skill: async () => (await exports()).skill,
  writeSkill: async () => (await exports()).writeSkill,
  freeze: async () => (await datasets()).freeze,
  version: async () => (await datasets()).version,
  compare: async () => (await datasets()).compareTwo,
  duplicates: async () => (await datasets()).duplicates,
  leaks: async () => (await datasets()).leaks,
  statistics: async () => (await datasets()).statistics,
  split: async () => (await datasets()).split,
  count: async () => (await datasets()).countRows,
  questions: async () => (await evaluation()).questions,
  takeQuestions: async () => (await evaluation()).takeQuestions,
  score: async () => (await evaluation()).score,
  judge: async () => (await evaluation()).judgeOneRun,
  archive: async () => (await import('./background-archive.ts')).archive,
  importOne: async () => (await imports()).importOne,
  takeArchive: async () => (await imports()).takeArchive,
  takeArrived: async () => (await imports()).takeArrived,
  confirmTaken: async () => (await imports()).confirmTaken,
  mayBeBrought: async () => (await imports()).mayBeBrought,
  forgetArchive: async () => (await imports()).forgetArchive,
};

const recordings = () => import('./background-recordings.ts');
const exports = () => import('./background-exports.ts');
const datasets = () => import('./background-datasets.ts');
const evaluation = () => import('./background-evaluation.ts');
const imports = () => import('./background-imports.ts');

export type TaskName = keyof typeof TASKS;
type TaskOf<N extends TaskName> = Awaited<ReturnType<(typeof TASKS)[N]>>;
export type InputOf<N extends TaskName> = Parameters<TaskOf<N>>[1];
export type OutputOf<N extends TaskName> = Awaited<ReturnType<TaskOf<N>>>;
