import type { Rect } from '../../schemas/events.ts';
import { visibleLine } from './visible.ts';

/** Rows of text as aligned columns, each in a line whatever its cells hold, the first row the headings. Columns named in `right` are aligned right. */
export function textTable(given: readonly (readonly string[])[], right: readonly number[] = []): string {
  const rows = given.map((row) => row.map(visibleLine));
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, width(cell));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => {
        const space = ' '.repeat(widths[i]! - width(cell));
        return right.includes(i) ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

/** In characters as people count them. */
const width = (text: string): number => [...text].length;

/** A box as `120x80+40+300`: width, height, left and top, px. */
export const boxText = ({ x, y, width, height }: Rect): string => `${width}x${height}+${x}+${y}`;

/** Bytes as `12.3 MB` (of a million bytes). */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Microseconds as `1:02.345`, or `1:02:03.456` from an hour on. */
export function clockText(us: number): string {
  const ms = Math.round(Math.abs(us) / 1000);
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, '0');
  const start = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : String(minutes);
  return `${us < 0 ? '-' : ''}${start}:${seconds}`;
}
