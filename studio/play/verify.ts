import { join } from 'node:path';
import { nextTrial, verdictOf } from '../../core/play/verify.ts';
import type { CheckReport, Checks } from '../../schemas/checks.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { PlayReport } from '../../schemas/play.ts';
import { VERIFY_SCHEMA, type VerifiedPlay, type VerifyReport, type WithoutStep } from '../../schemas/verify.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { VERIFY_FILE, withEvidence } from '../store/evidence.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { hashOfChecks } from '../store/task-files.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { evaluateChecks } from './checks/evaluate.ts';
import { setStageOf } from './episode.ts';
import { mendedTexts } from './mended.ts';
import { type PlayWishes, play, stageFor } from './play.ts';
import { pathsOfTask } from './recipe.ts';
import { type Script, scriptOf } from './script.ts';
import { endStageTelling } from './stage/stage.ts';

/** `by`: the name of who has it verified, where one is known. */
type VerifyWishes = Omit<PlayWishes, 'stage' | 'leaveOut'> & { times: number; by?: string | undefined };

/**
 * Proves a demonstration, each part on a stage of its own: looks at its checks before anything was done, plays it, and plays
 * it with a decisive step left out. Stores the verdict and gives it. Throws USAGE without checks or a recipe, CANCELLED, and
 * what playing throws.
 */
export async function verify({ times, by, ...wishes }: VerifyWishes): Promise<VerifyReport> {
  const { workspace, recording, ffmpeg, signal, progress } = wishes;
  const script = await scriptOf(recording.folder, ffmpeg, signal, await mendedTexts(workspace, recording.id));
  const task = script.recording.task.id;
  const checks = await checksOfTask(workspace, task);
  if (!checks) {
    throw new StudioError(
      'USAGE',
      `The task ${task} has no checks, so nothing could be proven. Attach them: \`tasks attach ${task} checks.json --role checks\`. \`check --help\` shows some.`,
      { recording: recording.id, task },
    );
  }
  const checksHash = await hashOfChecks(workspace, task);
  // Each play counts from 0 to 1: all of them are one piece of work, with one play for the steps that are left out.
  let done = 0;
  const perform = async (what: string, leaveOut?: string): Promise<PlayReport> => {
    const share = (now: number): number => Math.min(0.99, (done + now) / (times + 1));
    progress(what, share(0));
    const told = (text: string, now?: number): void =>
      progress(`${what}: ${text}`, now === undefined ? undefined : share(now));
    const report = await play({
      ...wishes,
      progress: told,
      stage: 'virtual',
      ...(leaveOut !== undefined && { leaveOut }),
    });
    if (signal.aborted) throw new StudioError('CANCELLED', 'It was stopped before there was a verdict.', {});
    done++;
    return report;
  };
  progress('checks before anything was done …');
  const untouched = await lookUntouched(wishes, script, checks);
  const plays: VerifiedPlay[] = [];
  const without: WithoutStep[] = [];
  for (;;) {
    const trial = nextTrial(script.actions, times, { untouched, plays, without });
    if (!trial) break;
    if (trial.do === 'play') {
      const { played, agreed, of, passed, why } = await perform(`play ${trial.number} of ${times}`);
      plays.push({ played, agreed, of, passed: passed === true, why });
    } else {
      const step = script.actions[trial.index]?.id ?? '';
      const number = trial.index + 1;
      const { played, passed } = await perform(`play without step ${number}`, step);
      without.push({ step, number, played, passed: passed === true });
    }
  }
  const said: VerifyReport = {
    schema: VERIFY_SCHEMA,
    version: 1,
    recording: recording.id,
    at: new Date().toISOString(),
    ...verdictOf({ checks, untouched, plays, without }),
    untouched,
    plays,
    without,
  };
  const report = checksHash === null ? said : await withEvidence(workspace, said, checksHash);
  writeFileAtomic(join(recording.folder, VERIFY_FILE), `${JSON.stringify(report, null, 2)}\n`);
  if (checksHash !== null) {
    // Read again: the copy for playback may have been made meanwhile.
    const now = readRecording(recording.folder);
    const verified = { proven: report.proven, at: report.at, checks: checksHash, ...(by && { by }) };
    writeRecording(recording.folder, { ...now, verified });
  }
  return report;
}

async function lookUntouched(
  wishes: Omit<VerifyWishes, 'times'>,
  script: Script,
  checks: Checks,
): Promise<CheckReport> {
  const { workspace, signal } = wishes;
  const task = script.recording.task.id;
  const stage = await setStageOf({ ...wishes, task }, stageFor(wishes, script));
  try {
    const files = await pathsOfTask(workspace.store, workspace.dir, task);
    const place = { home: stage.home, still: null, titles: null, files, answer: null };
    return await evaluateChecks(checks, place, stage.env, { signal });
  } finally {
    await endStageTelling(stage, wishes.progress);
  }
}
