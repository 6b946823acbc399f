import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { isTooDeep } from '../../../core/json-depth.ts';
import type { Found } from '../../../core/play/checks.ts';
import { valueInConfig } from '../../../core/play/config-file.ts';
import { calendarDay } from '../../../core/play/day.ts';
import { cutOut, otherPixels, plainPicture } from '../../../core/play/pixels.ts';
import { cellOfCsv, placeOfCell } from '../../../core/play/sheets.ts';
import { structuralLikeness } from '../../../core/play/ssim.ts';
import { textLikeness } from '../../../core/play/text-likeness.ts';
import type { Check } from '../../../schemas/checks.ts';
import type { SeenElement } from '../../../schemas/elements.ts';
import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import { readBounded, readBoundedIn } from '../../files/bounded.ts';
import { findFile, findFolder, openFound, openGiven, statOf } from '../../files/inside.ts';
import { packedFolder } from './folder.ts';
import { readSheetCell } from './office.ts';
import { readPages } from './session.ts';
import { settingOnStage } from './setting.ts';
import { readText } from './text.ts';
import { fileEnding, findWhole, folderDifference, type NamedBytes, textOfFile } from './whole.ts';

/** The largest file whose inside is looked at, and the largest that is hashed, bytes. */
const MOST_INSIDE = 32_000_000;
const MOST_HASHED = 8_000_000_000;

/** Loaded for a check of a picture alone: the decoder. */
const pictures = () => import('../../files/picture.ts');
const readRgb = async (source: string | Uint8Array): Promise<RgbImage> => (await pictures()).readRgb(source);

/** Where the outcome is looked at. Plain JSON but for the two that look at the display. */
export type CheckPlace = {
  /** The folder that the paths of checks are in; null where no files were kept. */
  home: string | null;
  /** A picture of the screen, and where its top left is; null: `look` asks the display, if there is one. */
  still: { file: string; x: number; y: number } | null;
  titles: readonly string[] | null;
  /** The task's files by their names. */
  files: Readonly<Record<string, string>>;
  answer: string | null;
};

export type CheckDisplay = {
  look(rect: Rect): RgbImage | null;
  /** All that it shows. */
  screen(): Rect;
  titles(): readonly string[];
  elements(check: ElementCheck): Elements | null;
};

type ElementCheck = Check & { kind: 'element' };
type Elements = { elements: SeenElement[]; whole: boolean };

/** Reads the outcome for a check; `live`: its session is still there. A file that cannot be read is an answer too, with its reason; nothing is thrown. */
export async function findFor(
  check: Check,
  place: CheckPlace,
  display: () => Promise<CheckDisplay | null>,
  live = false,
): Promise<Found> {
  try {
    if (check.kind === 'answer' || check.kind === 'infeasible')
      return place.answer === null
        ? none('no answer was given; give one with --answer')
        : { of: 'text', text: place.answer };
    if (check.kind === 'window') {
      const titles = place.titles ?? (await display())?.titles();
      return titles ? { of: 'titles', titles } : none('the windows of that time were not kept');
    }
    if (check.kind === 'element') {
      const opened = await display();
      if (!opened) return none('the elements of that time were not kept; check a stage, or play the recording');
      const seen = opened.elements(check);
      return seen ? { of: 'elements', ...seen } : none(SILENT);
    }
    if (check.kind === 'region') return await findRegion(check, place, display);
    if (check.kind === 'shown') return await findShown(check, place, display);
    if (check.kind === 'setting')
      return live
        ? { of: 'value', value: settingOnStage(check, place.home) }
        : none('the settings of that time were not kept; check a stage, or play the recording');
    if (place.home === null)
      return none('the files of that time were not kept; check a play, a stage, or a folder (--home)');
    if (check.kind === 'pages')
      return { of: 'pages', ...readPages(place.home, check.profile), today: calendarDay(new Date()) };
    const { path } = check;
    if (check.kind === 'archive' && statOf(place.home, path) === null) {
      const folder = findFolder(place.home, path);
      if (folder !== null) return await findFolderFor(check, folder, place);
    }
    if (findFile(place.home, path) === null) {
      const kept = check.kind === 'archive' ? ' (with a play no folder of more than 2,000 files or 64 MB is kept)' : '';
      return { of: 'none', why: `${path} is not there${kept}`, missing: true };
    }
    return await findInFile(check, place.home, place);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const what =
      'path' in check
        ? check.path
        : check.kind === 'setting'
          ? `${check.schema} ${check.key}`
          : check.kind === 'element'
            ? 'the elements of the programs'
            : check.kind === 'pages'
              ? 'the pages of the browser'
              : 'the screen';
    return none(`${what} cannot be read: ${why.slice(0, 300)}`);
  }
}

const SILENT =
  'no program here tells of its elements; a stage whose programs do is set up by `stage new --elements`, or once the task has this check';

const none = (why: string): Found => ({ of: 'none', why });

type FileCheck = Extract<Check, { path: string }>;

async function findInFile(check: FileCheck, home: string, place: CheckPlace): Promise<Found> {
  const { path } = check;
  const ending = fileEnding(path);
  const likeBytes = (name: string): NamedBytes => {
    const file = fileOf(place, name);
    return { bytes: readBounded(file, MOST_INSIDE), ending: fileEnding(file) };
  };
  const bytes = (): Buffer => readBoundedIn(home, path, MOST_INSIDE);
  switch (check.kind) {
    case 'file': {
      const { bytes: size, sha256 } = hashOf(openFound(findFile(home, path) ?? path));
      const wanted = check.equals === undefined ? null : hashOf(openGiven(fileOf(place, check.equals))).sha256;
      return { of: 'file', bytes: size, sha256, wanted };
    }
    case 'text':
      if (ending === 'xlsx' || ending === 'ods') return none(`${path} is a spreadsheet: check a cell of it`);
      return findText(check, { bytes: bytes(), ending }, check.like === undefined ? null : likeBytes(check.like));
    case 'json':
      return findValue(readText(bytes()), check.at);
    case 'config':
      return { of: 'value', value: valueInConfig(readText(bytes()), check.section, check.key) };
    case 'cell':
      if (ending === 'xlsx' || ending === 'ods')
        return { of: 'value', value: await readSheetCell(bytes(), ending, check.sheet, check.cell) };
      if (ending !== 'csv' && ending !== 'tsv')
        return none(`cells are read of .csv, .tsv, .xlsx and .ods, not of ${path}`);
      return {
        of: 'value',
        value: cellOfCsv(
          readText(bytes()),
          check.separator ?? (ending === 'tsv' ? '\t' : ','),
          placeOfCell(check.cell),
        ),
      };
    case 'sqlite': {
      const { queryFile } = await import('./query.ts');
      return { of: 'value', value: queryFile(home, path, check.query) };
    }
    case 'picture': {
      const { rgbAndMode } = await pictures();
      const { image, mode } = await rgbAndMode(bytes(), { name: path });
      const { width, height } = image;
      if (check.like === undefined) return { of: 'picture', width, height, mode, other: null };
      const wanted = await readRgb(likeBytes(check.like).bytes);
      if (check.alike !== undefined) {
        const likeness = structuralLikeness(image, wanted, check.inColour);
        return { of: 'picture', width, height, mode, other: null, alike: likeness };
      }
      return { of: 'picture', width, height, mode, other: otherPixels(image, wanted) };
    }
    default:
      return findWhole(
        check,
        { bytes: bytes(), ending },
        'like' in check && check.like !== undefined ? likeBytes(check.like) : null,
      );
  }
}

async function findFolderFor(check: Check & { kind: 'archive' }, root: string, place: CheckPlace): Promise<Found> {
  const folder = packedFolder(root, check.top === true);
  const like = check.like === undefined ? null : readBounded(fileOf(place, check.like), MOST_INSIDE);
  const difference = like && (await folderDifference(folder, like, check.compare));
  return { of: 'archive', names: folder.names, difference };
}

async function findText(check: Check & { kind: 'text' }, own: NamedBytes, like: NamedBytes | null): Promise<Found> {
  const text = await textOfFile(own);
  if (!like) return { of: 'text', text };
  const plain = (one: string): string => {
    const lined = (check.ignoreCase ? one.toLowerCase() : one).replaceAll('\r\n', '\n');
    return check.ignoreBlanks ? lined.replaceAll(/\s+/g, ' ') : lined;
  };
  const [seen, wanted] = [plain(text).trim(), plain(await textOfFile(like)).trim()];
  // Alike to the last word says nothing of blanks: the same is the same.
  return { of: 'text', text, alike: check.alike === undefined ? Number(seen === wanted) : textLikeness(seen, wanted) };
}

async function findRegion(
  check: Check & { kind: 'region' },
  { still, ...place }: CheckPlace,
  display: () => Promise<CheckDisplay | null>,
): Promise<Found> {
  const { width, height } = check;
  let seen: RgbImage | null;
  if (still) seen = cutOut(await readRgb(still.file), { ...check, x: check.x - still.x, y: check.y - still.y });
  else {
    const live = await display();
    if (!live) return none('there is no picture of the screen');
    seen = live.look(check);
  }
  if (!seen) return none('the region is not all on the screen');
  const wanted =
    check.like === undefined
      ? plainPicture(width, height, check.colour ?? '#000000')
      : await readRgb(readBounded(fileOf({ still, ...place }, check.like), MOST_INSIDE));
  return { of: 'picture', width, height, other: otherPixels(seen, wanted) };
}

async function findShown(
  { area, languages }: Check & { kind: 'shown' },
  { still }: CheckPlace,
  display: () => Promise<CheckDisplay | null>,
): Promise<Found> {
  let seen: RgbImage | null;
  if (still) {
    const whole = await readRgb(still.file);
    seen = area ? cutOut(whole, { ...area, x: area.x - still.x, y: area.y - still.y }) : whole;
  } else {
    const live = await display();
    if (!live) return none('there is no picture of the screen');
    seen = live.look(area ?? live.screen());
  }
  if (!seen) return none('the area is not all on the screen');
  const { textOn } = await import('./shown.ts');
  return { of: 'text', text: await textOn(seen, languages) };
}

function fileOf({ files }: CheckPlace, name: string): string {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) throw new Error(`the task has no file “${name.slice(0, 100)}” to compare it with; attach it`);
  return file;
}

/** The value at a pointer of a JSON text. */
export function findValue(text: string, at: string): Found {
  if (isTooDeep(text)) return none('its values lie too deep in each other');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return none('the file is no JSON');
  }
  for (const raw of at.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    const isIndex = !Array.isArray(value) || /^(?:0|[1-9]\d*)$/.test(key);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key) || !isIndex)
      return { of: 'none', why: `there is no value at “${at.slice(0, 100)}”`, missing: true };
    value = (value as Record<string, unknown>)[key]; // Its own key, as was just seen; of a list, an index.
  }
  return { of: 'value', value };
}

const chunk = Buffer.allocUnsafe(1 << 20);

function hashOf(file: number): { bytes: number; sha256: string } {
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (;;) {
      const length = readSync(file, chunk, 0, chunk.length, null);
      if (length === 0) break;
      hash.update(chunk.subarray(0, length));
      bytes += length;
      if (bytes > MOST_HASHED) throw new Error(`it is larger than ${MOST_HASHED / 1e9} GB`);
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(file);
  }
}
