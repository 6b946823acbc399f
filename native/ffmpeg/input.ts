import { MOST_PIXELS } from '../../schemas/limits.ts';

/**
 * The only place that tells ffmpeg to read something (input.test.ts looks through the sources). A file's container is
 * named, never guessed from its content: a playlist or a list of files that calls itself a video would make ffmpeg read
 * other files of the person, and put their pictures where this one's belong.
 */

/** ffmpeg's names of the containers that are read: mp4 and mov, Matroska and WebM. */
export type Demuxer = 'mov' | 'matroska';

/** ffmpeg's reader of a video, by its media type. */
export const DEMUXERS: Readonly<Record<string, Demuxer>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
};

/** ffmpeg's names of the containers that sounds are read of. */
type SoundDemuxer = Demuxer | 'mp3' | 'flac' | 'ogg' | 'wav';

/** ffmpeg's reader of a sound or a video by its first 64 bytes; null for anything else. */
export function readerOfSound(head: Uint8Array): SoundDemuxer | null {
  const text = Buffer.from(head.subarray(0, 64)).toString('latin1');
  if (text.startsWith('ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)) return 'mp3';
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav';
  if (text.startsWith('ftyp', 4)) return 'mov';
  return text.startsWith('\x1a\x45\xdf\xa3') ? 'matroska' : null;
}

/**
 * Matroska and mp4 may refer to other files or addresses; nothing but this file and pipes is opened. A picture larger than
 * any screen is refused before memory is taken for it.
 */
const GUARDS = ['-protocol_whitelist', 'file,pipe', '-max_pixels', String(MOST_PIXELS)];

/** Without the prefix a name with a colon would be an address, and one with a dash first an option. */
const named = (file: string): string => `file:${file}`;

/** A file as an input, with the options that stand before it (`-ss`, say). */
export const fileInput = (demuxer: SoundDemuxer, file: string, options: readonly string[] = []): string[] => [
  ...GUARDS,
  ...options,
  ...['-f', demuxer, '-i', named(file)],
];

/** The same for fluent-ffmpeg, which puts `-i` before the name and the options before that. */
export const fileInputParts = (demuxer: Demuxer, file: string): { name: string; options: string[] } => ({
  name: named(file),
  options: [...GUARDS, '-f', demuxer],
});

/** Matroska that this program writes into ffmpeg's standard input, or into a pipe of this name (Windows). */
export const pipeInput = (options: readonly string[], pipe?: string): string[] => [
  ...options,
  ...['-f', 'matroska', '-i', pipe === undefined ? 'pipe:0' : named(pipe)],
];

/** Pixels (RGB, three bytes each) of one size that this program writes into ffmpeg's standard input, so many pictures a second. */
export const pixelInput = ({ width, height, fps }: { width: number; height: number; fps: number }): string[] => [
  ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', String(fps), '-i', 'pipe:0'],
];

/** A screen, by the name that its grabber has for it. */
export const screenInput = (grabber: string, options: readonly string[], name: string): string[] => [
  ...['-f', grabber, ...options, '-i', name],
];

/** A microphone, by the name that its reader has for it. */
export const soundInput = (reader: string, options: readonly string[], name: string): string[] => [
  ...['-f', reader, ...options, '-i', name],
];

/** The list of what a reader of microphones could read; avfoundation and dshow give it as they refuse an input of this name. */
export const soundsOf = (reader: string): string[] =>
  reader === 'avfoundation' || reader === 'dshow'
    ? ['-f', reader, '-list_devices', 'true', '-i', reader === 'dshow' ? 'dummy' : '']
    : ['-sources', reader];
