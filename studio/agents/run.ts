import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { answerOfEnd } from '../../core/agents/reading.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import {
  AGENT_LOG_SCHEMA,
  AGENT_SCHEMA,
  type AgentHead,
  type AgentReport,
  agentVersion,
} from '../../schemas/agents.ts';
import type { CheckReport } from '../../schemas/checks.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { type ModelOptions, openModel } from '../models/model.ts';
import { checksOfTask } from '../play/checks/checks-file.ts';
import { type EpisodeWishes, runEpisode, stageOfActor, stopBeforeActing, WHOLE_SCREEN } from '../play/episode.ts';
import type { StageDisplay } from '../play/stage/display.ts';
import type { VirtualStage } from '../play/stage/stage.ts';
import { AGENT_LOG, readAgentLog } from '../recordings/agent-log.ts';
import { AGENT_FILE } from '../recordings/agent-report.ts';
import { breathe } from '../store/breathe.ts';
import { readRecording } from '../store/recording-folder.ts';
import type { Workspace } from '../store/workspace.ts';
import { runCounts } from './counts.ts';
import { drive } from './drive.ts';
import { type AgentFilm, filmOfRun, keepFilm } from './film.ts';
import { openHand } from './hand.ts';
import { helpIn } from './help.ts';
import type { LiveRun } from './live-runs.ts';
import { beginLog } from './log.ts';
import { replayOf } from './replay.ts';

/** A run: an episode with a model as its actor. Its recording holds agent.jsonl and agent.json beside what every other has. */

export type RunWishes = {
  workspace: Workspace;
  ffmpeg: FfmpegInfo;
  /** The program's own version. */
  version: string;
  head: AgentHead;
  recipe: Recipe;
  /** Pictures of the film that it follows, or of demonstrations that it is shown, by their sha256. */
  film: AgentFilm['pictures'];
  /** A stage that is there, which goes on afterwards as the run leaves it; absent: one of its own. */
  on?: VirtualStage;
  /** The task has no checks: what it answers is judged by whoever began it. */
  unchecked?: true;
  model: Omit<ModelOptions, 'signal'>;
  /** Plays the user whom it may ask; absent: that is a rule, or nobody. */
  userModel?: Omit<ModelOptions, 'signal'>;
  /** How long the screen is waited for after an answer's acts, ms. */
  patienceMs: number;
  withoutCage: boolean;
  /** As of an episode. */
  beside?: EpisodeWishes['beside'];
  onRecording?: EpisodeWishes['onRecording'];
  /** The call of a page that began it. */
  call?: string;
  /** For people who look at it, and may take it over; null: nobody can. */
  live: LiveRun | null;
  progress(text: string): void;
  signal: AbortSignal;
};

/** The hash by which a run knows its recipe again. */
export const recipeHash = (recipe: Recipe): string => createHash('sha256').update(JSON.stringify(recipe)).digest('hex');

/**
 * Runs an agent on a stage of the task, and looks at the task's checks whatever became of it. Stopped while it acts, the run ends
 * as stopped, and is kept like every other. Throws USAGE for a task without checks, and what setting the stage up and recording throw.
 */
export async function runAgent(wishes: RunWishes): Promise<AgentReport> {
  const { workspace, head, recipe, patienceMs, withoutCage, live } = wishes;
  const signal = live ? AbortSignal.any([wishes.signal, live.stop]) : wishes.signal;
  const progress = (text: string): void => {
    wishes.progress(text);
    live?.progress(text);
  };
  const version = agentVersion(head, { shared: live !== null });
  if (!wishes.unchecked) await needChecks(workspace, head.task);
  const earlier = head.resumes === null ? null : await earlierRun(workspace, head);
  const setUp = stopBeforeActing(signal);
  let tookMs = 0;
  /** One, from before the recording until the end of the act. */
  const displays: StageDisplay[] = [];
  const at = new Date().toISOString();
  try {
    const played = await runEpisode(
      {
        ...wishes,
        progress,
        task: head.task,
        signal: setUp.signal,
        stage: stageOfActor(wishes.on ? { stage: wishes.on } : { recipe }, { elements: false, withoutCage }),
        record: { ...WHOLE_SCREEN, played: 'itself' },
      },
      {
        enter({ stage }) {
          progress(`${head.agent} begins: ${head.model} at ${new URL(head.endpoint).origin} …`);
          // Its process starts beside the one that records.
          displays.push(stage.openDisplay());
        },
        async act({ stage, folder, recording }) {
          setUp.acting();
          const log = await beginLog(folder, live?.saw);
          const display = displays[0] ?? stage.openDisplay();
          const began = performance.now();
          const startNs = BigInt(readRecording(folder).clock.startNs);
          const deadline = head.limits.timeMs === null ? NEVER : AbortSignal.timeout(head.limits.timeMs);
          const now = (): number => Number((process.hrtime.bigint() - startNs) / 1000n);
          const hand = live?.hand ?? openHand();
          hand.setClock(now);
          live?.staged(stage.env, recording);
          const pictures = new Map(wishes.film);
          await keepFilm(folder, wishes.film);
          const options = { ...wishes.model, signal: AbortSignal.any([signal, deadline]) };
          const model = openModel(options, (sha256) => pictureOf(pictures, sha256));
          try {
            const { call } = wishes;
            await log.write({
              type: 'begun',
              schema: AGENT_LOG_SCHEMA,
              version,
              recording,
              at,
              head,
              ...(call !== undefined && { call }),
            });
            return await drive({
              head,
              display,
              model,
              ...(wishes.userModel && {
                userModel: openModel({ ...wishes.userModel, signal: options.signal }, () => ''),
              }),
              log,
              folder,
              now,
              hand,
              pictures,
              replay: earlier,
              patienceMs,
              stop: signal,
              deadline,
              progress,
            });
          } finally {
            tookMs = Math.round(performance.now() - began);
            await live?.checking();
            await display.close();
            await log.close();
          }
        },
        answer: answerOfEnd,
      },
    );
    const { done, checked, recording, folder } = played;
    const lines = readAgentLog(folder) ?? [];
    const report: AgentReport = {
      schema: AGENT_SCHEMA,
      version,
      recording,
      at,
      head,
      ...done,
      answer: answerOfEnd(done),
      ...runCounts(lines, head),
      ...helpIn(lines),
      tookMs,
      checks: checked?.checks ?? [],
      passed: checked?.passed ?? false,
      score: checked?.score ?? 0,
      weak: checked?.weak ?? null,
      ...((await saysInfeasible(workspace, head.task, checked)) && { infeasible: true as const }),
    };
    writeFileAtomic(join(folder, AGENT_FILE), `${JSON.stringify(report, null, 2)}\n`);
    return report;
  } finally {
    setUp.over();
    // Where it could not be recorded nobody closed it.
    for (const display of displays) await display.close();
  }
}

const NEVER = new AbortController().signal;

function pictureOf(pictures: ReadonlyMap<string, Buffer>, sha256: string): string {
  const png = pictures.get(sha256);
  if (!png) throw new RangeError(`there is no picture ${sha256}`);
  return png.toString('base64');
}

/** Throws USAGE. */
export async function needChecks(workspace: Workspace, task: string): Promise<void> {
  if (await checksOfTask(workspace, task)) return;
  throw new StudioError(
    'USAGE',
    `The task ${task} has no checks, so nobody could say whether a run succeeded. Attach them: \`tasks attach ${task} checks.json --role checks\`, or write them on the task's page.`,
    { task },
  );
}

/** Whether the task cannot be done, by its checks, and the run said so. */
async function saysInfeasible(workspace: Workspace, task: string, checked: CheckReport | null): Promise<boolean> {
  const checks = (await checksOfTask(workspace, task))?.checks ?? [];
  return checks.some(
    ({ kind, id }) => kind === 'infeasible' && checked?.checks.some((one) => one.id === id && one.score === 1),
  );
}

/** The run that is gone on with. */
async function earlierRun(workspace: Workspace, head: AgentHead) {
  const entry = await workspace.getRecording(head.resumes ?? '');
  return replayOf(entry.folder, readAgentLog(entry.folder) ?? []);
}

/** What a run was begun with, and its film, to go on with it. Throws USAGE for what is no run, or one that is over. */
export async function runToGoOn(
  workspace: Workspace,
  id: string,
): Promise<{ head: AgentHead; film: AgentFilm['pictures'] }> {
  const { folder, id: recording } = await workspace.resolveRecording(id);
  const lines = readAgentLog(folder);
  const begun = lines?.find((line) => line.type === 'begun');
  if (!lines || !begun)
    throw new StudioError('USAGE', `${recording} is no run of a model: it has no ${AGENT_LOG}.`, { recording });
  if (lines.some((line) => line.type === 'person')) {
    const why = 'a person took it over, and what they did cannot be done once more without them. Begin a new one';
    throw new StudioError('CONFLICT', `The run ${recording} cannot be gone on with: ${why}.`, { run: recording });
  }
  const ended = lines.find((line) => line.type === 'ended');
  if (ended && ['done', 'gave-up', 'lost'].includes(ended.how)) {
    throw new StudioError('USAGE', `The run ${recording} is over (${ended.how}): there is nothing to go on with.`, {
      recording,
    });
  }
  return { head: { ...begun.head, resumes: recording }, film: filmOfRun(folder, begun.head) };
}

/** What was done before is done once more, so the stage must be the same. Throws CONFLICT. */
export function refuseOtherStage(head: AgentHead, recipe: Recipe): void {
  const why =
    recipeHash(recipe) !== head.recipe
      ? 'its recipe was changed since then'
      : recipe.network
        ? 'its recipe gives the stage the network, where what was done before may still be'
        : null;
  if (why === null) return;
  throw new StudioError('CONFLICT', `The run ${head.resumes} cannot be gone on with: ${why}. Begin a new one.`, {
    run: head.resumes,
  });
}

/** The newest run that a call of a page began; null: there is none. Throws BAD_FILE, FUTURE_VERSION. */
export async function runOfCall(workspace: Workspace, call: string): Promise<string | null> {
  let newest: { recording: string; at: string } | null = null;
  for (const { folder } of await workspace.listPlays()) {
    await breathe();
    const begun = readAgentLog(folder)?.find((line) => line.type === 'begun');
    if (begun?.call === call && (newest?.at ?? '') <= begun.at) newest = begun;
  }
  return newest?.recording ?? null;
}
