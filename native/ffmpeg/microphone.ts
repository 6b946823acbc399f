import { spawn } from 'node:child_process';
import { StudioError } from '../../schemas/errors.ts';
import { soundInput } from './input.ts';

/** A microphone read by ffmpeg: one channel of 16-bit samples, as they come. */

/** Samples a second: what speech needs, and what programs that write speech down take. */
export const VOICE_RATE = 16_000;
/** How much sound is asked for at once, ms: a piece is heard so much after its first sample. */
const PIECE_MS = 20;
const PIECE_BYTES = (VOICE_RATE * 2 * PIECE_MS) / 1000;

/** One way to a microphone: ffmpeg's reader and the name that it is given. */
export type SoundSource = { reader: string; name: string };

/** ffmpeg's readers of microphones, by system, in the order in which they are tried. */
const READERS: Partial<Record<NodeJS.Platform, readonly { reader: string; usual: string | null }[]>> = {
  // PulseAudio, which PipeWire speaks, too; without either the card itself.
  linux: [
    { reader: 'pulse', usual: 'default' },
    { reader: 'alsa', usual: 'default' },
  ],
  darwin: [{ reader: 'avfoundation', usual: ':default' }],
  win32: [{ reader: 'dshow', usual: null }],
};

/** The names of ffmpeg's readers of microphones, in the order in which they are tried; none where no sound can be recorded. */
export const soundReaders = (platform: NodeJS.Platform): string[] =>
  (READERS[platform] ?? []).map(({ reader }) => reader);

/**
 * The ways to a microphone: `alsa:hw:1` names the reader, `Headset` alone is the first reader's; null: the usual one of the
 * system. Throws USAGE for an empty name, and where the system has no usual one and none is named.
 */
export function soundSources(device: string | null, platform: NodeJS.Platform): SoundSource[] {
  const readers = READERS[platform] ?? [];
  if (readers.length === 0) throw new StudioError('USAGE', `No microphone can be recorded on ${platform}.`, {});
  if (device === null) {
    const usual = readers.flatMap(({ reader, usual }) => (usual === null ? [] : [{ reader, name: usual }]));
    if (usual.length > 0) return usual;
    throw new StudioError(
      'USAGE',
      'Name the microphone: --voice "Microphone (USB Audio)". "ffmpeg -list_devices true -f dshow -i dummy" lists them.',
      {},
    );
  }
  const named = readers.find(({ reader }) => device.startsWith(`${reader}:`));
  const { reader } = named ?? readers[0]!;
  const name = named ? device.slice(reader.length + 1) : device;
  if (name.trim() === '') throw new StudioError('USAGE', `"${device}" names no microphone.`, { device });
  return [{ reader, name: nameFor(reader, name) }];
}

/** A microphone, never a camera or a screen: their names are other ones for these two. */
function nameFor(reader: string, name: string): string {
  if (reader === 'avfoundation') return name.startsWith(':') ? name : `:${name}`;
  if (reader === 'dshow') return name.startsWith('audio=') ? name : `audio=${name}`;
  return name;
}

export function microphoneArgs({ reader, name }: SoundSource): string[] {
  const options =
    reader === 'pulse'
      ? ['-name', 'Trajectory Studio', '-sample_rate', String(VOICE_RATE), '-channels', '1']
      : reader === 'dshow'
        ? ['-audio_buffer_size', String(PIECE_MS)]
        : [];
  const piece = reader === 'pulse' ? ['-fragment_size', String(PIECE_BYTES)] : [];
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-probesize', '32', '-analyzeduration', '0'],
    ...soundInput(reader, [...options, ...piece], name),
    ...['-map', '0:a:0', '-ac', '1', '-ar', String(VOICE_RATE), '-f', 's16le', '-flush_packets', '1', 'pipe:1'],
  ];
}

export type Microphone = {
  /** Ends it; nothing is heard after that. */
  stop(): void;
  /** Why it ended, in ffmpeg's words. */
  ended: Promise<string>;
};

/** Starts to listen. `onSound` gets whole samples. Never throws: what goes wrong is in `ended`. */
export function openMicrophone(
  ffmpeg: { path: string },
  source: SoundSource,
  onSound: (samples: Buffer) => void,
): Microphone {
  const child = spawn(ffmpeg.path, microphoneArgs(source), { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  let open = true;
  let half: Buffer = Buffer.alloc(0);
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    if (!open) return;
    const all = half.length > 0 ? Buffer.concat([half, bytes]) : bytes;
    const whole = all.length - (all.length % 2);
    half = Buffer.from(all.subarray(whole));
    if (whole > 0) onSound(all.subarray(0, whole));
  });
  child.stderr.on('data', (text: Buffer) => {
    said = `${said}${text.toString('utf8')}`.slice(-2000);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(said.trim().split('\n').at(-1)?.trim() || 'it ended'));
  });
  return {
    stop() {
      open = false;
      // It has no file to finish.
      child.kill('SIGKILL');
    },
    ended,
  };
}
