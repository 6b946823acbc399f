import type { SeenByCheck } from '../../../schemas/api/setup.ts';
import type { Check } from '../../../schemas/checks.ts';
import { archiveParts, documentParts, SETTING_KEY, SETTING_SCHEMA, textParts } from '../../../schemas/checks-plain.ts';
import { tr } from '../../language/tr.ts';

/** Making checks from what is there: pure. */

export type CheckKind = Check['kind'];
export const CHECK_NAMES: Readonly<Record<CheckKind, string>> = {
  file: tr('A file is there, or not'),
  text: tr('A text in a file'),
  json: tr('A value in a JSON file'),
  config: tr('A value in a file of settings'),
  cell: tr('A cell of a sheet'),
  picture: tr('Size or content of a picture'),
  sqlite: tr('A value in an SQLite file'),
  window: tr('A window'),
  region: tr('A region of the screen'),
  shown: tr('A text on the screen'),
  setting: tr('A setting of the desktop'),
  element: tr('An element of a program'),
  answer: tr('The answer'),
  table: tr('A whole table'),
  document: tr('A presentation or a text document'),
  pdf: tr('A PDF'),
  sound: tr('Length or tags of a sound'),
  pages: tr('Pages of a browser'),
  archive: tr('The files in an archive or a folder'),
  infeasible: tr('It cannot be done'),
};

const BY_ENDING: Readonly<Record<string, CheckKind>> = {
  csv: 'cell',
  tsv: 'cell',
  xlsx: 'cell',
  ods: 'cell',
  json: 'json',
  ini: 'config',
  cfg: 'config',
  conf: 'config',
  desktop: 'config',
  png: 'picture',
  jpg: 'picture',
  jpeg: 'picture',
  gif: 'picture',
  webp: 'picture',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  db: 'sqlite',
  txt: 'text',
  md: 'text',
  html: 'text',
  xml: 'text',
  svg: 'text',
  docx: 'text',
  odt: 'text',
  pptx: 'text',
  odp: 'text',
  pdf: 'pdf',
  mp3: 'sound',
  flac: 'sound',
  ogg: 'sound',
  wav: 'sound',
  m4a: 'sound',
  mp4: 'sound',
  mkv: 'sound',
  zip: 'archive',
  tar: 'archive',
  tgz: 'archive',
};

/** The kind of check that says most about a file of this name. */
export function kindForFile(path: string): CheckKind {
  return BY_ENDING[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'file';
}

/** A short name that none of the others has. */
export function freeId(wanted: string, taken: readonly string[]): string {
  const clean =
    wanted
      .replace(/[^A-Za-z0-9_.-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 50) || 'check';
  if (!taken.includes(clean)) return clean;
  for (let n = 2; ; n++) if (!taken.includes(`${clean}-${n}`)) return `${clean}-${n}`;
}

/** A new check of a kind, with what must still be filled in left open. */
export function newCheck(kind: CheckKind, path: string, taken: readonly string[]): Check {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const head = { id: freeId(name === '' ? kind : name, taken), weight: 1 };
  switch (kind) {
    case 'file':
      return { ...head, kind, path, is: 'there' };
    case 'text':
      return { ...head, kind, path, contains: [], lacks: [], ignoreCase: false };
    case 'json':
      return { ...head, kind, path, at: '', equals: '', tolerance: 0 };
    case 'config':
      return { ...head, kind, path, key: '', equals: '', tolerance: 0 };
    case 'cell':
      return { ...head, kind, path, cell: 'A1', equals: '', tolerance: 0 };
    case 'picture':
      return { ...head, kind, path, difference: 0 };
    case 'sqlite':
      return { ...head, kind, path, query: 'SELECT ', equals: '', tolerance: 0 };
    case 'window':
      return { ...head, kind, title: '', is: 'there' };
    case 'region':
      return { ...head, kind, x: 0, y: 0, width: 100, height: 100, difference: 0.01 };
    case 'shown':
      return { ...head, kind, contains: [], lacks: [], ignoreCase: true, languages: 'eng' };
    case 'setting':
      return { ...head, kind, schema: '', key: '', equals: '', tolerance: 0 };
    case 'element':
      return { ...head, kind, tolerance: 0, is: 'there' };
    case 'answer':
      return { ...head, kind, equals: '', tolerance: 0 };
    case 'table':
      return { ...head, kind, path, formulas: false, anyOrder: false, ignoreCase: false, tolerance: 0 };
    case 'document':
      return { ...head, kind, path, parts: [], compare: ['text'] };
    case 'pdf':
      return { ...head, kind, path, contains: [], lacks: [], ignoreCase: false, alike: 1 };
    case 'sound':
      return { ...head, kind, path, tolerance: 0.5, tags: {} };
    case 'pages':
      return { ...head, kind, profile: '.config/chromium/Default', open: [], closed: [], by: 'address' };
    case 'archive':
      return { ...head, kind, path, holds: [], lacks: [], compare: 'bytes' };
    case 'infeasible':
      return { ...head, kind };
  }
}

const NO_DOCUMENT = { parts: [], like: undefined, has: undefined, font: undefined, italicSize: undefined };
/** The same check so that it may be asked for what is there: what it wants does not matter then. */
export function askable(check: Check): Check {
  if (check.kind === 'shown') return { ...check, contains: ['?'] };
  if (check.kind === 'text') return { ...check, contains: ['?'], like: undefined, alike: undefined };
  if (check.kind === 'picture') return { ...check, width: 1, like: undefined, alike: undefined, inColour: undefined };
  if (check.kind === 'table') return { ...check, names: ['?'], like: undefined };
  if (check.kind === 'document') return { ...check, ...NO_DOCUMENT, slides: 1 };
  if (check.kind === 'pdf') return { ...check, pages: 1, like: undefined };
  if (check.kind === 'sound') return { ...check, seconds: 0 };
  if (check.kind === 'pages') return { ...check, open: ['?'], by: 'part', active: undefined, closed: [] };
  if (check.kind === 'archive') return { ...check, holds: ['?'], matches: undefined, like: undefined };
  if (check.kind === 'window') return { ...check, title: '?' };
  if (check.kind === 'element' && check.role === undefined && check.name === undefined) return { ...check, name: '?' };
  return check;
}

/** The check with what is there as what it wants; the same where that says nothing. */
export function takeSeen(check: Check, seen: SeenByCheck): Check {
  if (seen.of === 'value' && 'equals' in check && check.kind !== 'file' && check.kind !== 'text')
    return { ...check, equals: seen.value } as Check;
  if (seen.of === 'picture' && check.kind === 'picture') return { ...check, width: seen.width, height: seen.height };
  if (seen.of === 'file' && check.kind === 'file') return { ...check, sha256: seen.sha256 };
  if (seen.of === 'table' && check.kind === 'table') return { ...check, names: seen.names };
  if (seen.of === 'document' && check.kind === 'document')
    return { ...check, pictures: seen.pictures, ...(seen.slides !== null && { slides: seen.slides }) };
  if (seen.of === 'pdf' && check.kind === 'pdf') return { ...check, pages: seen.pages };
  if (seen.of === 'sound' && check.kind === 'sound')
    return { ...check, tags: seen.tags, ...(seen.seconds !== null && { seconds: seen.seconds }) };
  if (seen.of === 'pages' && check.kind === 'pages')
    return { ...check, by: 'address', open: seen.open, ...(seen.active !== null && { active: seen.active }) };
  if (seen.of === 'archive' && check.kind === 'archive') return { ...check, holds: seen.names.slice(0, 1000) };
  return check;
}

export type ShownElement = (SeenByCheck & { of: 'elements' })['elements'][number];
const HAS_VALUE = 80;
/** An element as a list shows it; the same words for two that nothing tells apart. */
export function elementWords({ role, name, states, value }: ShownElement): string {
  const title = name === '' ? role : `${role}: ${name}`;
  const shown = value === null || value === '' ? '' : ` = ${String(value).slice(0, HAS_VALUE)}`;
  return `${title}${shown}${states.includes('checked') ? ` (${tr('checked')})` : ''}`;
}

/** The check of an element as it is: its value, or that it is checked, is wanted too. */
export function takeElement(
  check: Check & { kind: 'element' },
  { role, name, states, value }: ShownElement,
): Check & { kind: 'element' } {
  return {
    ...check,
    role,
    name: name === '' ? undefined : name,
    equals: value ?? undefined,
    state: states.includes('checked') ? 'checked' : undefined,
  };
}

type WantedValue = (Check & { kind: 'json' })['equals'];

/** A value as somebody writes it: `12.5`, `true`, `null`, a list and an object are what they look like, all else is a text. */
export function writtenValue(text: string): WantedValue {
  const plain = text.trim();
  if (plain === 'true' || plain === 'false') return plain === 'true';
  if (plain === 'null') return null;
  if (/^[[{].*[\]}]$/s.test(plain)) return listOrObject(plain) ?? text;
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(plain) && plain.length < 16 ? Number(plain) : text;
}

function listOrObject(text: string): WantedValue | null {
  try {
    return JSON.parse(text) as WantedValue; // It begins with a bracket, so it is a list or an object.
  } catch {
    return null;
  }
}

export const textOfValue = (value: WantedValue): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** What is still missing for a check to say something; null when nothing is. */
export function checkFault(check: Check): string | null {
  if ('path' in check && check.path.trim() === '') return tr('Choose or write the file.');
  if (check.kind === 'text' && textParts(check) === 0) return tr('Say what the text contains or lacks.');
  if (check.kind === 'shown' && check.contains.length + check.lacks.length === 0)
    return tr('Say what the text contains or lacks.');
  if (check.kind === 'cell' && !/^[A-Z]{1,3}[1-9]\d{0,6}$/.test(check.cell)) return tr('Name a cell, such as B3.');
  if (check.kind === 'picture' && check.like === undefined && (check.width ?? check.height ?? check.mode) === undefined)
    return tr('Say the size, or which picture it is like.');
  if (check.kind === 'sqlite' && !/^\s*(?:select|with)\b.*\S/is.test(check.query)) return tr('Write one SELECT.');
  if (check.kind === 'window' && check.title.trim() === '') return tr('Write a part of the window’s title.');
  if (check.kind === 'region' && (check.like === undefined) === (check.colour === undefined))
    return tr('Choose a colour, or keep the region as a picture.');
  if (check.kind === 'config' && check.key.trim() === '') return tr('Name the key, such as autosave.');
  if (check.kind === 'setting' && !SETTING_SCHEMA.test(check.schema))
    return tr('Name the schema, such as org.gnome.desktop.interface.');
  if (check.kind === 'setting' && !SETTING_KEY.test(check.key)) return tr('Name the key, such as clock-format.');
  if (check.kind === 'element' && !check.role && !check.name) return tr('Name the role or the name of the element.');
  if (check.kind === 'answer' && check.equals === '') return tr('Write the answer.');
  if (check.kind === 'archive' && archiveParts(check) === 0)
    return tr('Say what the archive or the folder holds or lacks.');
  return saysNothing(check) ? tr('Say how it must be.') : null;
}

function saysNothing(check: Check): boolean {
  if (check.kind === 'table') return check.like === undefined && check.names === undefined;
  if (check.kind === 'document') return documentParts(check) === 0;
  if (check.kind === 'pdf')
    return (check.like ?? check.pages) === undefined && check.contains.length + check.lacks.length === 0;
  if (check.kind === 'sound') return check.seconds === undefined && Object.keys(check.tags).length === 0;
  if (check.kind === 'pages') return check.active === undefined && check.open.length + check.closed.length === 0;
  return false;
}
