import { join } from 'node:path';
import { readTranscript } from '../../core/import/transcript.ts';
import { MOST_TRANSCRIPT, type VoiceState } from '../../schemas/api/voice.ts';
import { StudioError } from '../../schemas/errors.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { findFile, hasFile, readIn, removeIn, statOf } from '../files/inside.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { isVoiceFile, VOICE_FILE, VOICE_FILE_RATE } from './voice-file.ts';

/** What was written down of the sound, as WebVTT; its times are those of voice.wav, which are the session's. */
export const TRANSCRIPT_FILE = 'voice.vtt';

/** Both leave this machine only when somebody asks for it. */
export const isOfVoice = (parts: readonly string[]): boolean =>
  parts.length === 1 && (parts[0] === VOICE_FILE || parts[0] === TRANSCRIPT_FILE);

/** The sound of a recording that can be played; null where there is none. */
export function voiceFileOf(folder: string): string | null {
  const file = findFile(folder, VOICE_FILE);
  return file !== null && isVoiceFile(file) ? file : null;
}

export function voiceOf(folder: string): VoiceState {
  const file = voiceFileOf(folder);
  const bytes = file === null ? 0 : (statOf(folder, VOICE_FILE)?.size ?? 0);
  const text = hasFile(folder, TRANSCRIPT_FILE)
    ? readIn(folder, TRANSCRIPT_FILE, 4 * MOST_TRANSCRIPT).toString('utf8')
    : '';
  return { sound: file === null ? null : { bytes, rate: VOICE_FILE_RATE }, lines: readTranscript(text).cues };
}

/** Deletes the sound and its transcript. What it was is said nowhere any more. */
export async function removeVoice(folder: string): Promise<VoiceState> {
  return withFolderLock(folder, 'voice', async () => {
    for (const name of [VOICE_FILE, TRANSCRIPT_FILE]) {
      if (findFile(folder, name) !== null) removeIn(folder, name);
    }
    const { voice, ...recording } = readRecording(folder);
    if (voice) writeRecording(folder, recording);
    return voiceOf(folder);
  });
}

/** Throws USAGE for a recording without sound, BAD_FILE for a text in which nothing has a time. */
export async function takeTranscript(folder: string, text: string): Promise<VoiceState> {
  if (voiceFileOf(folder) === null)
    throw new StudioError('USAGE', 'This recording has no sound, so there is nothing to write down of it.', {});
  const { cues, problems } = readTranscript(text);
  if (cues.length === 0) {
    const { line = 1, message = 'nothing is said in it' } = problems[0] ?? {};
    throw new StudioError('BAD_FILE', `The transcript cannot be taken: line ${line}: ${message}.`, { line });
  }
  return withFolderLock(folder, 'voice', async () => {
    writeFileAtomic(join(folder, TRANSCRIPT_FILE), vttOf(cues));
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
