import { join } from 'node:path';
import { elementFinder } from '../../../core/annotate/elements.ts';
import { type Pixel, stepPlace, toPicture } from '../../../core/annotate/picture.ts';
import { lacksName } from '../../../core/annotate/proposals/element.ts';
import { isAtText, lineCrop, nearerText, textCrop, textNear } from '../../../core/annotate/proposals/text.ts';
import type { Step } from '../../../schemas/api/models.ts';
import {
  type ReadText,
  type StepText,
  stepTextSchema,
  TEXT_RULES_VERSION,
  textHeadSchema,
} from '../../../schemas/texts.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { folderIn, hasFile, statOf } from '../../files/inside.ts';
import { readJsonLines } from '../../files/lines.ts';
import { makePrivate } from '../../files/private.ts';
import { readElements } from '../../store/recording-folder.ts';
import { type ClosedRecording, openFolder } from '../closed.ts';
import { derivedKey } from '../derived.ts';
import { DERIVED_FOLDER } from '../folders.ts';
import { currentKeyframes, picturesOf } from '../stills.ts';
import { parseLanguages } from './languages.ts';
import { startReader, type TextReader } from './reader.ts';

/**
 * derived/texts.jsonl of a recording: for each press of which no program told a name, the text at it in the picture before
 * it. It can be made again at any time, and counts for the raw files and rules that it was made of.
 */

/**
 * The user's settings on texts: languages in words (`eng+deu`), and a folder with data of languages beside the
 * packages.
 */
export type TextOptions = { languages: string; folder: string | null };

const FILE = `${DERIVED_FOLDER}/texts.jsonl`;
/** More bytes and steps than this program ever writes. */
const MOST_BYTES = 64 * 2 ** 20;
const MOST_LINES = 200_000;

export const textsKey = (folder: string): string => `${TEXT_RULES_VERSION} ${derivedKey(folder)}`;

/** The texts read at a recording's steps. `startMs`: how long the reading program took to start. */
export type Texts = { languages: string[]; startMs: number; lines: ReadonlyMap<string, StepText> };

/** The texts read from a recording; null where none were, or from other files or by other rules. Lines that do not fit are left out. */
export function readTextsFile(folder: string): Texts | null {
  try {
    const info = statOf(folder, FILE);
    if (info === null || info.size > MOST_BYTES) return null;
    let head: { languages: string[]; startMs: number } | null = null;
    const lines = new Map<string, StepText>();
    const key = textsKey(folder);
    const take = (value: unknown, index: number): boolean => {
      if (index === 0) {
        const first = textHeadSchema.safeParse(value);
        if (first.success && first.data.key === key) head = first.data;
        return true;
      }
      if (head === null || index > MOST_LINES) return true;
      const line = stepTextSchema.safeParse(value);
      if (line.success) lines.set(line.data.action, line.data);
      return line.success;
    };
    readJsonLines(folder, FILE, take, () => undefined);
    // Set in the loop, which the compiler does not see.
    const found = head as Pick<Texts, 'languages' | 'startMs'> | null;
    return found && { languages: found.languages, startMs: found.startMs, lines };
  } catch {
    return null; // Not there, or spoilt: it is made again.
  }
}

const kept = new WeakMap<ClosedRecording, { stamp: string; texts: Texts | null }>();

/** The text that was read at a step of an opened recording; the file is read again when it is another. */
export function textAt(opened: ClosedRecording, action: string): ReadText | null {
  const info = hasFile(opened.folder, FILE) ? statOf(opened.folder, FILE) : null;
  if (info === null) return null;
  const stamp = `${info.size}@${info.mtimeMs}#${info.ino}`;
  let known = kept.get(opened);
  if (known?.stamp !== stamp) {
    known = { stamp, texts: readTextsFile(opened.folder) };
    kept.set(opened, known);
  }
  return known.texts?.lines.get(action)?.text ?? null;
}

/** Presses: what a wheel turns over and what keys go to is not named by the text there. */
const PRESSES: ReadonlySet<Step['kind']> = new Set(['click', 'drag']);

/**
 * Reads what is missing in the pictures of a closed recording and keeps it; what was read of the same files in the same
 * languages stays, unless `anew`. A picture that cannot be read is told in its line. Throws NO_LIBRARY when nothing can be
 * read at all, USAGE for languages that are none, what cutting stills throws, and the signal's reason: then nothing is kept.
 */
export async function readTexts(
  folder: string,
  options: TextOptions,
  {
    anew = false,
    signal,
    progress = () => undefined,
    start = startReader,
  }: {
    anew?: boolean;
    signal?: AbortSignal;
    progress?(done: number, all: number): void;
    start?: typeof startReader;
  } = {},
): Promise<Texts> {
  const languages = parseLanguages(options.languages);
  const before = anew ? null : readTextsFile(folder);
  if (before && before.languages.join() === languages.join()) return before;
  const key = textsKey(folder);
  const { steps } = openFolder(folder).page;
  const elementAt = elementFinder(readElements(folder).elements);
  const presses = steps.filter(({ kind, start: [, , t] }) => PRESSES.has(kind) && lacksName(elementAt(t)));
  const lines = new Map<string, StepText>();
  let startMs = 0;
  if (presses.length > 0) {
    const pictures = picturesOf(folder, await currentKeyframes(folder));
    signal?.throwIfAborted();
    const reader = await start({ languages, folder: options.folder }, signal ? { signal } : {});
    startMs = reader.startMs;
    try {
      for (const { id, start: place } of presses) {
        signal?.throwIfAborted();
        const picture = pictures.get(`before ${id}`);
        const at = stepPlace(place);
        const point = picture && at && toPicture(at, { ...picture, ...picture.origin });
        if (point && textCrop(point, picture)) {
          const begun = performance.now();
          const line: StepText = { action: id, text: null, at: false, ms: 0 };
          try {
            line.text = await readTextAt(reader, picture, point);
            line.at = line.text !== null && isAtText(line.text, point);
          } catch (error) {
            signal?.throwIfAborted();
            line.problem = (error instanceof Error ? error.message : String(error)).slice(0, 500);
          }
          line.ms = Math.round(performance.now() - begun);
          lines.set(id, line);
        }
        progress(lines.size, presses.length);
      }
    } finally {
      await reader.close();
    }
  }
  signal?.throwIfAborted();
  const texts: Texts = { languages, startMs: Math.round(startMs), lines };
  const head = { key, languages: texts.languages, startMs: texts.startMs };
  const file = join(folderIn(folder, DERIVED_FOLDER), 'texts.jsonl');
  writeFileAtomic(file, [head, ...lines.values()].map((line) => `${JSON.stringify(line)}\n`).join(''));
  makePrivate(file);
  return texts;
}

/**
 * The text at a point of a picture, else the nearest one. Where none is at the point, the line there is read by itself: in a menu
 * the item below the pointer is light on dark, and those around it are not. Throws what reading throws.
 */
export async function readTextAt(
  reader: Pick<TextReader, 'read'>,
  picture: { path: string; width: number; height: number },
  point: Pixel,
): Promise<ReadText | null> {
  let near: ReadText | null = null;
  for (const crop of [textCrop(point, picture), lineCrop(point, picture)]) {
    if (!crop) continue;
    const words = await reader.read(picture.path, crop, picture.width * picture.height);
    near = nearerText(near, textNear(words, point, crop, picture), point);
    if (near && isAtText(near, point)) return near;
  }
  return near;
}

/** How long the reading of a step took at the median, ms; null where none was read. */
export function medianMs(lines: Texts['lines']): number | null {
  const took = [...lines.values()].map(({ ms }) => ms).sort((a, b) => a - b);
  return took[took.length >> 1] ?? null;
}

/** The cost of the reading, in a line: "Texts read at 12 of 14 presses in 1.9 s, 84 ms each at the median; 0.7 s to start." */
export function textsCost({ lines, startMs }: Texts): string {
  const took = [...lines.values()].map(({ ms }) => ms);
  if (took.length === 0) return 'No press needed a text to be read.';
  const found = [...lines.values()].filter(({ text }) => text !== null).length;
  const total = took.reduce((sum, ms) => sum + ms, 0);
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const failed = [...lines.values()].filter(({ problem }) => problem !== undefined).length;
  const told = failed > 0 ? ` ${failed} could not be read.` : '';
  return `Texts read at ${found} of ${took.length} presses without a name in ${seconds(total)} s, ${medianMs(lines)} ms each at the median; ${seconds(startMs)} s to start.${told}`;
}
