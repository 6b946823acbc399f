import { isExactFormat, SCREEN_ROUTES, type ScreenEnd, writeQuery } from '../../schemas/screen-source.ts';
import { bytesOf } from './part.ts';
import { createScreenClock, createStampClock, type ScreenClock, type StampClock } from './screen-clock.ts';
import { createSender, createUnread, MOST_WAITING } from './sender.ts';

/**
 * Wayland: asks the system for pictures of the screen and hands each on that differs, with the time at which it was taken
 * (schemas/screen-source.ts). Runs in a hidden window of the desktop app; the host calls it, since only a call that counts
 * as a person's gesture may ask.
 */

/** Between two looks at the session's clock, which are also the signs of life, ms. */
const SIGN_MS = 1000;
const FIRST_LOOKS = 8;
/** Larger than any screen: asked for no size, Chromium scales pictures down to one of its own. */
const WHOLE_SIZE = { width: { ideal: 16_384 }, height: { ideal: 16_384 }, resizeMode: 'none' };
/** The capture process looks at the machine before it listens. */
const LISTENS_WITHIN_MS = 60_000;
const AGAIN_MS = 100;

/** Chromium's, not in TypeScript's library. */
type FrameReader = { read(): Promise<{ done: boolean; value?: VideoFrame }>; cancel(): Promise<void> };
type TrackProcessor = new (init: {
  track: MediaStreamTrack;
  maxBufferSize: number;
}) => { readable: { getReader(): FrameReader } };

export type Sharing = {
  /** Resolves once the recorder listens. Throws when it does not in time. */
  ready(): Promise<void>;
  /** Asks the person and hands pictures over until the sharing ends. Only a person's gesture may call it. */
  begin(): Promise<void>;
};

export function createSharing(): Sharing {
  const clock = createScreenClock();
  let session = { fps: 30, zeroUs: 0 };
  return {
    async ready() {
      const until = performance.now() + LISTENS_WITHIN_MS;
      for (;;) {
        try {
          for (let n = 0; n < FIRST_LOOKS; n++) session = await look(clock);
          return;
        } catch (error) {
          if (performance.now() > until) throw error;
          await new Promise((again) => setTimeout(again, AGAIN_MS));
        }
      }
    },
    begin: () => share(clock, session),
  };
}

async function share(clock: ScreenClock, { fps, zeroUs }: { fps: number; zeroUs: number }): Promise<void> {
  let stream: MediaStream;
  try {
    // The pointer is left out where the system can (V1).
    const video = { frameRate: { ideal: fps, max: fps }, cursor: 'never', ...WHOLE_SIZE };
    stream = await navigator.mediaDevices.getDisplayMedia({ video, audio: false });
  } catch (error) {
    const isNo = error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
    return tellEnd({ why: isNo ? 'refused' : 'failed', message: wordsOf(error) });
  }
  const [track] = stream.getVideoTracks();
  const signs = setInterval(() => void look(clock).catch(() => undefined), SIGN_MS);
  try {
    if (!track) throw new Error('the system gave no picture');
    await handOver(track, clock, createStampClock(zeroUs));
    await tellEnd({ why: 'ended', message: '' });
  } catch (error) {
    await tellEnd({ why: 'failed', message: wordsOf(error) });
  } finally {
    clearInterval(signs);
    for (const one of stream.getTracks()) one.stop();
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

async function look(clock: ScreenClock): Promise<{ fps: number; zeroUs: number }> {
  const asked = performance.now();
  const response = await fetch(SCREEN_ROUTES.clock);
  const answered = performance.now();
  // As native/screen/outside-listen.ts writes it.
  if (!response.ok) throw new Error(`the recorder answered ${response.status}`);
  const { t, ...session } = (await response.json()) as { t: number; fps: number; zeroUs: number };
  clock.add({ asked, answered, t });
  return session;
}

async function post(route: string, body: Uint8Array<ArrayBuffer> | null = null): Promise<void> {
  const response = await fetch(route, { method: 'POST', body });
  if (!response.ok) throw new Error(`the recorder answered ${response.status}`);
}

const tellEnd = (end: ScreenEnd): Promise<void> =>
  post(`${SCREEN_ROUTES.end}?${writeQuery(end)}`).catch(() => undefined);

/** Until the track ends. Throws when a picture cannot be read or the recorder is gone. */
async function handOver(track: MediaStreamTrack, clock: ScreenClock, timeOf: StampClock): Promise<void> {
  const Processor = Reflect.get(globalThis, 'MediaStreamTrackProcessor') as TrackProcessor | undefined;
  if (!Processor) throw new Error('this Chromium cannot read single pictures');
  const reader = new Processor({ track, maxBufferSize: MOST_WAITING }).readable.getReader();
  const sender = createSender((picture, part, dropped) => {
    const { t, width, height } = picture;
    const query = writeQuery({ t, width, height, ...part, dropped });
    return post(`${SCREEN_ROUTES.picture}?${query}`, part.rows > 0 ? bytesOf(picture, part) : null);
  });
  const unread = createUnread();
  let begun = false;
  let read = 0;
  for (;;) {
    const { done, value: frame } = await Promise.race([reader.read(), sender.failed]);
    if (done || !frame) return;
    try {
      sender.leftOut(unread(deliveredBy(track), ++read));
      const t = timeOf(frame.timestamp, clock.toSession(performance.now()));
      const { width, height } = frame.visibleRect ?? { width: frame.codedWidth, height: frame.codedHeight };
      if (!begun) {
        begun = true;
        // `cursor` is Chromium's own, as above.
        const drawn: unknown = Reflect.get(track.getSettings(), 'cursor');
        const cursor = drawn === 'never' ? false : typeof drawn === 'string' ? true : null;
        await post(
          `${SCREEN_ROUTES.begin}?${writeQuery({ width, height, cursor, format: frame.format ?? 'UNKNOWN' })}`,
        );
      }
      const bytes = sender.room(width * height * 4);
      await copyOut(frame, bytes, width);
      sender.add({ t, width, height, bytes });
    } finally {
      frame.close();
    }
  }
}

/** How many pictures a track has delivered so far; 0 where Chromium does not say. */
function deliveredBy(track: MediaStreamTrack): number {
  // Media Capture Extensions, section MediaStreamTrack statistics; not in TypeScript's library.
  const stats: unknown = Reflect.get(track, 'stats');
  const delivered: unknown = typeof stats === 'object' && stats !== null ? Reflect.get(stats, 'deliveredFrames') : 0;
  return typeof delivered === 'number' ? delivered : 0;
}

/** A frame's pixels as blue, green, red and one unused byte. */
async function copyOut(frame: VideoFrame, bytes: Uint8Array<ArrayBuffer>, width: number): Promise<void> {
  // Colours are computed by the browser where the system gave luma and chroma.
  const [plane] = await frame.copyTo(bytes, { format: 'BGRX' });
  if (plane?.stride !== width * 4) throw new Error(`rows of ${plane?.stride} bytes for ${width} pixels`);
  // The unused byte of exact formats may hold opacity, which would count as a change.
  if (frame.format !== null && isExactFormat(frame.format)) for (let at = 3; at < bytes.length; at += 4) bytes[at] = 0;
}
