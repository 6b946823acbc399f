/**
 * The one reader of transcripts: imports, the task's page and the annotation page show the same lines of the same file.
 */

/** One line of what is said in a video: µs from the video's beginning. Text is text, never markup. */
type TranscriptCue = { start: number; end: number; text: string };

export type Transcript = {
  format: 'srt' | 'vtt';
  /** By their start. */
  cues: TranscriptCue[];
  /** Everything that could not be read, with its line from 1. */
  problems: { line: number; message: string }[];
};

/** A line as pages show it, µs; null where the file gives no such time. */
type TranscriptLine = { start: number | null; end: number | null; text: string };

/** Some writers leave the fraction out; more than three digits of it are read, too. */
const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?`;
const TIMES = new RegExp(`^\\s*${TIME}\\s*-->\\s*${TIME}(?:\\s.*)?$`);
/** A time at the beginning of a line of plain text. */
const LEADING = new RegExp(`^[[(]?${TIME}[\\])]?\\s+(?=\\S)`);
/** Blocks of WebVTT in which nothing is said. */
const UNSAID = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
/** Captions that a machine makes repeat the line before so soon after its end, µs. */
const ADJOINING = 200_000;

/**
 * A file's text by its byte order mark, else UTF-8; null when it is none of the two, since no other way of writing can be told
 * for certain.
 */
export function transcriptText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const mark =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(mark, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** For a page, which shows what is there: where the way of writing is not known, what UTF-8 makes of it. */
export const writtenText = (bytes: Uint8Array): string => transcriptText(bytes) ?? new TextDecoder().decode(bytes);

/**
 * Reads SubRip (.srt) and WebVTT (.vtt). Blocks that cannot be read are left out and told by line; a text without a single
 * cue has one problem. Source: W3C WebVTT 1.0, 4.1; SubRip has no standard, and every reader takes this much of it.
 */
export function readTranscript(file: string): Transcript {
  const lines = linesOf(file);
  const format = /^WEBVTT(\s|$)/.test(lines[0] ?? '') ? 'vtt' : 'srt';
  const found: TranscriptCue[] = [];
  const problems: Transcript['problems'] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (format === 'vtt' && UNSAID.test(line)) {
      while (at + 1 < lines.length && lines[at + 1]!.trim() !== '') at++;
      continue;
    }
    if (!line.includes('-->')) continue;
    const times = timesOf(line);
    if (typeof times === 'string') {
      problems.push({ line: at + 1, message: times });
      continue;
    }
    // An arrow may be said: only a line with two times begins the next one.
    const said: string[] = [];
    while (at + 1 < lines.length && lines[at + 1]!.trim() !== '' && !TIMES.test(lines[at + 1]!))
      said.push(lines[++at]!);
    // In SubRip a number may stand before the next times without an empty line between.
    if (TIMES.test(lines[at + 1] ?? '') && /^\d+$/.test(said.at(-1)?.trim() ?? '')) said.pop();
    const text = plainText(said, format);
    if (text !== '') found.push({ ...times, text });
  }
  found.sort((a, b) => a.start - b.start || a.end - b.end);
  const cues = withoutRepeats(found);
  if (cues.length === 0 && problems.length === 0) {
    problems.push({ line: 1, message: 'no line like "00:00:01,000 --> 00:00:02,500" stands in it' });
  }
  return { format, cues, problems };
}

/**
 * The same for a page: a text without cues gives its own lines, or its paragraphs where empty lines part them, each with the
 * time that may stand at its beginning ("[1:05] Crop it"). Never throws.
 */
export function spokenLines(file: string): TranscriptLine[] {
  const { cues, format } = readTranscript(file);
  if (cues.length > 0) return cues;
  if (format === 'vtt') return [];
  const rows = linesOf(file).map((row) => row.trim());
  const end = rows.findLastIndex((row) => row !== '');
  const hasParagraphs = rows
    .slice(
      rows.findIndex((row) => row !== ''),
      end,
    )
    .includes('');
  const lines: TranscriptLine[] = [];
  let goesOn = false;
  for (const row of rows) {
    const time = LEADING.exec(row);
    const last = lines.at(-1);
    if (row === '') goesOn = false;
    else if (time) {
      lines.push({ start: microseconds(time.slice(1, 5)), end: null, text: row.slice(time[0].length) });
      goesOn = hasParagraphs;
    } else if (goesOn && last) last.text += ` ${row}`;
    else {
      lines.push({ start: null, end: null, text: row });
      goesOn = hasParagraphs;
    }
  }
  return lines;
}

const linesOf = (file: string): string[] => file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);

function timesOf(line: string): { start: number; end: number } | string {
  const match = TIMES.exec(line);
  if (!match) return `"${line.slice(0, 60)}" has no two times such as 00:00:01,000 --> 00:00:02,500`;
  const start = microseconds(match.slice(1, 5));
  const end = microseconds(match.slice(5, 9));
  return end < start ? `it ends before it begins ("${line.trim().slice(0, 60)}")` : { start, end };
}

function microseconds([hours, minutes, seconds, fraction]: (string | undefined)[]): number {
  const us = Number((fraction ?? '').slice(0, 6).padEnd(6, '0'));
  return ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000_000 + us;
}

function withoutRepeats(cues: readonly TranscriptCue[]): TranscriptCue[] {
  const kept: TranscriptCue[] = [];
  for (const cue of cues) {
    const last = kept.at(-1);
    if (last && last.text === cue.text && cue.start - last.end <= ADJOINING) last.end = Math.max(last.end, cue.end);
    else kept.push({ ...cue });
  }
  return kept;
}

/** Anything else between < and > is said: "a<b and b>c". WebVTT names its tags, SubRip takes those of the first players. */
const TAGS = {
  srt: /<\/?(?:[bius]|font(?:\s[^<>]*)?)>/gi,
  vtt: /<(?:\/?(?:[biuc]|ruby|rt|v|lang)(?:\.[^\s<>]*)?|(?:v|lang)(?:\.[^\s<>]*)?\s[^<>]*|(?:\d{1,4}:)?\d{1,2}:\d{1,2}\.\d{1,3})>/gi,
} as const;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['lrm', ''],
  ['rlm', ''],
]);

/** Without the marks of its format (<i>, <v Ann>, {\an8}), entities read, lines joined. */
function plainText(lines: readonly string[], format: Transcript['format']): string {
  return lines
    .map((line) =>
      line
        .replace(TAGS[format], '')
        .replace(/\{\\[^{}]*\}/g, '')
        .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, characterOf)
        .trim(),
    )
    .filter(Boolean)
    .join(' ');
}

function characterOf(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return ENTITIES.get(name) ?? whole;
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  // A control character or half of a pair is no text.
  const isText =
    point >= 0x20 && point <= 0x10ffff && !(point >= 0x7f && point < 0xa0) && !(point >= 0xd800 && point <= 0xdfff);
  return isText ? String.fromCodePoint(point) : whole;
}
