/** One line of what is said in a video: µs from the video's beginning. Text is text, never markup. */
type TranscriptCue = { start: number; end: number; text: string };

export type Transcript = {
  format: 'srt' | 'vtt';
  /** By their start. */
  cues: TranscriptCue[];
  /** Everything that could not be read, with its line from 1. */
  problems: { line: number; message: string }[];
};

const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
const TIMES = new RegExp(`^\\s*${TIME}\\s*-->\\s*${TIME}(?:\\s.*)?$`);

/**
 * Reads SubRip (.srt) and WebVTT (.vtt). Blocks that cannot be read are left out and told by line; a text without a single
 * cue has one problem. Source: W3C WebVTT 1.0, 4.1; SubRip has no standard, and every reader takes this much of it.
 */
export function readTranscript(file: string): Transcript {
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const format = /^WEBVTT(\s|$)/.test(lines[0] ?? '') ? 'vtt' : 'srt';
  const cues: TranscriptCue[] = [];
  const problems: Transcript['problems'] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (!line.includes('-->')) continue;
    const times = timesOf(line);
    if (typeof times === 'string') {
      problems.push({ line: at + 1, message: times });
      continue;
    }
    const said: string[] = [];
    while (at + 1 < lines.length && lines[at + 1]!.trim() !== '' && !lines[at + 1]!.includes('-->'))
      said.push(lines[++at]!);
    // In SubRip a number may stand before the next times without an empty line between.
    if (lines[at + 1]?.includes('-->') && /^\d+$/.test(said.at(-1)?.trim() ?? '')) said.pop();
    const text = plainText(said);
    if (text !== '') cues.push({ ...times, text });
  }
  cues.sort((a, b) => a.start - b.start || a.end - b.end);
  if (cues.length === 0 && problems.length === 0) {
    problems.push({ line: 1, message: 'no line like "00:00:01,000 --> 00:00:02,500" stands in it' });
  }
  return { format, cues, problems };
}

function timesOf(line: string): { start: number; end: number } | string {
  const match = TIMES.exec(line);
  if (!match) return `"${line.slice(0, 60)}" has no two times such as 00:00:01,000 --> 00:00:02,500`;
  const start = microseconds(match.slice(1, 5));
  const end = microseconds(match.slice(5, 9));
  return end < start ? `it ends before it begins ("${line.trim().slice(0, 60)}")` : { start, end };
}

function microseconds([hours, minutes, seconds, fraction]: (string | undefined)[]): number {
  const ms = Number((fraction ?? '').padEnd(3, '0'));
  return ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000_000 + ms * 1000;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

/** Without the marks of both formats (<i>, <v Ann>, {\an8}), entities read, lines joined. */
function plainText(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line
        .replace(/<\/?[a-z0-9][^<>]*>/gi, '')
        .replace(/\{\\[^{}]*\}/g, '')
        .replace(/&(\w{1,10});/g, (whole, name: string) => ENTITIES[name] ?? whole)
        .trim(),
    )
    .filter(Boolean)
    .join(' ');
}
