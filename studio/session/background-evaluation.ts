import type { GivenCritic, QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import { judgeRun } from '../datasets/evaluate/judge-run.ts';
import { makeQuestionSet } from '../datasets/evaluate/question-sets.ts';
import { scoreRun } from '../datasets/evaluate/runs.ts';
import { takeQuestionSet } from '../datasets/evaluate/take-questions.ts';
import type { BackgroundTask } from './background-task.ts';

/** A question set or a run, under an id that is known before it is there. */
type Evaluating<T> = { id: string; wanted: T };
/** The wishes of one of the functions below, which take them after the workspace. */
type Wanted<F extends (workspace: never, wanted: never, ...more: never[]) => unknown> = Parameters<F>[1];

export const questions: BackgroundTask<Evaluating<Wanted<typeof makeQuestionSet>>, QuestionSet['files']> = async (
  workspace,
  { id, wanted },
  tools,
) => (await makeQuestionSet(workspace, wanted, { ...tools, id })).files;

export const takeQuestions: BackgroundTask<Evaluating<Wanted<typeof takeQuestionSet>>, QuestionSet['files']> = async (
  workspace,
  { id, wanted },
  tools,
) => (await takeQuestionSet(workspace, wanted, { ...tools, id })).files;

export const score: BackgroundTask<Evaluating<Wanted<typeof scoreRun>>, Run['evaluation']['counts']> = async (
  workspace,
  { id, wanted },
  tools,
) => (await scoreRun(workspace, wanted, { ...tools, id })).evaluation.counts;

type JudgeInput = { run: string; critic: GivenCritic };
export const judgeOneRun: BackgroundTask<Evaluating<JudgeInput>, Run['evaluation']['critic']> = async (
  workspace,
  { id, wanted },
  tools,
) => (await judgeRun(workspace, wanted.run, wanted.critic, { ...tools, id })).evaluation.critic;
