import { type Microphone, openMicrophone, soundSources } from '../../../native/ffmpeg/microphone.ts';
import type { MicrophoneLevel } from '../../../schemas/api/microphones.ts';
import { errorBody } from '../../../schemas/errors.ts';

/** How loud a microphone is before anything is recorded. What is heard is measured and kept nowhere. */
export type Ear = {
  /** The loudest since it was asked last. `device` null: the usual microphone. Never throws. */
  level(device: string | null): Promise<MicrophoneLevel>;
  /** Nothing is heard any more. */
  close(): void;
};

/** A page that shows the level asks four times a second; one that is left asks no more, ms. */
const IDLE_MS = 2500;
const LOUDEST = 32_768;

type EarOptions = {
  ffmpeg(): Promise<{ path: string }>;
  platform?: NodeJS.Platform;
  /** Tests play the microphone. */
  listen?: typeof openMicrophone;
};

export function createEar({ ffmpeg, platform = process.platform, listen = openMicrophone }: EarOptions): Ear {
  let open: { device: string | null; microphone: Microphone | null } | null = null;
  let peak = 0;
  let heard = false;
  let problem: string | null = null;
  let idle: NodeJS.Timeout | undefined;

  function close(): void {
    clearTimeout(idle);
    open?.microphone?.stop();
    open = null;
  }

  async function begin(device: string | null): Promise<void> {
    close();
    const mine: NonNullable<typeof open> = { device, microphone: null };
    open = mine;
    [peak, heard, problem] = [0, false, null];
    try {
      const ways = soundSources(device, platform);
      const tool = await ffmpeg();
      tryWay(0);
      function tryWay(at: number): void {
        const way = ways[at];
        if (!way || open !== mine) return;
        mine.microphone = listen(tool, way, (samples) => {
          if (open !== mine) return;
          heard = true;
          for (let n = 0; n + 1 < samples.length; n += 2) peak = Math.max(peak, Math.abs(samples.readInt16LE(n)));
        });
        void mine.microphone.ended.then((why) => {
          if (open !== mine) return;
          problem ??= why;
          if (!heard && at + 1 < ways.length) tryWay(at + 1);
          else mine.microphone = null;
        });
      }
    } catch (error) {
      problem = errorBody(error).message;
    }
  }

  return {
    async level(device) {
      // One that ended is tried anew with the next question after it was said.
      if (!open || open.device !== device || (open.microphone === null && problem !== null)) await begin(device);
      clearTimeout(idle);
      idle = setTimeout(close, IDLE_MS);
      idle.unref();
      const level = peak / LOUDEST;
      peak = 0;
      return heard ? { level, problem: null } : { level: null, problem };
    },
    close,
  };
}
