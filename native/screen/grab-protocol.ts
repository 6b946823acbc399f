import type { MessagePort } from 'node:worker_threads';
import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { PictureJudgement, PointerPlace } from './contract.ts';
import type { FeedQueue } from './feed-queue.ts';

/** Between the recorder (recorder.ts) and the thread that takes its pictures: grab-worker.ts or outside-worker.ts. */
export type GrabSetup = {
  queue: FeedQueue;
  /** [0] woken by messages, [1] ticks so far (a heartbeat for the main thread). */
  control: Int32Array<SharedArrayBuffer>;
  startNs: bigint;
  startedAtMs: number;
  fps: number;
  /** No picture is handed on before it was judged (I6). */
  held: boolean;
  /** The folder for stills, and where they are encoded (still-worker.ts). */
  stills: string;
  stillPort: MessagePort;
};
export type GrabCommand =
  /** Frames go to this segment from now on; `fd` is the encoder's pipe. */
  | { type: 'segment'; segment: number; fd: number; rect: Rect }
  | { type: 'move'; rect: Rect }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'judge'; judgement: PictureJudgement }
  /** During a pause: nothing from `from` on is kept, and nothing is on its way when `forgotten` is answered. */
  | { type: 'forget'; from: number }
  /** After it: the number of the next picture. */
  | { type: 'frames'; next: number }
  | { type: 'still'; t: number; until?: number | undefined }
  | { type: 'still-after'; t: number }
  | { type: 'stop' };
export type GrabReport =
  | { type: 'frame'; frame: Frame }
  | { type: 'view'; t: number; rect: Rect; segment: number }
  /** The first picture was taken. It may wait before it is handed on. */
  | { type: 'pictured' }
  | { type: 'counts'; dropped: number; late: number; black: number; ticks: number }
  | { type: 'mode'; mode: 'damage' | 'poll'; why: string }
  /** The rectangle is no longer all on the screen. */
  | { type: 'off-screen' }
  | { type: 'failed'; message: string }
  /** From outside: pictures come from now on; or they never will; or the person has ended them. */
  | { type: 'begun'; cursor: boolean | null; lossless: boolean }
  | { type: 'refused'; code: 'NO_PERMISSION' | 'CAPTURE_FAILED'; message: string }
  | { type: 'ended'; code?: 'display-gone'; message?: string }
  | { type: 'forgotten' }
  /** Where the pointer was at `t`, px of the virtual desktop; only where the input itself does not say (Wayland). */
  | ({ type: 'pointer' } & PointerPlace)
  | { type: 'stopped' };
