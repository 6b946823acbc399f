import path from 'node:path';
import type { z } from 'zod';
import { whyNot } from '../../../../schemas/errors.ts';
import type { ExportManifest } from '../../../../schemas/export.ts';
import { refuseCancelled } from '../../../store/jobs/cancelled.ts';
import { exportLines, lookAtPicture, wholeText } from './bounds.ts';
import type { ImageCheck } from './images.ts';
import type { PlaceReport, Report } from './problems.ts';

/** Given to a format's check: the folder as it was found, and where problems are reported. */
export type CheckedFolder = {
  dir: string;
  found: readonly string[];
  has(name: string): boolean;
  report: Report;
  manifest: ExportManifest | null;
  /** Whether the manifest says why an item is not in a part. */
  explained(part: string, item: string): boolean;
  pictures: Pictures;
  /** The split that the folder is of; null: it holds all tasks. */
  split: string | null;
  /** Reports a task that belongs into another split's folder. */
  inSplit(task: string, place: PlaceReport): void;
  signal: AbortSignal | undefined;
};

/** The pictures that lines name, each looked at once. */
type Pictures = {
  /** Its size; null, and a problem, when it is not there or damaged. Only names found by walking the folder are opened. */
  look(name: string, place: PlaceReport): Promise<{ width: number; height: number } | null>;
  /** How many were named. */
  count(): number;
  named(name: string): boolean;
};

export function picturesIn(dir: string, found: readonly string[], signal: AbortSignal | undefined): Pictures {
  const present = new Set(found);
  const seen = new Map<string, ImageCheck | null>();
  return {
    async look(name, place) {
      refuseCancelled(signal);
      if (!seen.has(name)) {
        seen.set(name, present.has(name) ? await lookAtPicture(path.join(dir, name)) : null);
      }
      const checked = seen.get(name) ?? null;
      if (!checked) place('IMAGE_MISSING', `${name} is not there`);
      else if ('damage' in checked) place('IMAGE_DAMAGED', `${name}: ${checked.damage}`);
      else return checked;
      return null;
    },
    count: () => seen.size,
    named: (name) => seen.has(name),
  };
}

/** Pictures in a folder that nothing names. */
export function checkUnused({ found, pictures, report }: CheckedFolder, folder: string): void {
  for (const name of found) {
    if (name.startsWith(`${folder}/`) && !pictures.named(name)) report('IMAGE_UNUSED', name, '', 'nothing names it');
  }
}

/** Reads JSON Lines and gives each that fits its schema to `onLine`. Gives back how many lines there are. */
export async function eachLine<T>(
  { dir, has, report, signal }: CheckedFolder,
  file: string,
  schema: z.ZodType<T>,
  onLine: (line: T, place: PlaceReport, number: number) => Promise<void>,
): Promise<number> {
  if (!has(file)) {
    report('FILE_MISSING', file, '', 'the format’s own file is not there');
    return 0;
  }
  let number = 0;
  for (const { text, line } of exportLines(dir, file, report)) {
    number = line;
    refuseCancelled(signal);
    const where = `line ${number}`;
    const value = parsedJson(text, file, where, report);
    if (value === undefined) continue;
    const read = fitting(value, schema, file, where, report);
    if (read !== undefined) await onLine(read, (code, message) => report(code, file, where, message), number);
  }
  return number;
}

/** Reads a JSON file; undefined, and a problem, when it is not there, no JSON or not of its schema. */
export async function readJson<T>(
  { dir, has, report }: CheckedFolder,
  file: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  if (!has(file)) {
    report('FILE_MISSING', file, '', 'the format’s own file is not there');
    return undefined;
  }
  let text: string;
  try {
    text = wholeText(dir, file);
  } catch (error) {
    report('JSON_BAD', file, '', whyNot(error));
    return undefined;
  }
  const value = parsedJson(text, file, '', report);
  return value === undefined ? undefined : fitting(value, schema, file, '', report);
}

/** A text of JSON; undefined, and a problem, where it is none. */
export function parsedJson(text: string, file: string, where: string, report: Report): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    report(where ? 'JSONL_BAD' : 'JSON_BAD', file, where, whyNot(error));
    return undefined;
  }
}

/** The value as its schema gives it; undefined, and a problem, where it does not fit. */
export function fitting<T>(
  value: unknown,
  schema: z.ZodType<T>,
  file: string,
  where: string,
  report: Report,
): T | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'it'}: ${issue.message}`);
  report('ROW_BAD', file, where, issues.join('; '));
  return undefined;
}
