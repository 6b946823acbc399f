import { basename } from 'node:path';
import { plural } from '../../../core/words.ts';
import type { GivenCritic, GivenFile, QuestionSet } from '../../../schemas/api/evaluate.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { findCase, findCases } from '../../datasets/evaluate/case-index.ts';
import { checkJudging } from '../../datasets/evaluate/judge-run.ts';
import { listQuestionSets, newId, refuseTaken, removeQuestionSet } from '../../datasets/evaluate/question-sets.ts';
import { checkScoring, listRuns, removeRun, removeRunsOf, runFile } from '../../datasets/evaluate/runs.ts';
import type { Work } from '../../store/jobs/queue.ts';
import type { AskedStudio, Studio } from '../studio.ts';
import { api, askedBy, OK } from './base.ts';

const workspaceOf = async ({ workspaces }: Studio, ws: string) => (await workspaces.get(ws)).workspace;

const placed = (context: Pick<AskedStudio, 'path'>, file: GivenFile): GivenFile =>
  file.from === 'path' ? { from: 'path', path: context.path(file.path, 'path') } : file;

/** What a browser sent goes when the work is over. */
const isKept = (file: GivenFile): boolean => file.from === 'path';

/** A typed key is kept nowhere. */
export const canKeepCritic = (critic: GivenCritic): boolean =>
  critic.from === 'file' ? isKept(critic.file) : critic.key.from !== 'typed';

const questionsIn = (files: QuestionSet['files']): number =>
  files.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0);

/** Question sets, runs and their cases. Long work is a job; its answer names what will be there when it is done. */
export const evaluateRoutes = {
  evaluate: {
    questionSets: api.evaluate.questionSets.handler(async ({ context, input }) =>
      listQuestionSets(await workspaceOf(context, input.ws)),
    ),
    makeQuestions: api.evaluate.makeQuestions.handler(async ({ context, input }) => {
      const { ws, out, ...wanted } = input;
      const open = await context.workspaces.get(ws);
      if (wanted.levels.length + wanted.aids.length === 0) {
        throw new StudioError('USAGE', 'Nothing is asked: name a level (action, mid, high) or an aid (som, ocr).', {});
      }
      const copy = out === null ? null : context.path(out, 'out');
      // Refused here, so that a wrong choice is an answer and not a job that fails.
      if (copy !== null) await refuseTaken(copy);
      const set = newId();
      const work: Work = async (tools) => {
        const asked = { id: set, wanted: { ...wanted, out: copy } };
        const files = await open.background.run('questions', asked, { ...tools, alone: true });
        return plural(questionsIn(files), 'question');
      };
      const asked = askedBy(context, 'evaluate.makeQuestions', { ...input, out: copy });
      const job = await open.jobs.add('questions', wanted.name ?? 'of the data set', work, asked);
      return { job, set };
    }),
    takeQuestions: api.evaluate.takeQuestions.handler(async ({ context, input }) => {
      const { ws, name, paths, tasks } = input;
      const open = await context.workspaces.get(ws);
      const given = { name, paths: paths.map((path) => context.path(path, 'paths')), tasks };
      const set = newId();
      const work: Work = async (tools) => {
        const files = await open.background.run('takeQuestions', { id: set, wanted: given }, { ...tools, alone: true });
        return `${questionsIn(files)} ${tasks === null ? 'questions' : 'tasks'}`;
      };
      const asked = askedBy(context, 'evaluate.takeQuestions', { ...input, paths: given.paths });
      const job = await open.jobs.add('questions', name ?? 'from files', work, asked);
      return { job, set };
    }),
    removeQuestions: api.evaluate.removeQuestions.handler(async ({ context, input: { ws, set } }) => {
      const workspace = await workspaceOf(context, ws);
      await removeQuestionSet(workspace, set);
      await removeRunsOf(workspace, set);
      return OK;
    }),
    runs: api.evaluate.runs.handler(async ({ context, input }) => listRuns(await workspaceOf(context, input.ws))),
    score: api.evaluate.score.handler(async ({ context, input }) => {
      const { ws, predictions, ...wanted } = input;
      const open = await context.workspaces.get(ws);
      const request = { ...wanted, predictions: placed(context, predictions) };
      checkScoring(open.workspace, request);
      const run = newId();
      const subject = wanted.name || (predictions.from === 'path' ? basename(predictions.path) : predictions.name);
      const work: Work = async (tools) => {
        const { cases } = await open.background.run('score', { id: run, wanted: request }, { ...tools, alone: true });
        return plural(cases, 'case');
      };
      const asked = isKept(predictions)
        ? askedBy(context, 'evaluate.score', { ...input, predictions: placed(context, predictions) })
        : null;
      const job = await open.jobs.add('score', subject, work, asked);
      return { job, run };
    }),
    judge: api.evaluate.judge.handler(async ({ context, input }) => {
      const { ws, run: id, critic } = input;
      const open = await context.workspaces.get(ws);
      const given = critic.from === 'file' ? { ...critic, file: placed(context, critic.file) } : critic;
      const { name } = checkJudging(open.workspace, id, given);
      const run = newId();
      const work: Work = async (tools) => {
        const wanted = { run: id, critic: given };
        const judged = await open.background.run('judge', { id: run, wanted }, { ...tools, alone: true });
        const { asked = 0, cached = 0, loaded = 0, cost = 0 } = judged ?? {};
        return loaded > 0
          ? `${plural(loaded, 'score')} taken`
          : `${asked} asked, ${cached} known from before, cost ${cost.toFixed(4)}`;
      };
      const asked = canKeepCritic(given) ? askedBy(context, 'evaluate.judge', { ...input, critic: given }) : null;
      const job = await open.jobs.add('judge', name, work, asked);
      return { job, run };
    }),
    removeRun: api.evaluate.removeRun.handler(async ({ context, input: { ws, run } }) => {
      await removeRun(await workspaceOf(context, ws), run);
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
