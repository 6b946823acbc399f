import { join } from 'node:path';
import { decisiveSteps, isGoodPlay, verdictOf } from '../../core/play/verify.ts';
import type { CheckReport, Checks } from '../../schemas/checks.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { PlayReport } from '../../schemas/play.ts';
import { VERIFY_SCHEMA, type VerifiedPlay, type VerifyReport, type WithoutStep } from '../../schemas/verify.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { hashOfChecks } from '../store/task-files.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { evaluateChecks } from './checks/evaluate.ts';
import { type PlayWishes, play, stageFor } from './play.ts';
import { pathsOfTask } from './recipe.ts';
import { type Script, scriptOf } from './script.ts';

/** The verdict, in the folder of the demonstration. */
const VERIFY_FILE = 'verify.json';

type VerifyWishes = Omit<PlayWishes, 'stage' | 'leaveOut'> & { times: number };

/**
 * Proves a demonstration, each part on a stage of its own: looks at its checks before anything was done, plays it, and plays
 * it with a decisive step left out. Stores the verdict and gives it. Throws USAGE without checks or a recipe, CANCELLED, and
 * what playing throws.
 */
export async function verify({ times, ...wishes }: VerifyWishes): Promise<VerifyReport> {
  const { workspace, recording, ffmpeg, signal, progress } = wishes;
  const script = await scriptOf(recording.folder, ffmpeg, signal);
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
  const perform = async (leaveOut?: string): Promise<PlayReport> => {
    const report = await play({ ...wishes, stage: 'virtual', ...(leaveOut !== undefined && { leaveOut }) });
    if (signal.aborted) throw new StudioError('CANCELLED', 'It was stopped before there was a verdict.', {});
    return report;
  };
  progress('checks before anything was done …');
  const untouched = await lookUntouched(wishes, script, checks);
  const plays: VerifiedPlay[] = [];
  while (plays.length < times) {
    progress(`play ${plays.length + 1} of ${times}`);
    const { played, agreed, of, passed, why } = await perform();
    plays.push({ played, agreed, of, passed: passed === true, why });
  }
  const without: WithoutStep[] = [];
  // Checks that pass on an untouched stage would pass without any step, too.
  const tries = plays.some(isGoodPlay) && !untouched.passed ? decisiveSteps(script.actions) : [];
  for (const index of tries) {
    const step = script.actions[index]?.id ?? '';
    progress(`play without step ${index + 1}`);
    const { played, passed } = await perform(step);
    without.push({ step, number: index + 1, played, passed: passed === true });
    if (passed !== true) break;
  }
  const report: VerifyReport = {
    schema: VERIFY_SCHEMA,
    version: 1,
    recording: recording.id,
    at: new Date().toISOString(),
    ...verdictOf({ checks, untouched, plays, without }),
    untouched,
    plays,
    without,
  };
  writeFileAtomic(join(recording.folder, VERIFY_FILE), `${JSON.stringify(report, null, 2)}\n`);
  if (checksHash !== null) {
    // As it stands now: the copy for playback may have been made meanwhile.
    const now = readRecording(recording.folder);
    const verified = { proven: report.proven, at: report.at, checks: checksHash };
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
  const stage = await stageFor(workspace, wishes, script);
  try {
    const files = await pathsOfTask(workspace.db, workspace.dir, script.recording.task.id);
    const place = { home: stage.home, still: null, titles: null, files, answer: null };
    return await evaluateChecks(checks, place, { ...process.env, ...stage.state.env }, { signal });
  } finally {
    await stage.end();
  }
}
