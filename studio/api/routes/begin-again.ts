import { createRouterClient } from '@orpc/server';
import { type Job, jobSchema } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { apiErrorBody } from '../errors.ts';
import type { AskedStudio } from '../studio.ts';
import { archiveRoutes } from './archives.ts';
import { JOB_CALLS } from './base.ts';
import { candidateRoutes } from './candidates.ts';
import { compositionRoutes } from './compositions.ts';
import { datasetRoutes } from './datasets.ts';
import { evaluateRoutes } from './evaluate.ts';
import { judgeRoutes } from './judges.ts';
import { playRoutes } from './play.ts';
import { recordingRoutes } from './recordings.ts';
import { runRoutes } from './runs.ts';
import { teamServerRoutes } from './team-server.ts';

/** Long work that is begun again: by the call that began it, so that what it is given is checked as it was then. */

/** Throws what the call throws; USAGE for one that this program does not know, or that needs a running studio. */
export async function beginCall(
  { name, input }: { name: string; input: Readonly<Record<string, unknown>> },
  ws: string,
  context: AskedStudio,
): Promise<Job> {
  if (!JOB_CALLS.some((one) => one === name)) {
    throw new StudioError('USAGE', `This program does not know the call "${name.slice(0, 60)}" that began it.`, {});
  }
  if (name === 'runs.model' && !context.plays)
    throw new StudioError(
      'USAGE',
      'This is begun again by a running studio, or gone on with by the command `run --resume`.',
    );
  if (name === 'teamServer.push' && !context.settings)
    throw new StudioError('USAGE', 'This is begun again by a running studio; without one, `push` goes on with it.');
  // A command's own session has no place to show a stage.
  if (name.startsWith('play.') && !context.plays) {
    throw new StudioError('USAGE', 'This is begun again by a running studio, or by the commands `play` and `verify`.');
  }
  try {
    const answer = await callOf(name, context)({ ...again(context, input), ws });
    return jobSchema.parse(isWithJob(answer) ? answer.job : answer);
  } catch (error) {
    const { code, message, details } = apiErrorBody(error);
    throw new StudioError(code, message, details, { cause: error });
  }
}

/** A member begins it as themselves, whoever began it first. */
const again = ({ principal }: AskedStudio, input: Readonly<Record<string, unknown>>) =>
  principal.kind === 'member' && 'person' in input ? { ...input, person: principal.id } : input;

function callOf(name: string, context: AskedStudio): (input: object) => Promise<unknown> {
  const rooms = {
    ...recordingRoutes,
    ...datasetRoutes,
    ...archiveRoutes,
    ...evaluateRoutes,
    ...judgeRoutes,
    ...candidateRoutes,
    ...compositionRoutes,
    ...playRoutes,
    ...runRoutes,
    ...teamServerRoutes,
  };
  const client = createRouterClient(rooms, { context });
  const [room = '', call = ''] = name.split('.');
  return Reflect.get(Reflect.get(client, room), call); // JOB_CALLS are calls of these.
}

/** Calls that also name what will be there when the work is done. */
const isWithJob = (answer: unknown): answer is { job: unknown } =>
  typeof answer === 'object' && answer !== null && 'job' in answer;
