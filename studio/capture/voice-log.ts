import { closeSync, fdatasync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { VOICE_FILE, VOICE_FILE_RATE, voicePlace, wavHeader } from '../recordings/voice-file.ts';

/**
 * The way of sound to the disk (I6): it waits in memory until it is known what may be written of it. Of a pause, of a time in
 * which a window that is left out was in front, in which a secret was asked for, or which was forgotten, nothing ever is.
 */
export type VoiceLog = {
  /** Samples (16 bits each) whose first one was made at `t`, µs. */
  add(t: number, samples: Buffer): void;
  /** Writes what may be written by now. Throws what the file system throws; it then waits. */
  release(): void;
  /** Asks the disk to keep what was written, without waiting. */
  sync(): void;
  /** Nothing more comes: what is judged is written, the rest is dropped. */
  close(): void;
  /** How much was written, µs. */
  written(): number;
};

export type VoiceGate = {
  /** Everything up to here is judged by the window in front, µs. */
  judgedTo(): number;
  isCut(t: number): boolean;
  /** Keys up to here are judged, µs. */
  keysTo(): number;
  /** Whether a secret was asked for at this time. */
  isSecret(t: number): boolean;
};

/** It is judged in slices of so many samples: 10 ms. What a cut touches of one goes as a whole. */
const SLICE = VOICE_FILE_RATE / 100;
const SLICE_US = 10_000;
/** After so long a key, and so what was asked for when it was pressed, is judged whatever happens (key-judge.ts), µs. */
const LONGEST_JUDGEMENT = 10_500_000;

type Slice = { t: number; samples: Buffer };

/** `now`: the session's clock. The file is made with the first sound that is written. */
export function openVoiceLog(folder: string, gate: VoiceGate, now: () => number): VoiceLog {
  let fd: number | null = null;
  let queue: Slice[] = [];
  let samplesWritten = 0;
  let open = true;

  function mayBeWritten({ t }: Slice): boolean {
    const end = t + SLICE_US;
    return t >= 0 && !gate.isCut(t) && !gate.isCut(end) && !gate.isSecret(t) && !gate.isSecret(end);
  }
  function write(t: number, samples: Buffer): void {
    if (fd === null) {
      fd = openSync(join(folder, VOICE_FILE), 'wx');
      // Until the end it says the most that it can, so that a copy of it can be played.
      writeAll(fd, wavHeader(0xffff_ffff), 0);
    }
    writeAll(fd, samples, voicePlace(t));
    samplesWritten += samples.length / 2;
  }
  /** How many are judged. */
  function judged(all: boolean): number {
    if (all) return queue.length;
    const late = now() - LONGEST_JUDGEMENT;
    const [front, keys] = [gate.judgedTo(), gate.keysTo()];
    const waits = queue.findIndex(({ t }) => t + SLICE_US > front || t + SLICE_US > Math.max(keys, late));
    return waits < 0 ? queue.length : waits;
  }
  function release(all = false): void {
    if (!open) return;
    const ready = judged(all);
    for (let at = 0; at < ready; ) {
      const first = queue[at]!;
      const run: Buffer[] = [];
      // What follows without a gap is written at once.
      let next = first.t;
      for (; at < ready; at++) {
        const slice = queue[at]!;
        if (!mayBeWritten(slice)) break;
        if (Math.abs(slice.t - next) > 1) break;
        run.push(slice.samples);
        next = slice.t + SLICE_US;
      }
      if (run.length > 0) write(first.t, Buffer.concat(run));
      else at++;
    }
    queue = queue.slice(ready);
  }

  return {
    add(t, samples) {
      if (!open) return;
      for (let at = 0; at < samples.length; at += 2 * SLICE)
        queue.push({
          t: t + Math.round((at * 1e6) / (2 * VOICE_FILE_RATE)),
          samples: samples.subarray(at, at + 2 * SLICE),
        });
    },
    release: () => release(),
    sync() {
      if (fd !== null && open) fdatasync(fd, () => undefined);
    },
    close() {
      if (!open) return;
      try {
        const front = gate.judgedTo();
        queue = queue.filter(({ t }) => t + SLICE_US <= front);
        release(true);
      } finally {
        open = false;
        queue = [];
        if (fd !== null) closeSync(fd);
      }
    },
    written: () => Math.round((samplesWritten * 1e6) / VOICE_FILE_RATE),
  };
}

function writeAll(fd: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}
