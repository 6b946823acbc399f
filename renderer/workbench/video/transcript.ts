import { spokenLines } from '../../../core/import/transcript.ts';

/** One line of a transcript: seconds of the source video, and what is said; all at 0 where the file gives no times. */
export type Cue = { start: number; end: number; text: string };

/** As an import reads it (core/import/transcript.ts), in seconds. */
export const parseTranscript = (file: string): Cue[] =>
  spokenLines(file).map(({ start, end, text }) => {
    const from = (start ?? 0) / 1e6;
    return { start: from, end: end === null ? from : end / 1e6, text };
  });

/** The cue that is said at `seconds`: the last that began; -1 before the first. */
export function cueAt(cues: readonly Cue[], seconds: number): number {
  let found = -1;
  for (let i = 0; i < cues.length && cues[i]!.start <= seconds; i++) found = i;
  return found;
}

/** A video that is played in its own place: the page embeds none from elsewhere (strict policy), it opens a tab at a time. */
export function linkAt(url: string, seconds: number): string | null {
  let link: URL;
  try {
    link = new URL(url);
  } catch {
    return null;
  }
  if (link.protocol !== 'https:' && link.protocol !== 'http:') return null;
  const whole = Math.max(Math.floor(seconds), 0);
  if (/(^|\.)youtube\.com$|(^|\.)youtu\.be$/.test(link.hostname)) link.searchParams.set('t', `${whole}s`);
  else if (whole > 0) link.hash = `t=${whole}`;
  return link.toString();
}
