import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { findMicrophones } from '../../../native/ffmpeg/microphones.ts';
import { passedOver } from '../../../native/log/log.ts';
import type { OutsidePictures } from '../../../native/screen/contract.ts';
import type { MicrophoneLevel, MicrophonesFound } from '../../../schemas/api/microphones.ts';
import type { RecorderState, ScreenPictures } from '../../../schemas/api/models.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import type { Recording } from '../../../schemas/recording.ts';
import type { FrontLists } from '../../capture/front.ts';
import { createGlancer, type Glancer, NO_PICTURES } from '../../capture/glancer.ts';
import { captureOrder } from '../../capture/order.ts';
import type { CaptureTarget, FromCapture, ToCapture } from '../../capture/protocol.ts';
import { parseShortcuts, type ShortcutName } from '../../capture/shortcuts.ts';
import { type RunningRecording, startRecording } from '../../capture/start.ts';
import { finishRecording } from '../../recordings/finish.ts';
import type { TextOptions } from '../../recordings/texts/read-texts.ts';
import { createHub } from '../../store/jobs/hub.ts';
import { whileBusy } from '../../store/patience.ts';
import { findPerson } from '../../store/people.ts';
import type { OpenWorkspace } from '../open-workspace.ts';
import { createEar, type Ear } from './ear.ts';
import { makeBehind, prepareWhenRoom } from './prepare.ts';
import { changesBy, diskFull, isOver, isShowable, NEW_RECORDING } from './state.ts';

type StartWishes = {
  task: string;
  target: CaptureTarget;
  fps: number;
  countdown: number;
  /** A person's id or name. */
  person: string | null;
  exclude: string[];
  only: string[];
  /** Words of windows into which only secrets are typed. */
  secretPrograms?: string[];
  /** Absent: where that is done by default. */
  elements?: boolean | undefined;
  /** Absent: with their names. */
  elementNames?: boolean | undefined;
  /** The microphone of the person's voice; an empty text: the usual one. Absent: no sound is recorded. */
  voice?: string | undefined;
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
  microphones(): Promise<MicrophonesFound>;
  /** How loud a microphone is; `device` null: the usual one. While something is recorded with a voice nothing else listens. */
  level(device: string | null): Promise<MicrophoneLevel>;
  /** Throws USAGE when nothing is recorded. */
  command(command: Exclude<ToCapture, { type: 'begin' }>): void;
  /** The recording that runs, or the last one until the next begins; null before the first. */
  state(): RecorderState | null;
  /** The state now, then each change. */
  watch(signal?: AbortSignal): AsyncGenerator<RecorderState | null>;
  /** Stops a running recording and waits until it is whole. */
  close(): Promise<void>;
};

export type RecorderOptions = {
  version: string;
  /** The user's shortcuts, by name (settings). */
  shortcuts(): Partial<Record<ShortcutName, string>>;
  /** How much "forget" forgets (settings). */
  forgetMinutes(): number;
  /** How texts in pictures are read (settings); null: not at all. */
  texts?(): TextOptions | null;
  /** Wayland: where the desktop app hands over pictures of the screen. */
  outside?: OutsidePictures;
  /** Tests play the one that takes pictures. */
  glancer?: Glancer;
  /** Tests play the microphone. */
  ear?: Ear;
  /** Tests play the capture process. */
  startCapture?: typeof startRecording;
};

const INPUT_UNHEARD =
  'This is a Wayland session: keys and clicks are heard only in programs that run under X11, so other steps would be missing among the actions, and windows of other programs are not left out. ' +
  'Accept that (partialInput), or log in to an X11 session, where everything is heard.';

const NO_LISTS: FrontLists = { exclude: [], only: [] };

export const createRecorderService = (options: RecorderOptions): Recorder => new MachineRecorder(options);

class MachineRecorder implements Recorder {
  readonly #options: RecorderOptions;
  readonly #glancer: Glancer;
  readonly #ear: Ear;
  readonly #hub = createHub<RecorderState>();
  /** The windows that the running recording leaves out. */
  #lists: FrontLists = NO_LISTS;
  #state: RecorderState | null = null;
  #running: RunningRecording | null = null;
  /** The end of the recording that was started last. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#glancer = options.glancer ?? createGlancer();
    this.#ear = options.ear ?? createEar({ ffmpeg: findFfmpeg });
  }

  async start(open: OpenWorkspace, wishes: StartWishes): Promise<RecorderState> {
    const { version, shortcuts, forgetMinutes, outside, startCapture = startRecording } = this.#options;
    const before = this.#state;
    if (before && !isOver(before)) {
      throw new StudioError('WORKSPACE_BUSY', `Recording ${before.recording} is under way. Stop it first.`, {
        recording: before.recording,
      });
    }
    if (outside && !wishes.partialInput) throw new StudioError('USAGE', INPUT_UNHEARD, { partialInput: false });
    // Taken before the first wait, so that of two starts at once one is refused.
    this.#state = { ...NEW_RECORDING, task: wishes.task };
    // Some microphones have room for one listener.
    this.#ear.close();
    try {
      const { workspace } = open;
      const ffmpeg = await findFfmpeg();
      const keys = shortcuts();
      const minutes = forgetMinutes();
      parseShortcuts(keys);
      const task = await workspace.getTask(wishes.task);
      const software = await workspace.findSoftware(task.software);
      const person = wishes.person === null ? null : await findPerson(workspace.store, wishes.person);
      const lock = await whileBusy(() => workspace.lockRecorder());
      const release = (): Promise<void> =>
        whileBusy(() => lock.release()).catch(passedOver('recorder not released', { workspace: open.id }));
      const { target, fps, countdown, exclude, only, elements = 'by-default', elementNames } = wishes;
      const { secretPrograms } = wishes;
      this.#lists = { exclude, only };
      const order = captureOrder(workspace, {
        ffmpeg,
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
        elementNames,
        ...(secretPrograms && { secretPrograms }),
        ...(wishes.voice !== undefined && { voice: { device: wishes.voice || null } }),
        person: person?.name ?? wishes.person,
        ...(outside && { outside }),
      });
      const isShared = outside !== undefined;
      this.#state = {
        ...NEW_RECORDING,
        recording: order.id,
        task: task.id,
        forgetMinutes: minutes,
        countdown: countdown > 0 ? countdown : null,
        ...(isShared && { shared: true }),
      };
      let running: RunningRecording;
      try {
        running = startCapture(order, (message) => this.#follow(message));
      } catch (error) {
        await release();
        throw error;
      }
      this.#running = running;
      this.#hub.publish(this.#state);
      open.changes.publish({ what: 'recordings' });
      this.#work = this.#finish(open, order.folder, running, ffmpeg).finally(() => {
        this.#running = null;
        return release();
      });
      return this.#state;
    } catch (error) {
      this.#state = null;
      throw error;
    }
  }

  async pictures(wishes: FrontLists): Promise<ScreenPictures> {
    if (this.#options.outside) return NO_PICTURES;
    const now = this.#state && !isOver(this.#state) ? this.#state : null;
    if (!this.#mayShow()) return NO_PICTURES;
    const exclude = [...wishes.exclude, ...(now ? this.#lists.exclude : [])];
    // A program must be in both lists, where there are two: the recording's is the stricter one then.
    const only = now && this.#lists.only.length > 0 ? this.#lists.only : wishes.only;
    const view = now?.phase === 'recording' ? (now.view ?? null) : null;
    const taken = await this.#glancer.take({ exclude, only, view });
    // A pause that began meanwhile.
    return this.#mayShow() ? taken : NO_PICTURES;
  }

  async microphones(): Promise<MicrophonesFound> {
    const { found, why } = await findMicrophones(await findFfmpeg());
    return { microphones: found, why };
  }

  async level(device: string | null): Promise<MicrophoneLevel> {
    if (this.#state && !isOver(this.#state)) return { level: null, problem: 'A recording is under way.' };
    return this.#ear.level(device);
  }

  command(command: Exclude<ToCapture, { type: 'begin' }>): void {
    if (!this.#running || !this.#state || isOver(this.#state)) {
      throw new StudioError('USAGE', 'Nothing is being recorded.', { command: command.type });
    }
    this.#running.send(command);
  }

  state(): RecorderState | null {
    return this.#state;
  }

  async *watch(signal?: AbortSignal): AsyncGenerator<RecorderState | null> {
    const changes = this.#hub.subscribe(signal);
    yield this.#state;
    yield* changes;
  }

  async close(): Promise<void> {
    this.#glancer.close();
    this.#ear.close();
    this.#running?.send({ type: 'stop', why: 'studio' });
    await this.#work;
    this.#hub.close();
  }

  #mayShow(): boolean {
    return !this.#state || isOver(this.#state) || isShowable(this.#state);
  }

  #set(changes: Partial<RecorderState>): void {
    if (!this.#state) return;
    this.#state = { ...this.#state, ...changes };
    this.#hub.publish(this.#state);
  }

  #follow(message: FromCapture): void {
    if (this.#state) this.#set(changesBy(message, this.#state));
  }

  /** Waits for the recording's end, and makes what a closed recording has. */
  async #finish(
    open: OpenWorkspace,
    folder: string,
    capture: RunningRecording,
    ffmpeg: Awaited<ReturnType<typeof findFfmpeg>>,
  ): Promise<void> {
    let recording: Recording | null = null;
    try {
      recording = await capture.result;
      const { frames, dropped, events } = recording.counts;
      this.#set({ phase: 'keyframes', frames, dropped, events, paused: null });
      const { warnings, copyBehind, waits } = await finishRecording(open.workspace, folder, {
        ffmpeg,
        playback: 'behind',
        progress: () => undefined,
      });
      for (const message of warnings) this.#follow({ type: 'notice', code: 'not-made', message });
      // Known at the stop alone; all else was said when it happened.
      for (const warning of recording.warnings) {
        if (warning.code === 'keys-withheld' || warning.code === 'keys-unknown')
          this.#follow({ type: 'notice', ...warning });
      }
      await open.begin(recording.id);
      if (recording.verdict?.endedBy === 'disk-full' || waits?.code === 'DISK_FULL') {
        this.#set({ phase: 'failed', kept: true, error: diskFull(recording, folder) });
      } else this.#set({ phase: 'done' });
      if (waits?.code === 'DISK_FULL') void prepareWhenRoom(open, recording.id, folder);
      // The person goes on with the steps meanwhile; a studio that is closed before makes it at the next opening.
      const texts = this.#options.texts?.() ?? null;
      await makeBehind(open, recording.id, folder, { texts, copy: copyBehind });
    } catch (error) {
      const { code, message } = errorBody(error);
      const full = code === 'DISK_FULL' ? recording : null;
      // Its folder is gone, but a list that was just read still has it.
      if (!recording) await open.refresh({ now: true }).catch(passedOver('folders not read', { workspace: open.id }));
      this.#set({
        phase: 'failed',
        kept: recording !== null,
        error: full ? diskFull(full, folder) : { code, message },
      });
      if (full) void prepareWhenRoom(open, full.id, folder);
    }
    open.changes.publish({ what: 'recordings' });
    open.changes.publish({ what: 'tasks' });
  }
}
