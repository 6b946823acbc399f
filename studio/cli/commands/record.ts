import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { soundSources } from '../../../native/ffmpeg/microphone.ts';
import { passedOver } from '../../../native/log/log.ts';
import { ERROR_EXIT, StudioError } from '../../../schemas/errors.ts';
import type { Recording } from '../../../schemas/recording.ts';
import { FORGET_MINUTES } from '../../../schemas/shortcuts.ts';
import { captureOrder } from '../../capture/order.ts';
import type { CaptureOrder, CaptureTarget } from '../../capture/protocol.ts';
import { DEFAULT_SHORTCUTS, parseShortcuts } from '../../capture/shortcuts.ts';
import { newRecordingId, startRecording } from '../../capture/start.ts';
import { beginDemonstration, endBeginning, giveUpBeginning, removeKilled, taskNoteOf } from '../../import/leftovers.ts';
import { stageClockIn } from '../../play/stage/clock.ts';
import { findStage, presentStage } from '../../play/stage/stage.ts';
import { finishRecording } from '../../recordings/finish.ts';
import { makeCopyBehind } from '../../recordings/playback.ts';
import { type LaunchCommand, launchCommandOf, launchSpeaking } from '../../session/recorder/launch.ts';
import { ensureNotedTask } from '../../store/made-task.ts';
import { whileBusy } from '../../store/patience.ts';
import { addSoftware, findSoftware, type Software } from '../../store/software.ts';
import type { Task } from '../../store/tasks.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { DATABASE_FILE, isWorkspace } from '../../store/workspace-file.ts';
import { askYes, canAsk } from '../ask.ts';
import { environmentOfOthers } from '../compiled.ts';
import { type CliContext, examples } from '../context.ts';
import { recordingProgress } from '../recording-progress.ts';
import { parseDuration, parseRegion, parseWhole } from '../values.ts';
import { collect, workspaceOption } from './options.ts';
import { checkedLines, checkedOnStage } from './stage-checked.ts';

type Options = {
  workspace: string;
  app?: string;
  newApp?: string;
  goal: string;
  task?: string;
  display?: string;
  region?: string;
  window?: string;
  fps: string;
  duration?: string;
  countdown: string;
  person?: string;
  exclude: string[];
  only: string[];
  secretProgram: string[];
  stopShortcut: string;
  pauseShortcut: string;
  privacyShortcut: string;
  markShortcut: string;
  momentShortcut: string;
  forgetShortcut: string;
  forget: string;
  minFree: string;
  syncCheck: boolean;
  playback: boolean;
  elements?: boolean;
  elementNames: boolean;
  voice?: string | true;
  launch?: string;
  stage?: string;
};

/** `record`: one demonstration. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('record')
    .description('record a demonstration until --duration, the stop shortcut, Ctrl+C or SIGTERM')
    .option('--app <name>', 'the software that is demonstrated')
    .option('--new-app <name>', 'like --app, and adds it to the workspace if it is not there yet')
    .requiredOption('--goal <text>', 'the goal, in words')
    .option('--task <id>', "the task's id, such as PPT_15; the next free one when left out")
    .option('--display <id>', 'the display, from 1 (default: the primary one)')
    .option('--region <x,y,w,h>', 'a rectangle of the virtual desktop, physical pixels')
    .option('--window <title>', 'the window whose title contains this text; it is followed when it moves')
    .option('--fps <number>', 'frames a second, 5 to 60', '30')
    .option('--duration <time>', 'stop after this long: 20s, 2m')
    .option('--countdown <seconds>', 'wait this long before it starts', '0')
    .option('--person <name>', 'who demonstrates')
    .option(
      '--exclude <word>',
      'pause while an application or title with this word is active (repeatable)',
      collect,
      [],
    )
    .option('--only <program>', 'record only while a program with this in its name is active (repeatable)', collect, [])
    .option(
      '--secret-program <word>',
      'withhold all that is typed while an application or title with this word has the keyboard (repeatable)',
      collect,
      [],
    )
    .option('--stop-shortcut <keys>', 'ends the recording', DEFAULT_SHORTCUTS.stop)
    .option('--pause-shortcut <keys>', 'pauses and resumes', DEFAULT_SHORTCUTS.pause)
    .option('--privacy-shortcut <keys>', 'pauses for private work and resumes', DEFAULT_SHORTCUTS.privacy)
    .option('--mark-shortcut <keys>', 'marks the end of a subtask', DEFAULT_SHORTCUTS.mark)
    .option('--moment-shortcut <keys>', 'marks a moment to come back to (`marks`)', DEFAULT_SHORTCUTS.moment)
    .option('--forget-shortcut <keys>', 'forgets the last part of the recording', DEFAULT_SHORTCUTS.forget)
    .option('--forget <time>', 'how much --forget-shortcut forgets: 30s, 2m', `${FORGET_MINUTES.usual}m`)
    .option('--min-free <MB>', 'stop when less than this is free on the disk', '64')
    .option('--no-sync-check', 'do not check the clock against the screen')
    .option('--no-playback', 'do not make a small copy for playback')
    .option(
      '--elements',
      'ask programs for the element at each press, and withhold keys in their password fields (X11, where it is on by default; Windows, macOS)',
    )
    .option('--no-elements', 'do not')
    .option('--no-element-names', 'record their roles and boxes alone: names may quote a document or a contact')
    .option(
      '--voice [device]',
      'record what you say, too, from this microphone (as "ffmpeg -sources pulse" names it), or the usual one; off by default',
    )
    .option('--launch <command>', 'start this program so that it reports its elements, and record them')
    .option('--stage <id>', 'record on this stage (`stage new`), by its id or its task')
    .action((options: Options) => record(options, context));
  workspaceOption(command);
  examples(command, [
    ['record --workspace W --app gimp --goal "Crop the picture" --duration 20s', 'the primary display, for 20 seconds'],
    ['record --workspace W --app gimp --goal "Crop the picture" --window GIMP --fps 60', 'one window'],
    ['record --workspace W --new-app "Leaf Pad" --goal "Write a note"', 'a program that no list knows yet'],
    ['record --workspace W --app gimp --goal "Crop the picture" --exclude KeePass', 'nothing of the password manager'],
    ['record --workspace W --app gimp --goal "Crop the picture" --only gimp', 'nothing but GIMP'],
    [
      'record --workspace W --app gimp --goal "Crop the picture" --launch "gimp photo.png"',
      'steps know their elements',
    ],
  ]);
}

function targetOf({ display, region, window }: Options): CaptureTarget {
  if ([display, region, window].filter((o) => o !== undefined).length > 1) {
    throw new StudioError('USAGE', 'Give one of --display, --region and --window.', {});
  }
  if (region !== undefined) return { kind: 'region', region: parseRegion(region) };
  if (window !== undefined) return { kind: 'window', title: window };
  return { kind: 'display', display: display === undefined ? null : parseWhole('--display', display, 1, 64) };
}

const WHICH_APP =
  'Give one of --app and --new-app: the software that is demonstrated. `software list` shows those that are known.';

/** `--app` that is not known is added when the person at the terminal says so. Throws UNKNOWN_APP. */
async function softwareOf({ store }: Workspace, { app, newApp = '' }: Options): Promise<Software> {
  try {
    return await findSoftware(store, app ?? newApp);
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'UNKNOWN_APP') throw error;
    if (app !== undefined && !(await isToBeAdded(app, error.details.nearest))) {
      throw new StudioError('UNKNOWN_APP', `${error.message} Or record with --new-app "${app}".`, error.details);
    }
    return addSoftware(store, { name: app ?? newApp });
  }
}

/** Asked once; without a terminal nothing is added that may be a slip of the pen. */
async function isToBeAdded(name: string, nearest: unknown): Promise<boolean> {
  if (!canAsk()) return false;
  const like =
    Array.isArray(nearest) && nearest.length > 0 ? ` (known here and most alike: ${nearest.join(', ')})` : '';
  return askYes(`No software "${name}" is known here${like}. Add it?`);
}

async function record(options: Options, context: CliContext): Promise<void> {
  // Everything that can be said to be wrong is said before anything is made.
  const target = targetOf(options);
  if ((options.app === undefined) === (options.newApp === undefined)) throw new StudioError('USAGE', WHICH_APP, {});
  const shortcuts = {
    stop: options.stopShortcut,
    pause: options.pauseShortcut,
    privacy: options.privacyShortcut,
    mark: options.markShortcut,
    moment: options.momentShortcut,
    forget: options.forgetShortcut,
  };
  parseShortcuts(shortcuts);
  const fps = parseWhole('--fps', options.fps, 5, 60);
  const countdownSeconds = parseWhole('--countdown', options.countdown, 0, 600);
  const minFreeBytes = parseWhole('--min-free', options.minFree, 0, 1_000_000) * 2 ** 20;
  const forgetMs = parseDuration('--forget', options.forget);
  const durationMs = options.duration === undefined ? null : parseDuration('--duration', options.duration);
  const stage = options.stage === undefined ? null : findStage(options.stage, resolve(options.workspace));
  const { env } = stage ?? presentStage();
  if (typeof options.voice === 'string') soundSources(options.voice, process.platform);
  if (options.elements === false && options.secretProgram.length > 0)
    throw new StudioError('USAGE', '--secret-program needs what --no-elements turns off: leave one of them out.', {});
  const launch = options.launch === undefined ? null : launchCommandOf(options.launch);
  const ffmpeg = await findFfmpeg();

  const undo = leaveNothing(options.workspace);
  const workspace = openWorkspace(options.workspace, { create: true });
  let begun = false;
  try {
    await removeKilled(workspace);
    const software = await softwareOf(workspace, options);
    const lock = await whileBusy(() => workspace.lockRecorder());
    try {
      const id = newRecordingId();
      const place = beginDemonstration(workspace.recordingsDir, id);
      const orderFor = (task: Task): CaptureOrder =>
        captureOrder(workspace, {
          ffmpeg,
          software,
          task,
          id,
          version: context.version,
          target,
          fps,
          countdownSeconds,
          shortcuts,
          forgetMs,
          exclude: options.exclude,
          only: options.only,
          person: options.person ?? null,
          durationMs,
          minFreeBytes,
          syncCheck: options.syncCheck,
          elements: options.elements ?? (launch !== null || 'by-default'),
          elementNames: options.elementNames,
          secretPrograms: options.secretProgram,
          stageClock: stageClockIn(env),
          ...(options.voice !== undefined && { voice: { device: options.voice === true ? null : options.voice } }),
        });
      const { folder, recording } = await noted(workspace, place, async () => {
        const wanted = { id: options.task, software, goal: options.goal };
        const order = orderFor(await ensureNotedTask(workspace.store, taskNoteOf(place), wanted));
        return { folder: order.folder, recording: await run(order, context, env, launch) };
      });
      begun = true;
      // Now, while the stage is as the last step left it.
      const checked = stage && (await checkedOnStage(workspace, recording.task.id, stage));
      const { actions, warnings, copyBehind } = await finishRecording(workspace, folder, {
        ffmpeg,
        playback: options.playback ? 'behind' : 'none',
        progress: sayOnce(context),
      });
      for (const warning of warnings) context.progress(`warning: ${warning}`);
      const copy = copyBehind ? { pid: makeCopyBehind(folder) } : null;
      context.setStatus(statusOf(recording));
      context.result(
        {
          ...summary(recording, folder),
          warnings,
          playback: copy,
          checks: checked && 'report' in checked ? checked.report : null,
        },
        [text(recording, folder, actions, copy), ...checkedLines(checked, recording.task.id)].join('\n'),
      );
    } finally {
      await whileBusy(() => lock.release()).catch(passedOver('recorder not released'));
    }
  } finally {
    workspace.close();
    if (!begun) undo();
  }
}

/** Does `work`; when it fails, changes of a task that were made for the recording are undone. After a kill the next command does. */
async function noted<T>(workspace: Workspace, place: string, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    await endBeginning(place);
    return done;
  } catch (error) {
    // Something of it may be there all the same. While the index cannot say so, the note stays.
    await workspace.syncIndex().then(
      () => giveUpBeginning(workspace, place),
      () => undefined,
    );
    throw error;
  }
}

/** The counts of single pictures are for a page's bar; a terminal is told what begins and what went wrong. */
function sayOnce(context: CliContext): (text: string) => void {
  return (text) => {
    if (!text.startsWith('keyframes: ')) context.progress(text);
  };
}

/** Removes a workspace again that was made for a recording which could not begin. */
function leaveNothing(dir: string): () => void {
  if (isWorkspace(dir)) return () => undefined;
  const stays = existsSync(dir);
  return () => {
    const made = ['recordings', 'exports', DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`].map((n) =>
      join(dir, n),
    );
    const recordings = join(dir, 'recordings');
    if (!existsSync(recordings) || readdirSync(recordings).length > 0) return;
    for (const path of stays ? made : [dir]) rmSync(path, { recursive: true, force: true });
  };
}

async function run(
  order: CaptureOrder,
  context: CliContext,
  env: NodeJS.ProcessEnv,
  launch: LaunchCommand | null,
): Promise<Recording> {
  const launched = launch && (await launchSpeaking(launch, environmentOfOthers(env)));
  if (launched) context.progress(`started ${launch.program} (process ${launched.pid})`);
  const running = startRecording(order, recordingProgress(order, context.progress), env);
  const stop = () => running.send({ type: 'stop', why: 'signal' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    return await running.result;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** A recording that did not end as it was meant to is kept, and told by the exit status too. */
function statusOf({ verdict }: Recording): number {
  if (verdict?.kind === 'complete') return 0;
  if (verdict?.endedBy === 'disk-full') return ERROR_EXIT.DISK_FULL;
  return verdict?.kind === 'damaged' ? ERROR_EXIT.RECORDING_DAMAGED : ERROR_EXIT.CAPTURE_FAILED;
}

/** The playback copy that is still being made, by which process; null where none is wanted. */
type Copy = { pid: number | null } | null;

function summary(recording: Recording, folder: string) {
  const { frames, dropped, late, black, events } = recording.counts;
  return {
    recording: recording.id,
    folder,
    verdict: recording.verdict,
    frames,
    dropped,
    late,
    black,
    events,
    sync: recording.sync,
    withheld: recording.warnings.find(({ code }) => code === 'keys-withheld')?.message ?? null,
  };
}

/** What the person has to know of secrets in it, and of text that may be wrong. */
const SAID_AT_STOP: ReadonlySet<string> = new Set([
  'keys-withheld',
  'password-shown',
  'keyboard-hidden',
  'passwords-not-told',
  'layout-unknown',
  'keys-unknown',
  'voice-missing',
  'voice-lost',
  'voice-silent',
]);

function text(recording: Recording, folder: string, actions: number | null, copy: Copy): string {
  const { verdict, counts, sync } = recording;
  const lines = [
    `recording ${recording.id}: ${verdict?.kind}${verdict?.missing.length ? ` (missing: ${verdict.missing.join('; ')})` : ''}`,
    `  ${plural(counts.frames, 'frame')} (${counts.dropped} dropped), ${plural(counts.events, 'event')}, ${actions === null ? '? actions' : plural(actions, 'action')}`,
    `  sync: ${sync?.message ?? 'not checked'}`,
    ...recording.warnings.flatMap(({ code, message }) => (SAID_AT_STOP.has(code) ? [`  ${message}`] : [])),
    `  ${folder}`,
  ];
  if (copy?.pid)
    lines.push(`  still being made, by process ${copy.pid}: the small copy for playback; the steps do not need it`);
  else if (copy) lines.push('  the small copy for playback is made when the workspace is opened');
  return lines.join('\n');
}
