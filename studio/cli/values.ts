import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';

/** Values of options. Each function throws USAGE (BAD_REGION for a region) naming the option and what it takes. */

const UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** `20s`, `1.5m`, `500ms`, `2h`; a bare number is seconds. Gives milliseconds, more than 0. */
export function parseDuration(option: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|min|h)?$/.exec(text.trim());
  const ms = match ? Math.round(Number(match[1]) * UNITS_MS[match[2] ?? 's']!) : 0;
  if (ms > 0) return ms;
  throw wrongValue(option, text, 'a time such as 20s, 500ms, 2m or 1h');
}

/** A whole number from `least` to `most`. */
export function parseWhole(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^-?\d+$/.test(text.trim()) && number >= least && number <= most) return number;
  throw wrongValue(option, text, `a whole number from ${least} to ${most}`);
}

/** A number from `least` to `most`, such as a share. */
export function parseNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^(?:\d+|\d*\.\d+)$/.test(text.trim()) && value >= least && value <= most) return value;
  throw wrongValue(option, text, `a number from ${least} to ${most}`);
}

export function isYes(option: string, text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw wrongValue(option, text, 'yes or no');
}

/** `3-20`, `5-`, `-10`, or one number for both ends. */
export function parseRange(option: string, text: string): { min?: number; max?: number } {
  const match = /^(\d+(?:\.\d+)?)?\s*-\s*(\d+(?:\.\d+)?)?$/.exec(text.trim());
  const [min, max] = [match?.[1], match?.[2]];
  if (match && (min !== undefined || max !== undefined) && (!min || !max || Number(min) <= Number(max))) {
    return { ...(min !== undefined && { min: Number(min) }), ...(max !== undefined && { max: Number(max) }) };
  }
  if (/^\d+(?:\.\d+)?$/.test(text.trim())) return { min: Number(text), max: Number(text) };
  throw wrongValue(option, text, 'a range such as 3-20, 5- or -10');
}

/** The words between commas, without the spaces around them; empty ones are none. Never throws. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** `x,y,w,h` in physical px of the virtual desktop; x and y may be negative (a display left of the first). */
export function parseRegion(text: string): Rect {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 4 || parts.some((part) => !/^-?\d+$/.test(part))) {
    throw wrongValue('--region', text, 'four whole numbers x,y,width,height in pixels, such as 0,0,1280,720');
  }
  const [x, y, width, height] = parts.map(Number) as [number, number, number, number]; // Four, as looked at above.
  if (width > 0 && height > 0) return { x, y, width, height };
  throw new StudioError(
    'BAD_REGION',
    `--region ${text}: width and height must be more than 0. Give x,y,width,height in pixels, such as 0,0,1280,720.`,
    { region: text },
  );
}

/** For a value that an option cannot take; `takes` says in words what it does. */
export function wrongValue(option: string, text: string, takes: string): StudioError {
  return new StudioError('USAGE', `${option} "${text}" cannot be taken: it takes ${takes}.`, { option, value: text });
}
