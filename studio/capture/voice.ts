import type { SessionClock } from '../../native/clock/session-clock.ts';
import { type Microphone, openMicrophone, soundSources, VOICE_RATE } from '../../native/ffmpeg/microphone.ts';
import { errorBody } from '../../schemas/errors.ts';
import type { Gate } from './gate.ts';
import type { KeyJudge } from './key-judge.ts';
import type { Line } from './line.ts';
import type { FromCapture } from './protocol.ts';
import { type SoundClock, soundClock } from './sound-clock.ts';
import { openVoiceLog } from './voice-log.ts';

/** The voice of the person, beside the recording: whatever goes wrong with it is said, and the recording goes on. */
export type Voice = {
  /** Writes what may be written by now. Throws what the file system throws. */
  release(): void;
  sync(): void;
  /** The person's part is over: nothing is heard any more. Throws what the file system throws. */
  close(): void;
};

const NO_VOICE: Voice = { release: () => undefined, sync: () => undefined, close: () => undefined };

type Parts = {
  order: { folder: string; voice?: { device: string | null } };
  ffmpeg: { path: string };
  clock: Pick<SessionClock, 'now'>;
  gate: Pick<Gate<Line>, 'judgedTo' | 'isCut'>;
  keys: { judgedTo(): number } & Pick<KeyJudge, 'secretAt'>;
  notice(code: string, message: string): void;
  tell(message: FromCapture): void;
  /** Tests play the microphone. */
  listen?: typeof openMicrophone;
  platform?: NodeJS.Platform;
};

/** A microphone that is lost is looked for again so often, ms. */
const AGAIN_MS = 5000;
/** One that opened and gives nothing for so long is lost, µs. */
const QUIET_US = 10_000_000;
/** A whole stretch of nothing but zeros is no room, however still: it is muted, or none. µs. */
const MUTED_US = 8_000_000;

/** Listens when the order says so. */
export function recordVoice(parts: Parts): Voice {
  const { order, clock, gate, keys, notice, tell, listen = openMicrophone, platform = process.platform } = parts;
  if (!order.voice) return NO_VOICE;
  const written = openVoiceLog(
    order.folder,
    {
      judgedTo: gate.judgedTo,
      isCut: gate.isCut,
      keysTo: keys.judgedTo,
      isSecret: (t) => keys.secretAt(t) !== null,
    },
    clock.now,
  );
  const sources = sourcesOf(order.voice.device, platform);
  let at = 0;
  let microphone: Microphone | null = null;
  let lastHeard = clock.now();
  let state: 'new' | 'heard' | 'lost' = 'new';
  let closed = false;
  const reasons: string[] = [];
  const muted = mutedWatch(notice);

  function onSound(clockOf: SoundClock, samples: Buffer): void {
    const now = clock.now();
    lastHeard = now;
    if (state !== 'heard') {
      if (state === 'lost') notice('voice-back', 'The microphone is there: sound is recorded from now on.');
      state = 'heard';
      tell({ type: 'voice', heard: true });
    }
    muted.see(samples);
    written.add(clockOf.place(now, samples.length / 2), samples);
  }

  function lose(why: string): void {
    const { reader = '' } = sources[at] ?? {};
    reasons.push(`${reader}: ${why}`);
    if (state === 'new' && at + 1 < sources.length) {
      at++;
      open();
      return;
    }
    if (state === 'heard')
      notice('voice-lost', `The microphone is lost (${why}): no sound is recorded until it is there again.`);
    else if (state === 'new')
      notice('voice-missing', `No sound is recorded: no microphone could be opened (${reasons.join('; ')}).`);
    if (state === 'new') at = 0;
    state = 'lost';
    tell({ type: 'voice', heard: false });
    setTimeout(open, AGAIN_MS).unref();
  }

  function open(): void {
    const source = sources[at];
    if (closed || !source) return;
    const clockOf = soundClock(VOICE_RATE);
    lastHeard = clock.now();
    microphone = listen(parts.ffmpeg, source, (samples) => onSound(clockOf, samples));
    void microphone.ended.then((why) => {
      microphone = null;
      if (!closed) lose(why);
    });
  }

  if (sources.length === 0) {
    notice('voice-missing', `No sound is recorded: ${whyNone(order.voice.device, platform)}`);
    return NO_VOICE;
  }
  open();
  const watch = setInterval(() => {
    if (microphone && clock.now() - lastHeard > QUIET_US) microphone.stop();
  }, 1000);
  watch.unref();

  return {
    release: written.release,
    sync: written.sync,
    close() {
      closed = true;
      clearInterval(watch);
      microphone?.stop();
      written.close();
    },
  };
}

function sourcesOf(device: string | null, platform: NodeJS.Platform): ReturnType<typeof soundSources> {
  try {
    return soundSources(device, platform);
  } catch {
    return []; // whyNone says it.
  }
}

function whyNone(device: string | null, platform: NodeJS.Platform): string {
  try {
    soundSources(device, platform);
    return '';
  } catch (error) {
    return errorBody(error).message;
  }
}

/** Says once that the beginning of the sound is nothing but zeros. */
function mutedWatch(notice: Parts['notice']): { see(samples: Buffer): void } {
  let still = 0;
  let over = false;
  return {
    see(samples) {
      if (over) return;
      for (let at = 0; at < samples.length; at += 2) {
        if (Math.abs(samples.readInt16LE(at)) <= 1) continue;
        over = true;
        return;
      }
      still += samples.length / 2;
      if ((still * 1e6) / VOICE_RATE < MUTED_US) return;
      over = true;
      notice('voice-silent', 'The microphone gives nothing but silence: it may be muted, or another one is meant.');
    },
  };
}
