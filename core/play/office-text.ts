import { attribute, XmlError, xmlPieces } from './xml.ts';

/** More than this is no document that a check looks at, letters. */
const MOST_LETTERS = 32_000_000;

/** Elements that hold text, end a line, or stand for signs, in Word's and PowerPoint's files and in OpenDocument. */
const LINES = new Set(['w:p', 'a:p', 'text:p', 'text:h']);
const BREAKS: Readonly<Record<string, string>> = {
  'w:br': '\n',
  'w:cr': '\n',
  'a:br': '\n',
  'text:line-break': '\n',
  'w:tab': '\t',
  'text:tab': '\t',
};
const RUNS = new Set(['w:t', 'a:t']);
/** Notes beside the text, and what was deleted under watch. */
const LEFT_OUT = new Set([
  'text:tracked-changes',
  'office:annotation',
  'office:automatic-styles',
  'office:font-face-decls',
  'w:pPr',
  'w:rPr',
]);

/** The text of a document's part as a reader sees it, a paragraph a line. `runs`: text is in runs alone (Word, PowerPoint). */
export function textOfOffice(source: string, runs: boolean): string {
  const parts: string[] = [];
  let letters = 0;
  let [lines, inRun, out] = [0, 0, 0];
  const add = (text: string): void => {
    letters += text.length;
    if (letters > MOST_LETTERS) throw new XmlError('it holds more than 32 million letters');
    parts.push(text);
  };
  for (const piece of xmlPieces(source)) {
    if (piece.is === 'text') {
      if (out === 0 && (runs ? inRun > 0 : lines > 0)) add(piece.text);
      continue;
    }
    const { name } = piece;
    const step = piece.is === 'close' ? -1 : piece.empty ? 0 : 1;
    if (LEFT_OUT.has(name)) out = Math.max(0, out + step);
    if (out > 0) continue;
    if (RUNS.has(name)) inRun = Math.max(0, inRun + step);
    if (LINES.has(name)) {
      lines = Math.max(0, lines + step);
      if (step <= 0) add('\n');
    }
    if (piece.is !== 'open') continue;
    const sign = BREAKS[name];
    if (sign !== undefined && lines > 0) add(sign);
    if (name === 'text:s')
      add(' '.repeat(Math.min(100, Math.max(1, Number(attribute(piece.attributes, 'text:c') ?? 1) || 1))));
  }
  return parts.join('');
}
