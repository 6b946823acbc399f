import type { AgentReport } from '../../../schemas/agents.ts';
import type { Job } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { LiveRun } from '../../agents/live-runs.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import type { AskedBy } from '../../store/jobs/queue.ts';
import { tell } from './base.ts';

/** A model's run as long work: noted before it begins, so that it is shown, stopped and gone on with whatever became of the page. */

type RunWork = {
  task: string;
  /** Most requests. */
  rounds: number;
  run(signal: AbortSignal, progress: (text: string) => void): Promise<AgentReport>;
  /** The call that goes on with it; null: it holds a typed key. */
  again: AskedBy | null;
};

export async function beginRunJob(open: OpenWorkspace, live: LiveRun, work: RunWork): Promise<Job> {
  const { task, rounds, run, again } = work;
  const came = Promise.withResolvers<AgentReport>();
  // Its recording is one of the workspace by then.
  const over = async (): Promise<void> => {
    const { recording } = live.state();
    if (recording !== null) await open.begin(recording);
    tell(open, 'recordings', 'tasks');
  };
  const followed = live.follow(came.promise).then(over, over);
  const job = await open.jobs.add(
    'model-run',
    task,
    async ({ signal, report: tellJob }) => {
      const told = (text: string): void => tellJob(Math.min(0.99, live.state().rounds / rounds), text);
      came.resolve(run(signal, told));
      const report = await came.promise.finally(() => followed);
      signal.throwIfAborted();
      const { recording, how, why } = report;
      if (how === 'endpoint') throw new StudioError('ENDPOINT_FAILED', why, { recording });
      if (how === 'failed') throw new StudioError('CAPTURE_FAILED', why, { recording });
      return { message: said(report), recordings: [recording] };
    },
    again,
  );
  // Stopped on its own page, it is stopped work; and work that was stopped before it began is a run that is over.
  live.stop.addEventListener('abort', () => void open.jobs.cancel(job.id).catch(() => undefined), { once: true });
  const stopped = new StudioError('CANCELLED', 'It was stopped before it began.', {});
  void open.jobs.finished(job.id).then(() => came.reject(stopped));
  return job;
}

function said({ passed, how, why, rounds, steps }: AgentReport): string {
  const outcome = passed ? 'Succeeded' : how === 'done' ? 'Says done, the checks say otherwise' : 'Failed';
  return `${outcome}, ended: ${how}${why === '' ? '' : ` (${why})`}, after ${rounds} requests and ${steps} steps.`;
}
