import { pressStepOf } from '../../core/keyframes/choose.ts';
import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { CaptureHost } from '../../native/platform/platform.ts';
import { DISPLAY_GONE, type ScreenRecorder } from '../../native/screen/contract.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import type { MarkKind } from '../../schemas/events.ts';
import type { CaptureInfo, Recording } from '../../schemas/recording.ts';
import { writeRecording } from '../store/recording-folder.ts';
import { type CapturedView, capturedView } from './captured-view.ts';
import { closeRecording, type Ending } from './close.ts';
import { type DesktopState, desktopState } from './desktop-state.ts';
import { draftOf } from './draft.ts';
import { askLater, elementsFor } from './elements.ts';
import { everySecond } from './every-second.ts';
import { createForgetting, type LiveForgetting } from './forget-live.ts';
import { hasLists, judgeFront } from './front.ts';
import { createGate, type Gate } from './gate.ts';
import { createInputLog, type InputLog } from './input-log.ts';
import type { Line } from './line.ts';
import { type Opened, openForCapture } from './open-capture.ts';
import { askPointer, createOutlet, type Outlet } from './outlet.ts';
import { type PaintChecks, paintChecks } from './paint-checks.ts';
import { createPauses, type Pauses } from './pauses.ts';
import type { CaptureOrder, ToCapture } from './protocol.ts';
import { countRecordedTime } from './recorded-time.ts';
import { type SayLost, sayLost } from './say-lost.ts';
import type { ShortcutName } from './shortcuts.ts';
import { SILENT_MS, stopScreen } from './silence.ts';
import type { Paint } from './sync.ts';
import { createTally } from './tally.ts';
import { windowRect } from './target.ts';
import { recordVoice, type Voice } from './voice.ts';
import { type WriteSoon, writeSoon } from './write-soon.ts';

/** Endings after which the screen that was recorded is there no more: its clock cannot be checked. */
const ENDED_OUTSIDE: ReadonlySet<string> = new Set(['sharing-ended', 'display-gone']);
const FLUSH_MS = 40;
const SECOND = 1000;
const FIRST_FRAME_MS = 30_000;
/** Where a system cannot be asked for it, and without a sync check at the end: how long input of before the stop may take to arrive, ms. */
const DRAIN_MS = 250;
/** A server that does not answer for so long holds up no stop. */
const HEARD_ALL_MS = 8000;

/**
 * Begins a recording in `order.folder`. Throws (with nothing started) when the display, the target or ffmpeg is not there.
 * Everything over time goes into the append-only files at once; recording.json is written at begin and at the end.
 */
export async function captureSession(
  host: CaptureHost,
  clock: SessionClock,
  order: CaptureOrder,
  tell: Opened['tell'],
): Promise<CaptureSession> {
  return new CaptureSession(await openForCapture(host, clock, order, tell));
}

/** One recording from begin to its closed folder. */
class CaptureSession {
  readonly #opened: Opened;
  readonly #watching: boolean;
  readonly #gate: Gate<Line>;
  readonly #outlet: Outlet;
  readonly #elements: ReturnType<typeof elementsFor>;
  readonly #screen: ScreenRecorder;
  readonly #pauses: Pauses;
  readonly #state: DesktopState;
  readonly #view: CapturedView;
  readonly #checks: PaintChecks;
  readonly #log: InputLog;
  readonly #lost: SayLost;
  readonly #voice: Voice;
  readonly #forgetting: LiveForgetting;
  readonly #tally: ReturnType<typeof createTally>;
  readonly #recorded = countRecordedTime();
  readonly #capture: CaptureInfo;
  readonly #timers: NodeJS.Timeout[];
  readonly #writing: WriteSoon;
  readonly #closed = Promise.withResolvers<Recording>();
  readonly #firstFrame = Promise.withResolvers<void>();
  #spanStart: number | null = null;
  #ending: string | null = null;
  #pictured = false;
  /** Keys are heard: from now on there is something that can be forgotten. */
  #hearing = false;
  #stopHook: () => void | Promise<void> = () => undefined;

  constructor(opened: Opened) {
    const { host, clock, order, tell, desktop, target, files } = opened;
    this.#opened = opened;
    this.#watching = hasLists(opened.lists);
    // Lines are handed out only once all parts are there.
    this.#writing = writeSoon(() => this.#flush(), FLUSH_MS);
    opened.waiting.tell = this.#writing.wake;
    const { keys, keyboards } = askLater(() => this.#elements);
    this.#gate = createGate<Line>({
      watching: this.#watching,
      keysTo: keys.judgedTo,
      besides: keyboards,
      onWaiting: this.#writing.wake,
    });
    this.#outlet = createOutlet(this.#gate, files, askPointer(clock, desktop, this.#gate), keys.secretAt, keyboards);
    const [{ lists }, outlet, cut] = [opened, this.#outlet, this.#gate.isCut];
    const notice = (code: string, message: string): void => this.#notice(code, message);
    const judgePictures = (): void => this.#pauses.judgePictures();
    this.#elements = elementsFor(order, host, { clock, lists, outlet, cut, notice, judgePictures });
    this.#screen = this.#openScreen();
    const [gate, screen, watching, recorded] = [this.#gate, this.#screen, this.#watching, this.#recorded];
    const seen = { outlet, screen, watching, recorded, elements: this.#elements };
    const parts = { host, clock, desktop, tell, gate, ...seen };
    this.#state = desktopState({ ...parts, notice });
    const gone = (): void => this.#breakOff('display-gone', DISPLAY_GONE);
    this.#view = capturedView({ ...parts, target, notice, gone });
    this.#pauses = createPauses({
      ...parts,
      onShown: (reason) => {
        if (reason !== null) this.#log.onPause();
        this.#elements.pause(reason !== null && reason !== 'sync');
        this.#recorded.set(reason === null, clock.now());
        tell({ type: 'paused', reason });
      },
      onOpen: (ended) => {
        this.#state.catchUp(ended);
        this.#view.catchUp();
      },
    });
    this.#tally = createTally(() => this.#screen.counts());
    this.#checks = paintChecks({ ...parts, fps: order.fps, rect: this.#view.rect });
    this.#lost = sayLost(notice);
    this.#voice = recordVoice({ ...parts, order, keys, notice, ffmpeg: opened.ffmpeg });
    this.#log = createInputLog({
      ...parts,
      onLost: this.#lost.lost,
      shortcuts: opened.shortcuts,
      displays: this.#state.displays,
      cut,
      onShortcut: (name, t) => this.#onShortcut(name, t),
      frameUs: Math.round(1e6 / order.fps),
      pressStepUs: pressStepOf(process.platform),
    });
    this.#followDesktop();

    const draft = draftOf(order, clock, { desktop, screen: this.#screen, target: target.info });
    this.#capture = draft.capture;
    writeRecording(order.folder, draft);
    const t0 = clock.now();
    this.#state.begin(t0);
    this.#outlet.anchor({ t: t0, type: 'anchor', wallMs: Date.now() });
    // The window that is active now is none of the demonstration's: it is read anew when the person's part begins.
    if (target.info.kind === 'window') desktop.follow(target.info.windowId);
    this.#forgetting = this.#createForgetting(t0);
    const breakOff = (code: string, message: string): void => this.#breakOff(code, message);
    const second = everySecond({
      ...parts,
      order,
      files: [...Object.values(files), this.#voice],
      tally: this.#tally,
      breakOff,
    });
    this.#timers = [setInterval(second, SECOND)];
    // A failure before the first picture is reported to the caller, who removes the folder.
    this.#begin().catch((error) => {
      if (this.#spanStart === null && this.#ending === null) {
        this.#ending = 'refused';
        this.#screen.kill();
        this.#closed.reject(error);
      } else this.#breakOff('capture-failed', errorBody(error).message);
    });
  }

  get closed(): Promise<Recording> {
    return this.#closed.promise;
  }

  /** True once the person's part has begun: from then on there is something to keep, whatever goes wrong. */
  begun(): boolean {
    return this.#spanStart !== null;
  }

  obey(command: ToCapture): void {
    const now = this.#opened.clock.now();
    if (command.type === 'stop') this.#stop(command.why);
    if (command.type === 'cancel') this.#cancel();
    if (command.type === 'pause') this.#pauses.pause(command.reason, now);
    if (command.type === 'resume') this.#pauses.resume(command.reason, now);
    if (command.type === 'mark') this.#mark(command.kind);
    if (command.type === 'painted') this.#checks.painted(command.paints.map((paint) => this.#onOurClock(paint)));
    if (command.type === 'forget') this.#forgetting.forget(now);
    if (command.type === 'own-windows') this.#log.setOwnWindows(command.rects);
  }

  #onOurClock({ rgb, before, after }: Paint): Paint {
    const session = (us: number): number => this.#opened.clock.fromNs(BigInt(us) * 1000n);
    return { rgb, before: session(before), after: session(after) };
  }

  #onShortcut(name: ShortcutName, t: number): void {
    const now = this.#opened.clock.now();
    if (name === 'stop') this.#stop('shortcut');
    if (name === 'mark') this.#mark('subtask', t);
    if (name === 'moment') this.#mark('moment', t);
    if (name === 'pause') this.#pauses.toggle('user', t, now);
    if (name === 'privacy') this.#pauses.toggle('privacy', t, now);
    if (name === 'forget') this.#forgetting.forget(t);
  }

  /** `t`: when its key went down; absent: now. */
  #mark(kind: MarkKind, t = this.#opened.clock.now()): void {
    // In a pause nothing is written, so nobody is told that it was.
    if (this.#gate.isCut(t)) return;
    this.#outlet.state({ t, type: 'mark', kind });
    this.#opened.tell({ type: 'mark', kind, t });
  }

  #notice(code: string, message: string): void {
    const { clock, tell } = this.#opened;
    this.#outlet.always({ t: clock.now(), type: 'notice', code, message });
    tell({ type: 'notice', code, message });
  }

  #breakOff(code: string, message: string): void {
    this.#notice(code, message);
    this.#stop(code);
  }

  #openScreen(): ScreenRecorder {
    const { host, clock, order, ffmpeg, target, files, desktop } = this.#opened;
    const onPictured = (): void => {
      this.#pictured = true;
      this.#firstFrame.resolve();
    };
    return host.screen({
      folder: order.folder,
      clock,
      ffmpeg,
      fps: order.fps,
      rect: target.rect,
      display: target.display,
      held: this.#watching,
      ...(order.outside && { outside: order.outside }),
      onFrame(frame) {
        files.frames.add(frame);
        onPictured();
      },
      onPictured,
      onView: (t, view, segment) => this.#outlet.always({ t, type: 'view', view, segment }),
      onNotice: (code, message, fatal) => {
        this.#notice(code, message);
        if (code === 'off-screen') desktop.readDisplays();
        if (fatal) this.#stop(code, message);
      },
    });
  }

  #followDesktop(): void {
    const { desktop, lists } = this.#opened;
    desktop.onChange({
      layout: this.#state.onLayout,
      displays: (t, next) => {
        this.#state.onDisplays(t, next);
        this.#view.follow(next);
      },
      look: (look) => {
        this.#pauses.look(look);
        // While a window that is left out is in front no picture is taken; that the grabber lives shows otherwise.
        if (this.#gate.cutsPictures()) this.#firstFrame.resolve();
      },
      window: (t, window) => {
        const named = { active: window, focused: null, topmost: null };
        // No line ever has the title of a window that is left out.
        if (this.#watching && judgeFront(named, lists) === 'left-out') return;
        this.#outlet.window(window ? { t, ...window } : { t, title: '', app: '', pid: 0, id: '', bounds: null });
      },
      bounds: (window) => {
        const next = window && windowRect(window, this.#state.displays());
        if (next) this.#view.moveTo(next.rect);
      },
      failed: (message) => this.#breakOff('display-lost', message),
    });
  }

  #createForgetting(begin: number): LiveForgetting {
    const { order, clock, files, reserve, tell } = this.#opened;
    return createForgetting({
      folder: order.folder,
      clock,
      ms: order.forgetMs,
      begin,
      pauses: this.#pauses,
      screen: this.#screen,
      files,
      reserve,
      tell,
      recorded: this.#recorded,
      stop: (why) => this.#stop(why),
      refusal: () => {
        if (this.#ending !== null) return 'The recording is being closed';
        return this.#hearing ? null : 'Nothing has been recorded yet';
      },
      onForgot: (left, { from, to }) => {
        this.#outlet.countInputs(left.inputs);
        this.#log.renumber(left.renumber);
        this.#tally.forget(from);
        this.#checks.forget(from, to);
        this.#state.forgot();
      },
    });
  }

  /** Writes what may be written; gives how much waits. */
  #flush(): number {
    const files = Object.values(this.#opened.files);
    try {
      this.#pauses.release();
      this.#voice.release();
      for (const file of files) file.flush();
    } catch (error) {
      // Room for the last lines and for closing; what could not be written waits and is written then.
      const room = this.#opened.reserve.release();
      this.#breakOff('disk-full', `The disk is full (${error instanceof Error ? error.message : String(error)}).`);
      if (room) return this.#flush();
    }
    return this.#gate.waiting() + files.reduce((sum, file) => sum + file.waiting(), 0);
  }

  async #begin(): Promise<void> {
    const { host, clock, order, tell } = this.#opened;
    tell({ type: 'view', view: this.#view.rect() });
    this.#pauses.pause('sync', clock.now());
    await this.#screen.start();
    const none = new StudioError('CAPTURE_FAILED', 'No picture of the screen came within thirty seconds.', {});
    const slow = setTimeout(() => this.#firstFrame.reject(none), FIRST_FRAME_MS);
    await this.#firstFrame.promise.finally(() => clearTimeout(slow));
    this.#stopHook = await host.startHook(this.#log.onHook, this.#log.onKeyAtOnce);
    this.#hearing = true;
    // Before the count: whoever counts along begins to work when it ends.
    await Promise.all([this.#checks.check(order.paints.start), this.#elements.ready()]);
    for (let left = order.countdownSeconds; left > 0 && !this.#ending; left--) {
      tell({ type: 'countdown', seconds: left });
      await sleep(SECOND);
    }
    // Two pictures more, so that the patch is gone from what the first action's `before` may show.
    await sleep(Math.ceil(2500 / order.fps));
    if (this.#ending) return;
    this.#spanStart = clock.now();
    this.#pauses.resume('sync', this.#spanStart);
    tell({ type: 'started', capture: this.#capture, view: this.#view.rect() });
    const stillPaused = this.#gate.shown();
    if (stillPaused) tell({ type: 'paused', reason: stillPaused });
    if (order.durationMs !== null) this.#timers.push(setTimeout(() => this.#stop('duration'), order.durationMs));
  }

  /** On a full disk what is left of the sound is lost; the rest of the recording is closed all the same. */
  #closeVoice(): void {
    try {
      this.#voice.close();
    } catch (error) {
      this.#notice('voice-lost', `The end of the sound could not be written: ${errorBody(error).message}`);
    }
  }

  #cancel(): void {
    if (this.#spanStart !== null) this.#stop('studio');
    if (this.#ending !== null) return;
    this.#ending = 'cancelled';
    this.#screen.kill();
    this.#closed.reject(new StudioError('CANCELLED', 'The recording was cancelled before it began.', {}));
  }

  /** `failure`: what went wrong, when that is why. */
  #stop(why: string, failure?: string): void {
    const { host, order, tell } = this.#opened;
    if (this.#ending !== null) return;
    this.#ending = why;
    // Where the system asks the person for the screen first.
    const asks = order.outside !== undefined || host.name === 'wayland';
    if (asks && !this.#pictured) {
      // Before the first picture there is nothing to keep: it broke, or the person thought better of it.
      this.#screen.kill();
      const stopped = 'The recording was stopped before the screen was shared.';
      this.#closed.reject(new StudioError(failure ? 'CAPTURE_FAILED' : 'CANCELLED', failure ?? stopped, {}));
      return;
    }
    tell({ type: 'closing', why });
    const beat = setInterval(() => tell({ type: 'alive' }), SECOND);
    this.#end(why)
      .finally(() => clearInterval(beat))
      .then(this.#closed.resolve, this.#closed.reject);
  }

  async #end(why: string): Promise<Recording> {
    const { host, clock, order, desktop, reserve, files, ffmpeg } = this.#opened;
    const screen = this.#screen;
    const [spanStart, spanEnd] = [this.#spanStart, clock.now()];
    const lost = why === 'display-lost' || why === 'capture-failed';
    await this.#forgetting.end(lost ? SILENT_MS : null);
    this.#log.finish();
    this.#pauses.pause('sync', spanEnd);
    if (!lost && why !== 'disk-full' && !ENDED_OUTSIDE.has(why) && spanStart !== null)
      await Promise.race([this.#checks.check(order.paints.end), sleep(SILENT_MS)]);
    // Input from just before the stop may still be on its way from the display.
    if (!lost && host.heardAll) await Promise.race([host.heardAll(), sleep(HEARD_ALL_MS)]);
    else if (order.paints.end === 0 || !desktop.ready.paints) await sleep(DRAIN_MS);
    if (!lost) await this.#checks.judgedUpTo(spanEnd);
    await this.#elements.keys.judged();
    this.#closeVoice();
    // What arrived since the last key is nobody's to judge; keys that are still on their way are.
    this.#flush();
    await this.#elements.close();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#writing.stop();
    if (lost) screen.kill(SILENT_MS - 1000);
    // What the devices still hold is told while the screen comes to its end.
    const heard = lost ? undefined : this.#stopHook();
    const ended = await stopScreen({ clock, screen, desktop }, lost);
    await heard;
    reserve.release();
    this.#lost.finish();
    this.#flush();
    this.#outlet.finish();
    for (const file of Object.values(files)) file.close();
    const known: Ending = {
      endedBy: why,
      span: { start: spanStart ?? spanEnd, end: spanEnd },
      counts: this.#tally.counts(),
      mode: this.#screen.mode(),
      pictures: order.outside ? (this.#screen.pictures?.() ?? null) : null,
      paints: this.#checks.all(),
      droppedInChecks: this.#checks.dropped(),
      ffmpeg,
      encoders: ended ? 'ended' : 'unknown',
    };
    // A check that cannot be made is no reason to leave a recording open.
    return closeRecording(order.folder, known).catch(() => closeRecording(order.folder, { ...known, paints: null }));
  }
}

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
