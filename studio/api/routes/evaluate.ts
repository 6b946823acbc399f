import { StudioError } from '../../../schemas/errors.ts';
import { findCase, findCases } from '../../evaluate/case-index.ts';
import { listQuestionSets, makeQuestionSet, removeQuestionSet, takeQuestionSet } from '../../evaluate/question-sets.ts';
import { listRuns, removeRun, removeRunsOf, runFile, scoreRun } from '../../evaluate/runs.ts';
import { typedPath } from '../../library/recent.ts';
import type { Studio } from '../studio.ts';
import { api, OK } from './base.ts';

const workspaceOf = async ({ workspaces }: Studio, ws: string) => (await workspaces.get(ws)).workspace;

/** Question sets, runs and their cases. */
export const evaluateRoutes = {
  evaluate: {
    questionSets: api.evaluate.questionSets.handler(async ({ context, input }) =>
      listQuestionSets(await workspaceOf(context, input.ws)),
    ),
    makeQuestions: api.evaluate.makeQuestions.handler(async ({ context, input: { ws, out, ...wanted } }) =>
      makeQuestionSet(await workspaceOf(context, ws), {
        ...wanted,
        out: out === null ? null : typedPath(out, 'out'),
      }),
    ),
    takeQuestions: api.evaluate.takeQuestions.handler(async ({ context, input: { ws, name, paths } }) =>
      takeQuestionSet(await workspaceOf(context, ws), { name, paths: paths.map((path) => typedPath(path, 'paths')) }),
    ),
    removeQuestions: api.evaluate.removeQuestions.handler(async ({ context, input: { ws, set } }) => {
      const workspace = await workspaceOf(context, ws);
      removeQuestionSet(workspace, set);
      removeRunsOf(workspace, set);
      return OK;
    }),
    runs: api.evaluate.runs.handler(async ({ context, input }) => listRuns(await workspaceOf(context, input.ws))),
    score: api.evaluate.score.handler(async ({ context, input: { ws, predictions, ...wanted }, signal }) => {
      const from =
        predictions.from === 'path'
          ? { from: 'path' as const, path: typedPath(predictions.path, 'path') }
          : predictions;
      return scoreRun(await workspaceOf(context, ws), { ...wanted, predictions: from, signal });
    }),
    removeRun: api.evaluate.removeRun.handler(async ({ context, input: { ws, run } }) => {
      removeRun(await workspaceOf(context, ws), run);
      return OK;
    }),
    cases: api.evaluate.cases.handler(async ({ context, input: { ws, run, filter, from, count } }) => {
      if (filter.least > filter.most) {
        throw new StudioError('USAGE', 'filter.least is larger than filter.most. Exchange them.', {});
      }
      return findCases(runFile(await workspaceOf(context, ws), run, 'cases.jsonl'), filter, from, count);
    }),
    caseOf: api.evaluate.caseOf.handler(async ({ context, input: { ws, run, id } }) =>
      findCase(runFile(await workspaceOf(context, ws), run, 'cases.jsonl'), id),
    ),
  },
};
