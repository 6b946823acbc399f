import type { SeenByCheck } from '../../../schemas/api/setup.ts';
import type { Check, CheckValue } from '../../../schemas/checks.ts';
import { SETTING_KEY, SETTING_SCHEMA } from '../../../schemas/checks-plain.ts';
import { tr } from '../../language/tr.ts';

/** Making checks from what is there: pure. */

export type CheckKind = Check['kind'];
export const CHECK_NAMES: Readonly<Record<CheckKind, string>> = {
  file: tr('A file is there, or not'),
  text: tr('A text in a file'),
  json: tr('A value in a JSON file'),
  cell: tr('A cell of a sheet'),
  picture: tr('Size or content of a picture'),
  sqlite: tr('A value in an SQLite file'),
  window: tr('A window'),
  region: tr('A region of the screen'),
  shown: tr('A text on the screen'),
  setting: tr('A setting of the desktop'),
  element: tr('An element of a program'),
  answer: tr('The answer'),
};

const BY_ENDING: Readonly<Record<string, CheckKind>> = {
  csv: 'cell',
  tsv: 'cell',
  xlsx: 'cell',
  ods: 'cell',
  json: 'json',
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
  }
}

/** The same check so that it may be asked for what is there: what it wants does not matter then. */
export function askable(check: Check): Check {
  if (check.kind === 'text' || check.kind === 'shown') return { ...check, contains: ['?'] };
  if (check.kind === 'picture') return { ...check, width: 1, like: undefined };
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

/** A value as somebody writes it: `12.5`, `true` and `null` are what they look like, all else is a text. */
export function writtenValue(text: string): CheckValue {
  const plain = text.trim();
  if (plain === 'true' || plain === 'false') return plain === 'true';
  if (plain === 'null') return null;
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(plain) && plain.length < 16 ? Number(plain) : text;
}
export const textOfValue = (value: CheckValue): string => (value === null ? 'null' : String(value));

/** What is still missing for a check to say something; null when nothing is. */
export function checkFault(check: Check): string | null {
  if ('path' in check && check.path.trim() === '') return tr('Choose or write the file.');
  if (check.kind === 'text' && check.contains.length + check.lacks.length === 0 && check.equals === undefined)
    return tr('Say what the text contains or lacks.');
  if (check.kind === 'shown' && check.contains.length + check.lacks.length === 0)
    return tr('Say what the text contains or lacks.');
  if (check.kind === 'cell' && !/^[A-Z]{1,3}[1-9]\d{0,6}$/.test(check.cell)) return tr('Name a cell, such as B3.');
  if (check.kind === 'picture' && check.like === undefined && check.width === undefined && check.height === undefined)
    return tr('Say the size, or which picture it is like.');
  if (check.kind === 'sqlite' && !/^\s*(?:select|with)\b.*\S/is.test(check.query)) return tr('Write one SELECT.');
  if (check.kind === 'window' && check.title.trim() === '') return tr('Write a part of the window’s title.');
  if (check.kind === 'region' && (check.like === undefined) === (check.colour === undefined))
    return tr('Choose a colour, or keep the region as a picture.');
  if (check.kind === 'setting' && !SETTING_SCHEMA.test(check.schema))
    return tr('Name the schema, such as org.gnome.desktop.interface.');
  if (check.kind === 'setting' && !SETTING_KEY.test(check.key)) return tr('Name the key, such as clock-format.');
  if (check.kind === 'element' && !check.role && !check.name) return tr('Name the role or the name of the element.');
  if (check.kind === 'answer' && check.equals === '') return tr('Write the answer.');
  return null;
}
