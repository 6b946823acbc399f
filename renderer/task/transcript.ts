/** A line of a source video's transcript; `start` in seconds of that video, null when the file has no times. */
type TranscriptLine = { start: number | null; text: string };

const TIME = /(?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?/;
const CUE = new RegExp(`^${TIME.source}\\s*-->`);
const LEADING = new RegExp(`^[[(]?${TIME.source}[\\])]?\\s+(?=\\S)`);

/**
 * Reads a transcript: WebVTT, SubRip, or plain text with or without a time at the start of lines. Never throws: what is
 * none of these is its own lines. Tags of WebVTT (`<i>`, `<00:01.000>`) are left out of the text.
 */
export function transcriptLines(file: string): TranscriptLine[] {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return text.split('\n').some((line) => CUE.test(line.trim())) ? readCues(text) : readPlain(text);
}

function readCues(text: string): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  for (const block of text.split(/\n{2,}/)) {
    const rows = block.split('\n').map((row) => row.trim());
    const at = rows.findIndex((row) => CUE.test(row));
    if (at < 0) continue;
    const said = rows
      .slice(at + 1)
      .join(' ')
      .replace(/<[^<>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    // Captions made by a machine repeat the line before.
    if (said !== '' && lines.at(-1)?.text !== said)
      lines.push({ start: secondsOf(CUE.exec(rows[at] ?? '')), text: said });
  }
  return lines;
}

function readPlain(text: string): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  for (const row of text.split('\n').map((one) => one.trim())) {
    if (row === '') continue;
    const time = LEADING.exec(row);
    lines.push(time ? { start: secondsOf(time), text: row.slice(time[0].length) } : { start: null, text: row });
  }
  return lines;
}

function secondsOf(match: RegExpExecArray | null): number | null {
  if (!match) return null;
  const [, h = '0', m = '0', s = '0', ms = '0'] = match;
  return Number(h) * 3600 + Number(m) * 60 + Number(s) + Number(ms.padEnd(3, '0')) / 1000;
}
