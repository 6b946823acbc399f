import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Rect } from '../../schemas/events.ts';
import { BUSY_ENCODER, calmEncoder, fpsModeArgs, largePages, type MasterCodec, masterArgs } from '../ffmpeg/master.ts';
import type { ScreenOptions } from './contract.ts';
import type { EncoderPipe } from './feed-pipe.ts';

/** How long an encoder may take to write its last pictures after its input was closed, ms. */
const CLOSE_WITHIN = 20_000;
/** More deaths of the encoder than this within ten seconds end the recording: something is wrong with the machine. */
const MAX_DEATHS = 5;
const CALM_RGB = 'libx264rgb';

type Encoder = {
  segment: number;
  child: ChildProcess;
  file: string;
  stderr: string;
  exited: Promise<void>;
  /** Its end is no death: another one goes on, or nothing is to be encoded any more. */
  replaced: boolean;
};

type Wishes = Pick<ScreenOptions, 'folder' | 'ffmpeg' | 'onNotice'> & {
  openPipe(): EncoderPipe;
  /** From now on pictures of this rectangle go into this pipe. */
  onSegment(segment: number, fd: number, rect: Rect): void;
};

/** The encoders of one recording, a segment each: begins them, makes up for one that died, and waits for their ends. */
export class SegmentEncoders {
  /** In words, for recording.json. */
  readonly name: string;
  /** The rectangle that the next segment shows. */
  rect: Rect;
  readonly #wishes: Wishes;
  readonly #encoder: NonNullable<ReturnType<typeof calmEncoder>>;
  readonly #all: Encoder[] = [];
  readonly #deaths: number[] = [];
  #codec: MasterCodec = 'calm';
  #segments = 0;
  #ending = false;

  constructor(rect: Rect, wishes: Wishes) {
    this.rect = rect;
    this.#wishes = wishes;
    this.#encoder = calmEncoder(wishes.ffmpeg.encoders) ?? CALM_RGB;
    const busy = this.#encoder === CALM_RGB ? `, ${BUSY_ENCODER} while everything moves` : '';
    this.name = `${this.#encoder} lossless${busy}`;
  }

  /** Begins a segment. */
  begin(): void {
    const { folder, ffmpeg, openPipe, onSegment } = this.#wishes;
    const segment = this.#segments++;
    const file = join(folder, segment === 0 ? 'screen.mkv' : `screen-${segment}.mkv`);
    const pipe = openPipe();
    const wish = { codec: this.#codec, encoder: this.#encoder, pipe: pipe.name };
    const child = spawn(ffmpeg.path, masterArgs(file, fpsModeArgs(ffmpeg), this.rect, wish), {
      stdio: [pipe.stdin, 'ignore', 'pipe'],
      env: { ...process.env, ...largePages() },
      windowsHide: true,
    });
    pipe.handedOver();
    const exited = new Promise<void>((done) => {
      child.once('error', () => done());
      child.once('close', () => done());
    });
    const encoder: Encoder = { segment, child, file, stderr: '', exited, replaced: false };
    child.stderr?.on('data', (data: Buffer) => {
      encoder.stderr = (encoder.stderr + data.toString()).slice(-4000);
    });
    this.#all.push(encoder);
    exited.then(() => {
      pipe.ended();
      this.#gone(encoder);
    });
    onSegment(segment, pipe.write, this.rect);
  }

  /** Goes on in a new segment. */
  next(): void {
    const old = this.#all.at(-1);
    if (old) old.replaced = true;
    this.begin();
  }

  /** Goes on in a new segment with the codec that suits what the screen does, where there is a choice. */
  use(wanted: MasterCodec): void {
    if (wanted === this.#codec || this.#ending || this.#encoder !== CALM_RGB) return;
    if (!this.#wishes.ffmpeg.encoders.has(BUSY_ENCODER)) return;
    this.#codec = wanted;
    this.next();
  }

  /** Bytes that the newest one has written; 0 while it has made no file. */
  written(): number {
    const file = this.#all.at(-1)?.file;
    return (file !== undefined && statSync(file, { throwIfNoEntry: false })?.size) || 0;
  }

  /** Those there are may end: no other has to make up for them. */
  retire(): void {
    for (const one of this.#all) one.replaced = true;
  }

  /** The next segment's number. */
  numberFrom(segments: number): void {
    this.#segments = segments;
  }

  /** The recording ends: an end is no death any more. */
  end(): void {
    this.#ending = true;
  }

  /** The one that writes this segment closed its input: its end is noticed by its exit, and one that lives on is ended. */
  kill(segment: number): void {
    this.#all.find((one) => one.segment === segment)?.child.kill('SIGKILL');
  }

  killAll(): void {
    for (const one of this.#all) one.child.kill('SIGKILL');
  }

  /** When all have ended; one that does not is ended. */
  async ended(): Promise<void> {
    const late = setTimeout(() => this.killAll(), CLOSE_WITHIN);
    await Promise.all(this.#all.map(({ exited }) => exited));
    clearTimeout(late);
  }

  #gone(encoder: Encoder): void {
    const { onNotice } = this.#wishes;
    const current = this.#all.at(-1) === encoder && !encoder.replaced;
    if (!current || this.#ending) return;
    encoder.replaced = true;
    if (/No space left/i.test(encoder.stderr)) {
      onNotice('disk-full', 'The disk is full: the encoder could not write.', true);
      return;
    }
    const { signalCode, exitCode } = encoder.child;
    const why = signalCode ?? encoder.stderr.trim().split('\n').at(-1) ?? `status ${exitCode}`;
    const now = Date.now();
    this.#deaths.push(now);
    if (this.#deaths.filter((at) => now - at < 10_000).length > MAX_DEATHS) {
      onNotice('encoder-failed', `The encoder ended again and again (${why}).`, true);
      return;
    }
    onNotice('encoder-restarted', `The encoder ended (${why}); a new one goes on in the next segment.`, false);
    this.begin();
  }
}
