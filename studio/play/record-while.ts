import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import type { CheckReport, Checks } from '../../schemas/checks.ts';
import type { captureOrder } from '../capture/order.ts';
import type { CaptureOrder } from '../capture/protocol.ts';
import { startRecording } from '../capture/start.ts';
import { finishRecording } from '../recordings/finish.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Beside } from './beside.ts';
import { evaluateChecks } from './checks/evaluate.ts';
import { keepOutcome } from './checks/outcome.ts';
import { type HomeFiles, homeFiles, writtenSince } from './checks/written.ts';
import { pathsOfTask } from './recipe.ts';

/** Settings of every play's recording: nobody waits for it, stops it by keys, or is asked. */
export const UNATTENDED = {
  countdownSeconds: 0,
  shortcuts: {},
  forgetMs: 0,
  exclude: [],
  only: [],
  person: null,
  syncCheck: false,
} satisfies Partial<Parameters<typeof captureOrder>[1]>;

/** A recording that runs. Throws what starting it throws. */
export async function begunRecording(
  order: CaptureOrder,
  env: NodeJS.ProcessEnv,
): Promise<ReturnType<typeof startRecording>> {
  const started = Promise.withResolvers<void>();
  const running = startRecording(
    order,
    (message) => {
      if (message.type === 'started') started.resolve();
    },
    env,
  );
  // The wait ends with the recording, however that ends.
  running.result.then(() => started.resolve(), started.reject);
  await started.promise;
  return running;
}

/** Records while `work` is done on the display of `env`, and closes the recording whatever happens. Throws what both throw. */
export async function recordWhile<T>(
  {
    workspace,
    ffmpeg,
    progress,
    playback = 'none',
    beside,
  }: {
    workspace: Workspace;
    ffmpeg: FfmpegInfo;
    progress(text: string): void;
    playback?: 'now' | 'none';
    beside?: Beside | undefined;
  },
  order: CaptureOrder,
  env: NodeJS.ProcessEnv,
  work: () => Promise<T>,
): Promise<T> {
  const running = await begunRecording(order, env);
  let done: T;
  try {
    done = await work();
  } finally {
    running.send({ type: 'stop', why: 'signal' });
    await running.result.catch(() => undefined);
  }
  await running.result;
  const finish = async (): Promise<void> => {
    const options = { ffmpeg, playback, progress: () => undefined };
    const { warnings } = await finishRecording(workspace, order.folder, options);
    for (const warning of warnings) progress(`warning: ${warning}`);
  };
  if (beside) beside.begin(finish);
  else await finish();
  return done;
}

type CheckNow = {
  workspace: Workspace;
  task: string;
  checks: Checks | null;
  home: string;
  env: NodeJS.ProcessEnv;
  /** What was answered; null: nothing (yet). */
  answer: string | null;
  signal: AbortSignal;
};

/** The checks on a stage as it is; null where the task has none. */
export async function checkNow(now: CheckNow): Promise<CheckReport | null> {
  const { workspace, task, checks, home, env, answer, signal } = now;
  if (!checks) return null;
  const files = await pathsOfTask(workspace.store, workspace.dir, task);
  return evaluateChecks(checks, { home, still: null, titles: null, files, answer }, env, { signal });
}

type CheckAfter = CheckNow & {
  /** The play's own recording, in which what the checks name is kept. */
  folder: string;
  /** The home's files before anything was done; null: it is the person's own, and nobody looks through it. */
  before: HomeFiles | null;
};

/** The checks while the stage is still there; null where the task has none. */
export async function checkAfter(after: CheckAfter): Promise<CheckReport | null> {
  const { checks, folder, home, before } = after;
  const written = writtenSince(before, before && homeFiles(home));
  const report = await checkNow(after);
  keepOutcome(folder, home, checks?.checks ?? [], written);
  return report;
}
