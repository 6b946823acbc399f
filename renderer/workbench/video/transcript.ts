/** One line of a transcript: seconds of the source video, and what is said. Text is text, never markup. */
export type Cue = { start: number; end: number; text: string };

const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)\s*-->\s*((?:\d+:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)/;

/**
 * Reads SubRip (.srt) and WebVTT (.vtt): both are blocks with a line `start --> end`. Anything else (headers,
 * notes, styles, numbers) is passed over; a file with no times at all gives one cue a paragraph at 0.
 */
export function parseTranscript(file: string): Cue[] {
  const blocks = file
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n+/);
  const cues = blocks.flatMap(cueOf);
  if (cues.length > 0) return cues.sort((a, b) => a.start - b.start);
  return blocks
    .map((block) => clean(block))
    .filter((text) => text !== '' && !text.startsWith('WEBVTT'))
    .map((text) => ({ start: 0, end: 0, text }));
}

/** The cue that is said at `seconds`: the last that began; -1 before the first. */
export function cueAt(cues: readonly Cue[], seconds: number): number {
  let found = -1;
  for (let i = 0; i < cues.length && cues[i]!.start <= seconds; i++) found = i;
  return found;
}

function cueOf(block: string): Cue[] {
  const lines = block.split('\n');
  const at = lines.findIndex((line) => TIMES.test(line));
  if (at === -1) return [];
  const [, from, to] = TIMES.exec(lines[at]!)!;
  const text = clean(lines.slice(at + 1).join('\n'));
  return text === '' ? [] : [{ start: secondsOf(from!), end: secondsOf(to!), text }];
}

function secondsOf(time: string): number {
  const parts = time.replace(',', '.').split(':').map(Number);
  return parts.reduce((total, part) => total * 60 + part, 0);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

/** Without the tags of both formats (<i>, <c.yellow>, <v Ann>, {\an8}), entities read, lines joined. */
function clean(text: string): string {
  return text
    .replace(/<\/?[a-z0-9][^<>]*>/gi, '')
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
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
