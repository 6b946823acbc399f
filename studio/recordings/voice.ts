import { readTranscript } from '../../core/import/transcript.ts';
import { MOST_TRANSCRIPT, type VoiceState } from '../../schemas/api/voice.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Blobs } from '../files/blobs/blobs.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { bytesOfRecording } from './bytes.ts';
import { VOICE_FILE, VOICE_FILE_RATE, WAV_HEADER, wavHeader } from './voice-file.ts';

/** What was written down of the sound, as WebVTT; its times are those of voice.wav, which are the session's. */
export const TRANSCRIPT_FILE = 'voice.vtt';

/** Both leave this machine only when somebody asks for it. */
export const isOfVoice = (parts: readonly string[]): boolean =>
  parts.length === 1 && (parts[0] === VOICE_FILE || parts[0] === TRANSCRIPT_FILE);

/** The bytes of the sound that can be played; 0 where there is none. Other files are not played, whatever they are called. */
export async function soundBytes(bytes: Blobs): Promise<number> {
  const size = (await bytes.stat(VOICE_FILE))?.size ?? 0;
  if (size < WAV_HEADER) return 0;
  const head: Uint8Array[] = [];
  for await (const piece of bytes.range(VOICE_FILE, { start: 0, end: WAV_HEADER - 1 })) head.push(piece);
  return Buffer.concat(head).equals(wavHeader(size - WAV_HEADER)) ? size : 0;
}

export async function voiceOf(folder: string): Promise<VoiceState> {
  const bytes = bytesOfRecording(folder);
  const size = await soundBytes(bytes);
  const isWritten = (await bytes.stat(TRANSCRIPT_FILE)) !== null;
  const text = isWritten ? (await bytes.get(TRANSCRIPT_FILE, { most: 4 * MOST_TRANSCRIPT })).toString('utf8') : '';
  return { sound: size === 0 ? null : { bytes: size, rate: VOICE_FILE_RATE }, lines: readTranscript(text).cues };
}

/** Deletes the sound and its transcript. What it was is said nowhere any more. */
export async function removeVoice(folder: string): Promise<VoiceState> {
  return withFolderLock(folder, 'voice', async () => {
    const bytes = bytesOfRecording(folder);
    for (const name of [VOICE_FILE, TRANSCRIPT_FILE]) await bytes.remove(name);
    const { voice, ...recording } = readRecording(folder);
    if (voice) writeRecording(folder, recording);
    return voiceOf(folder);
  });
}

/** Throws USAGE for a recording without sound, BAD_FILE for a text in which nothing has a time. */
export async function takeTranscript(folder: string, text: string): Promise<VoiceState> {
  const bytes = bytesOfRecording(folder);
  if ((await soundBytes(bytes)) === 0)
    throw new StudioError('USAGE', 'This recording has no sound, so there is nothing to write down of it.', {});
  const { cues, problems } = readTranscript(text);
  if (cues.length === 0) {
    const { line = 1, message = 'nothing is said in it' } = problems[0] ?? {};
    throw new StudioError('BAD_FILE', `The transcript cannot be taken: line ${line}: ${message}.`, { line });
  }
  return putTranscript(folder, cues);
}

/** Puts lines (session time, µs) in place of what was written down before. */
export async function putTranscript(folder: string, lines: VoiceState['lines']): Promise<VoiceState> {
  return withFolderLock(folder, 'voice', async () => {
    await bytesOfRecording(folder).put(TRANSCRIPT_FILE, vttOf(lines));
    return voiceOf(folder);
  });
}

function vttOf(cues: VoiceState['lines']): string {
  const time = (us: number): string => {
    const ms = Math.round(us / 1000);
    const two = (value: number): string => String(value).padStart(2, '0');
    const clock = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60].map(two);
    return `${clock.join(':')}.${String(ms % 1000).padStart(3, '0')}`;
  };
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `WEBVTT\n${cues.map(({ start, end, text }) => `\n${time(start)} --> ${time(end)}\n${escaped(text)}\n`).join('')}`;
}
