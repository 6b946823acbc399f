import { spokenLines } from '../../core/import/transcript.ts';

/** A line of a source video's transcript; `start` in seconds of that video, null when the file has no times. */
type TranscriptLine = { start: number | null; text: string };

/** As an import reads it (core/import/transcript.ts), in seconds. */
export const transcriptLines = (file: string): TranscriptLine[] =>
  spokenLines(file).map(({ start, text }) => ({ start: start === null ? null : start / 1e6, text }));
