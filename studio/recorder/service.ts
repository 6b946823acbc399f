import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import type { OutsidePictures } from '../../native/screen/contract.ts';
import type { RecorderState, ScreenPictures } from '../../schemas/api/models.ts';
import { type ErrorBody, errorBody, StudioError } from '../../schemas/errors.ts';
import type { Recording } from '../../schemas/recording.ts';
import type { FrontLists } from '../capture/front.ts';
import type { CaptureTarget, FromCapture, ToCapture } from '../capture/protocol.ts';
import { parseShortcuts, type ShortcutName } from '../capture/shortcuts.ts';
import { type RunningRecording, startRecording } from '../capture/start.ts';
import { createHub } from '../jobs/hub.ts';
import { finishRecording } from '../recordings/finish.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { whileBusy } from '../store/patience.ts';
import { findPerson } from '../store/people.ts';
import { createGlancer, type Glancer, NO_PICTURES } from './glancer.ts';
import { captureOrder } from './order.ts';
import { makeCopy, prepareWhenRoom } from './prepare.ts';

type StartWishes = {
  task: string;
  target: CaptureTarget;
  fps: number;
  countdown: number;
  /** A person's id or name. */
  person: string | null;
  exclude: string[];
  only: string[];
  elements?: boolean;
  /** In a Wayland session: the person knows that only X11 programs' input is heard. */
  partialInput?: boolean;
};

/** The one recorder of this machine: at most one recording at a time, seen by every page. */
export type Recorder = {
  /**
   * Throws WORKSPACE_BUSY while another recording runs, UNKNOWN_TASK, NO_FFMPEG, USAGE where input would go unheard and
   * that was not accepted; what fails later is in the state.
   */
  start(open: OpenWorkspace, wishes: StartWishes): Promise<RecorderState>;
  /**
   * Small pictures of displays, windows and what is recorded, without what the lists leave out. None during a pause in
   * which nothing may be kept, and where the system asks before it shows its screen.
   */
  pictures(lists: FrontLists): Promise<ScreenPictures>;
  /** Throws USAGE when nothing is recorded. */
  command(command: Exclude<ToCapture, { type: 'begin' }>): void;
  /** The recording that runs, or the last one until the next begins; null before the first. */
  state(): RecorderState | null;
  /** The state now, then each change. */
  watch(signal?: AbortSignal): AsyncGenerator<RecorderState | null>;
  /** Stops a running recording and waits until it is whole. */
  close(): Promise<void>;
};

type RecorderOptions = {
  version: string;
  /** The user's shortcuts, by name (settings). */
  shortcuts(): Partial<Record<ShortcutName, string>>;
  /** How much "forget" forgets (settings). */
  forgetMinutes(): number;
  /** Wayland: where the desktop app hands over pictures of the screen. */
  outside?: OutsidePictures;
  /** Tests play the one that takes pictures. */
  glancer?: Glancer;
  /** Tests play the capture process. */
  startCapture?: typeof startRecording;
};

const INPUT_UNHEARD =
  'This is a Wayland session: keys and clicks are heard only in programs that run under X11, so other steps would be missing among the actions, and windows of other programs are not left out. ' +
  'Accept that (partialInput), or log in to an X11 session, where everything is heard.';

const OVER: readonly RecorderState['phase'][] = ['done', 'failed'];

export function createRecorderService(options: RecorderOptions): Recorder {
  const { version, shortcuts, forgetMinutes, outside, startCapture = startRecording } = options;
  const glancer = options.glancer ?? createGlancer();
  /** What the running recording leaves out. */
  let lists: FrontLists = NO_LISTS;
  const hub = createHub<RecorderState>();
  let state: RecorderState | null = null;
  let running: RunningRecording | null = null;
  let work: Promise<void> = Promise.resolve();

  function set(changes: Partial<RecorderState>): void {
    if (!state) return;
    state = { ...state, ...changes };
    hub.publish(state);
  }

  async function start(open: OpenWorkspace, wishes: StartWishes): Promise<RecorderState> {
    if (state && !OVER.includes(state.phase)) {
      throw new StudioError('WORKSPACE_BUSY', `Recording ${state.recording} is under way. Stop it first.`, {
        recording: state.recording,
      });
    }
    if (outside && !wishes.partialInput) throw new StudioError('USAGE', INPUT_UNHEARD, { partialInput: false });
    // Taken before the first wait, so that of two starts at once one is refused.
    state = { ...EMPTY, task: wishes.task };
    try {
      const { workspace } = open;
      const ffmpeg = await findFfmpeg();
      const keys = shortcuts();
      const minutes = forgetMinutes();
      parseShortcuts(keys);
      const task = await workspace.getTask(wishes.task);
      const software = await workspace.findSoftware(task.software);
      const person = wishes.person === null ? null : await findPerson(workspace.db, wishes.person);
      const lock = await whileBusy(() => workspace.lockRecorder());
      const release = (): Promise<void> => whileBusy(() => lock.release()).catch(() => undefined);
      const { target, fps, countdown, exclude, only, elements = false } = wishes;
      lists = { exclude, only };
      const order = captureOrder(workspace, {
        software,
        task,
        version,
        target,
        fps,
        countdownSeconds: countdown,
        shortcuts: keys,
        forgetMs: minutes * 60_000,
        exclude,
        only,
        elements,
        person: person?.name ?? wishes.person,
        ...(outside && { outside }),
      });
      const isShared = outside !== undefined;
      state = {
        ...EMPTY,
        recording: order.id,
        task: task.id,
        forgetMinutes: minutes,
        countdown: countdown > 0 ? countdown : null,
        ...(isShared && { shared: true }),
      };
      try {
        running = startCapture(order, follow);
      } catch (error) {
        await release();
        throw error;
      }
      hub.publish(state);
      open.changes.publish({ what: 'recordings' });
      work = finish(open, order.folder, running, ffmpeg).finally(() => {
        running = null;
        return release();
      });
      return state;
    } catch (error) {
      state = null;
      throw error;
    }
  }

  function follow(message: FromCapture): void {
    if (state) set(changesBy(message, state));
  }

  async function finish(
    open: OpenWorkspace,
    folder: string,
    capture: RunningRecording,
    ffmpeg: Awaited<ReturnType<typeof findFfmpeg>>,
  ): Promise<void> {
    let recording: Recording | null = null;
    try {
      recording = await capture.result;
      const { frames, dropped, events } = recording.counts;
      set({ phase: 'keyframes', frames, dropped, events, paused: null });
      const { warnings, copyBehind, waits } = await finishRecording(open.workspace, folder, {
        ffmpeg,
        playback: 'behind',
        progress: () => undefined,
      });
      for (const message of warnings) follow({ type: 'notice', code: 'not-made', message });
      await open.begin(recording.id);
      if (recording.verdict?.endedBy === 'disk-full' || waits?.code === 'DISK_FULL') {
        set({ phase: 'failed', kept: true, error: diskFull(recording, folder) });
      } else set({ phase: 'done' });
      if (waits?.code === 'DISK_FULL') void prepareWhenRoom(open, recording.id, folder);
      // The person goes on with the steps meanwhile; a studio that is closed before makes it at the next opening.
      if (copyBehind) await makeCopy(open, recording.id, folder).catch(() => undefined);
    } catch (error) {
      const { code, message } = errorBody(error);
      const full = code === 'DISK_FULL' ? recording : null;
      set({
        phase: 'failed',
        kept: recording !== null,
        error: full ? diskFull(full, folder) : { code, message },
      });
      if (full) void prepareWhenRoom(open, full.id, folder);
    }
    open.changes.publish({ what: 'recordings' });
    open.changes.publish({ what: 'tasks' });
  }

  async function pictures(wishes: FrontLists): Promise<ScreenPictures> {
    if (outside) return NO_PICTURES;
    const now = state && !OVER.includes(state.phase) ? state : null;
    const isKept = (): boolean => !state || OVER.includes(state.phase) || isShowable(state.paused);
    if (!isKept()) return NO_PICTURES;
    const exclude = [...wishes.exclude, ...(now ? lists.exclude : [])];
    // A program must be in both lists, where there are two: the recording's is the stricter one then.
    const only = now && lists.only.length > 0 ? lists.only : wishes.only;
    const view = now?.phase === 'recording' ? (now.view ?? null) : null;
    const taken = await glancer.take({ exclude, only, view });
    // A pause that began meanwhile.
    return isKept() ? taken : NO_PICTURES;
  }

  return {
    start,
    pictures,
    command(command) {
      if (!running || !state || OVER.includes(state.phase)) {
        throw new StudioError('USAGE', 'Nothing is being recorded.', { command: command.type });
      }
      running.send(command);
    },
    state: () => state,
    async *watch(signal) {
      const changes = hub.subscribe(signal);
      yield state;
      yield* changes;
    },
    async close() {
      glancer.close();
      running?.send({ type: 'stop', why: 'studio' });
      await work;
      hub.close();
    },
  };
}

/** The person works elsewhere while it records: they must not find a recording that ended early without a word. */
function diskFull({ verdict, span }: Recording, folder: string): Pick<ErrorBody, 'code' | 'message'> {
  const early = verdict?.endedBy === 'disk-full';
  const end = span ? ` at ${((span.end - span.start) / 1e6).toFixed(1)} s` : '';
  const what = early
    ? `so the recording was stopped${end}. Everything until then is kept`
    : 'The recording is kept whole';
  return {
    code: 'DISK_FULL',
    message: `The disk that holds ${folder} is full${early ? ', ' : '. '}${what}. Free some space: what is missing of its pictures is made then by itself.`,
  };
}

/** The changes that a message of the capture process makes to the state. */
function changesBy(message: FromCapture, state: RecorderState): Partial<RecorderState> {
  switch (message.type) {
    case 'view':
      return { view: message.view };
    case 'countdown':
      return { phase: 'countdown', countdown: message.seconds };
    case 'started':
      return { phase: 'recording', countdown: null, paused: null, view: message.view };
    case 'stats': {
      const { t, frames, dropped, events, freeBytes, paused } = message.stats;
      return { t, frames, dropped, events, freeBytes, paused };
    }
    case 'paused':
      return { paused: message.reason };
    case 'mark':
      return { marks: state.marks + 1 };
    case 'forgotten': {
      const { message: words, frames, events, marks, t } = message;
      const times = (state.forgotten?.times ?? 0) + 1;
      return { frames, events, marks, t, forgotten: { times, message: words } };
    }
    case 'notice':
      return { notices: [...state.notices, { code: message.code, message: message.message }].slice(-MOST_NOTICES) };
    case 'closing':
      return { phase: 'closing', countdown: null };
    default:
      return {}; // `closed` and `refused` come through `result`.
  }
}

const MOST_NOTICES = 50;
const NO_LISTS: FrontLists = { exclude: [], only: [] };
/** The check of the clock is no secret; every other pause is one. */
const isShowable = (paused: RecorderState['paused']): boolean => paused === null || paused === 'sync';

const EMPTY: RecorderState = {
  recording: '',
  task: '',
  phase: 'starting',
  countdown: null,
  paused: null,
  t: 0,
  frames: 0,
  dropped: 0,
  events: 0,
  freeBytes: null,
  marks: 0,
  view: null,
  notices: [],
  error: null,
};
