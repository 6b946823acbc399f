import type { Check } from '../../schemas/checks.ts';
import {
  DOCUMENT_ASPECTS,
  type DocumentAspect,
  type DocumentTrait,
  type WordAspect,
} from '../../schemas/checks-plain.ts';
import { valueOfSetting } from '../play/setting.ts';
import { tableRules } from './compared.ts';
import { datedPattern, hasOtherParts, toldDay } from './days.ts';
import { type Fields, fieldsIn, homePath, isFields, literally, textField, textsIn } from './fields.ts';
import { browserSetting, KEPT_MAPPERS, PROFILE } from './kept.ts';
import { fileTest } from './shell.ts';
import { type NeededFile, nameFor, shortly } from './start.ts';

/** OSWorld's evaluators as checks. One that is code, or asks a command, a server or a page's text, has none; it is never run. */

export type Evaluator = { func: string; result: Fields; expected: Fields; options: Fields };
/** A check without its name and weight, which the task gives. */
export type NamelessCheck = Check extends infer C ? (C extends Check ? Omit<C, 'id' | 'weight'> : never) : never;
export type MappedEvaluator = { checks: NamelessCheck[]; missing: string | null; notes: string[] };

/** `listings`: folders that were listed before, by where the list is. */
type Listings = ReadonlyMap<string, string>;
type Given = Evaluator & { needed: NeededFile[]; notes: string[]; listings: Listings };
/** The checks, or why there are none. */
type Mapper = (given: Given) => NamelessCheck[] | string;

export function mapEvaluator(evaluator: Evaluator, needed: NeededFile[], listings: Listings): MappedEvaluator {
  const mapper = Object.hasOwn(MAPPERS, evaluator.func) ? MAPPERS[evaluator.func] : undefined;
  const notes: string[] = [];
  const given = { ...evaluator, needed, notes, listings };
  const mapped = mapper?.(given) ?? keptOf(given) ?? 'it is code of OSWorld, and has no check here';
  if (typeof mapped !== 'string') return { checks: mapped, missing: null, notes };
  return { checks: [], missing: `${evaluator.func}: ${mapped}`, notes };
}

/** What a program keeps of it in a file; null where it is not known. */
function keptOf(given: Given): NamelessCheck[] | string | null {
  const kept = Object.hasOwn(KEPT_MAPPERS, given.func) ? KEPT_MAPPERS[given.func] : undefined;
  if (!kept) return null;
  const { result, notes } = given;
  const file = fileOf(given);
  if (typeof file === 'string' && result.type === 'vm_file') return file;
  return kept({ result, rules: rulesOf(given), file: typeof file === 'string' ? null : file.path, notes });
}

/** The file that is looked at; a text says why there is none. */
function fileOf({ result }: Given): { path: string } | string {
  // Beside a table OSWorld looks at what a program made of it, which is not needed here.
  const [first, ...others] = Array.isArray(result.path) ? result.path : [];
  const isBeside = typeof first === 'string' && others.every((one) => typeof one === 'string' && one.endsWith('.csv'));
  const path = isBeside && first.endsWith('.xlsx') ? first : result.path;
  if (result.type === 'vlc_config') return { path: '.config/vlc/vlcrc' };
  if (result.type !== 'vm_file') return `it looks at ${String(result.type).slice(0, 60)}, which checks cannot`;
  if (typeof path !== 'string') return 'it looks at several files at once';
  const inside = homePath(path);
  return inside === null ? `${path.slice(0, 100)} lies outside of the home` : { path: inside };
}

/** The name by which the wanted file is a file of the task; a text says why there is none. */
function goldOf({ expected, needed }: Given): { like: string } | string {
  const firstOf = (name: string): string | null =>
    Array.isArray(expected[name]) && expected.multi === true
      ? (textsIn(expected, name)[0] ?? null)
      : textField(expected, name);
  const [url, dest] = [firstOf('path'), firstOf('dest')];
  if (expected.type !== 'cloud_file' || url === null)
    return `it compares with ${String(expected.type ?? 'nothing').slice(0, 60)}, not with a file of the task`;
  const known = needed.find((one) => one.url === url);
  if (known) return { like: known.name };
  const name = nameFor(needed, dest ?? 'wanted');
  needed.push({ name, url, to: null });
  return { like: name };
}

/** A check of a file beside a wanted one. */
const beside =
  (make: (both: { path: string; like: string }, given: Given) => NamelessCheck[] | string): Mapper =>
  (given) => {
    const [file, gold] = [fileOf(given), goldOf(given)];
    if (typeof file === 'string') return file;
    return typeof gold === 'string' ? gold : make({ ...file, ...gold }, given);
  };

const rulesOf = ({ expected }: Given): Fields => fieldsIn(expected, 'rules');
const noText = { contains: [], lacks: [], ignoreCase: false };
const noPages = { profile: PROFILE, open: [], closed: [] };
const plainTable = { formulas: false, anyOrder: false, ignoreCase: false, tolerance: 0 };

const command = ({ result }: Given): string[] =>
  (Array.isArray(result.command)
    ? result.command.map(String)
    : String(result.command ?? '')
        .replace(/^export DBUS_SESSION_BUS_ADDRESS='[\w:=/,-]{1,100}'\n/, '')
        .split(' ')
  ).filter((word) => word !== '');

/** `cat FILE` as the file; null for any other command. */
function printedFile(given: Given): string | null {
  const [program, path, ...more] = command(given);
  if (given.result.type !== 'vm_command_line' || program !== 'cat' || path === undefined || more.length > 0)
    return null;
  return homePath(path);
}
const noCommand = (given: Given): string => `it runs a command: ${shortly(command(given).join(' '))}`;

/** A file that a shell tests for: it is there, or it is not. Null for any other command. */
function testedFile({ result }: Given, wanted: string | null): NamelessCheck | null {
  const test = result.type === 'vm_command_line' ? fileTest(textField(result, 'command') ?? '') : null;
  const path = test && homePath(test.path);
  if (!test || path === null || (wanted !== `${test.found}\n` && wanted !== `${test.missing}\n`)) return null;
  const isFound = wanted === `${test.found}\n`;
  if (!test.folder) return { kind: 'file', path, is: isFound ? 'there' : 'absent' };
  const [name, ...above] = path.split('/').toReversed();
  const folder = above.toReversed().join('/');
  if (folder === '' || name === undefined) return null;
  return { ...noArchive, kind: 'archive', path: folder, top: true, [isFound ? 'holds' : 'lacks']: [`${name}/`] };
}

const noArchive = { holds: [], lacks: [], compare: 'names' as const };

/** `ls FOLDER`: its names in their order, and no others. Null for any other command. */
function listedNames(given: Given, wanted: string | null): NamelessCheck | null {
  const text = textField(given.result, 'command');
  const [program, folder, ...more] = Array.isArray(given.result.command) ? command(given) : (text?.split(' ') ?? []);
  const path = folder === undefined ? null : homePath(folder.replace(/\/$/, ''));
  const isPlain = given.result.type === 'vm_command_line' && program === 'ls' && more.length === 0;
  if (!isPlain || path === null || wanted === null || /^[^\n]*:\n/.test(wanted)) return null;
  const holds = wanted.split('\n').filter((line) => line !== '');
  return { ...noArchive, kind: 'archive', path, holds, only: true, top: true };
}

const exactMatch: Mapper = (given) => {
  const wanted = textField(rulesOf(given), 'expected');
  const [program, get, schema = '', key = '', ...more] = command(given);
  if (wanted !== null && program === 'gsettings' && get === 'get' && more.length === 0)
    return [{ kind: 'setting', schema, key, equals: valueOfSetting(wanted), tolerance: 0 }];
  const kept = browserSetting(given.result, wanted, given.notes);
  if (kept) return kept;
  if (wanted !== null && given.result.type === 'url_dashPart' && given.result.partIndex === -1)
    return inFront([`/${literally(wanted)}(?:[/?#]|$)`]);
  const path = printedFile(given);
  if (path !== null && wanted !== null) return [{ ...noText, kind: 'text', path, equals: wanted.trim() }];
  const tested = testedFile(given, wanted) ?? listedNames(given, wanted);
  if (tested) return [tested];
  return given.result.type === 'vm_command_line' ? noCommand(given) : `it looks at ${String(given.result.type)}`;
};

const includeExclude: Mapper = (given) => {
  const path = printedFile(given);
  const [contains, lacks] = [textsIn(rulesOf(given), 'include'), textsIn(rulesOf(given), 'exclude')];
  if (path === null)
    return given.result.type === 'vm_command_line' ? noCommand(given) : `it looks at ${String(given.result.type)}`;
  return [{ ...noText, kind: 'text', path, contains, lacks }];
};

const compareTable: Mapper = (given) => {
  const rules = Array.isArray(given.options.rules) ? given.options.rules.filter(isFields) : [];
  if (rules.length === 0) return 'its rules are missing';
  const file = fileOf(given);
  if (typeof file === 'string') return file;
  const checks: NamelessCheck[] = [];
  for (const rule of rules) {
    const asked = tableRules(rule, given.notes);
    if (typeof asked === 'string') return asked;
    for (const one of asked) {
      if (one.kind === 'cell') {
        checks.push({ ...file, ...one });
        continue;
      }
      const gold = goldOf(given);
      if (typeof gold === 'string') return gold;
      const { compare, ...rest } = one;
      const isPlain = compare.join() === 'cells';
      checks.push({ ...plainTable, ...file, ...gold, ...rest, ...(!isPlain && { compare }) });
    }
  }
  return checks;
};

/** OSWorld's switches of a presentation, by what they are here. */
const EXAMINED: Readonly<Record<DocumentAspect, string>> = {
  text: 'examine_text',
  notes: 'examine_note',
  pictures: 'examine_image_size',
  alignment: 'examine_alignment',
  bold: 'examine_font_bold',
  italic: 'examine_font_italic',
  underline: 'examine_font_underline',
  strike: 'examine_strike_through',
  font: 'examine_font_name',
  size: 'examine_font_size',
  colour: 'examine_color_rgb',
};

const comparePresentation = beside((both, { options, notes }) => {
  const isOff = (name: string): boolean => options[name] === false;
  const compare = DOCUMENT_ASPECTS.filter((aspect) => !isOff(EXAMINED[aspect]));
  if (!isOff('examine_shape')) notes.push('places and sizes of shapes are not compared here');
  return [{ kind: 'document', ...both, parts: [], compare: compare.length > 0 ? compare : ['text'] }];
});

const textLike =
  (ignoreBlanksUnlessSaid: boolean): Mapper =>
  (given) =>
    beside((both, { options, listings, notes }) => {
      const folder = listings.get(both.path);
      if (folder !== undefined) {
        notes.push('names that a folder holds are compared in any order here');
        return [{ ...noArchive, kind: 'archive', path: folder, like: both.like }];
      }
      return [
        {
          ...noText,
          kind: 'text',
          ...both,
          ignoreCase: options.ignore_case === true,
          ignoreBlanks: ignoreBlanksUnlessSaid ? options.ignore_blanks !== false : options.ignore_blanks === true,
        },
      ];
    })(given);

const noDocument = { parts: [], compare: ['text' as const] };
const WORD_ALONE = 'it reads a document of another kind than .docx';
const sameText = textLike(true);

/** In what a .docx must be as another, by what OSWorld asks; with `text` its words must be the same, too. */
const wordLike = (aspect: WordAspect, text: 'text' | null = null): Mapper =>
  beside((both, given) => {
    if (!both.path.endsWith('.docx') || !both.like.endsWith('.docx')) return WORD_ALONE;
    const words = text === null ? [] : sameText(given);
    if (typeof words === 'string') return words;
    return [...words, { kind: 'document', ...both, ...noDocument, compare: [aspect] }];
  });

/** What a document has by itself, beside the words of another where OSWorld compares them. */
const wordTrait =
  (trait: DocumentTrait | { italicSize: number }, text: 'text' | null = null): Mapper =>
  (given) => {
    const [file, words] = [fileOf(given), text === null ? [] : sameText(given)];
    if (typeof file === 'string' || typeof words === 'string') return typeof file === 'string' ? file : String(words);
    const isRead = file.path.endsWith('.docx') || (trait === 'no-yellow' && file.path.endsWith('.odt'));
    if (!isRead) return WORD_ALONE;
    if (text === null && Object.keys(rulesOf(given)).length > 0) return 'it counts them';
    const wanted = typeof trait === 'string' ? { has: [trait] } : trait;
    return [...words, { kind: 'document', ...file, ...noDocument, ...wanted }];
  };

const wordFont: Mapper = (given) => {
  const [file, font] = [fileOf(given), textField(rulesOf(given), 'font_name')];
  if (typeof file === 'string') return file;
  if (!file.path.endsWith('.docx')) return WORD_ALONE;
  return font === null ? 'it names no font' : [{ kind: 'document', ...file, ...noDocument, font }];
};

/** Addresses in front that match every one of these. */
const inFront = (patterns: readonly string[], day?: string): NamelessCheck[] =>
  patterns.map((active) => ({ kind: 'pages', ...noPages, active, by: 'pattern', ...(day !== undefined && { day }) }));
const isRegular = (text: string): boolean => {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
};

const urlPattern: Mapper = (given) => {
  const patterns = textsIn(rulesOf(given), 'expected');
  if (!['active_url_from_accessTree', 'active_tab_info'].includes(String(given.result.type)))
    return `it looks at ${String(given.result.type)}`;
  return patterns.length > 0 && patterns.every(isRegular) ? inFront(patterns) : 'its patterns are none of JavaScript';
};

const activeTab: Mapper = (given) => {
  const url = textField(rulesOf(given), 'url');
  return url === null
    ? 'it asks for more than an address'
    : [{ kind: 'pages', ...noPages, active: url, by: 'address' }];
};

const tabs: Mapper = (given) => {
  const urls = textsIn(rulesOf(given), 'urls');
  return urls.length === 0 ? 'it names no addresses' : [{ kind: 'pages', ...noPages, open: urls, by: 'address' }];
};

const directObject: Mapper = (given) => {
  const from = String(given.expected.type);
  const day = from === 'rule_relativeTime' ? toldDay(fieldsIn(rulesOf(given), 'relativeTime')) : undefined;
  if (day === null) return 'what it expects depends on the day, and on one that checks cannot tell';
  if (from !== 'rule' && day === undefined) return `what it expects comes from ${from}, which checks cannot ask`;
  const expected = Object.entries(fieldsIn(rulesOf(given), 'expected'));
  const { type } = given.result;
  if (expected.length === 0 || expected.some(([, value]) => typeof value !== 'string'))
    return 'it wants other values than texts';
  // A name of the address that is called otherwise in what is expected.
  const called = new Map(Object.entries(fieldsIn(given.result, 'replace')).map(([key, name]) => [String(name), key]));
  const texts = expected.map(([key, value]) => [called.get(key) ?? key, String(value)] as const);
  if (day !== undefined && texts.some(([, text]) => hasOtherParts(text)))
    return 'it writes the day in a form that checks cannot';
  if (type === 'active_tab_url_parse')
    return inFront(
      texts.map(([key, text]) => `[?&]${literally(key)}=${datedPattern(text, encodeURIComponent)}(?:&|#|$)`),
      day,
    );
  if (type === 'url_dashPart')
    return inFront(
      texts.map(([, text]) => `/${datedPattern(text, String)}(?:/|\\?|$)`),
      day,
    );
  return `it looks at ${String(type)}, which checks cannot`;
};

/** A value of JSON by its keys. */
const pointer = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
type JsonValue = (Check & { kind: 'json' })['equals'];

const jsonSettings: Mapper = (given) => {
  const file = fileOf(given);
  if (typeof file === 'string') return file;
  const expected = Object.entries(fieldsIn(rulesOf(given), 'expected'));
  if (expected.length === 0) return 'it expects nothing';
  // They come out of JSON, so that they are values of JSON.
  return expected.map(([key, value]) => ({
    kind: 'json',
    ...file,
    at: pointer([key]),
    equals: value as JsonValue,
    tolerance: 0,
  }));
};

const json: Mapper = (given) => {
  if (given.options.is_yaml === true) return 'it reads YAML';
  const file = fileOf(given);
  if (typeof file === 'string') return file;
  const expect = rulesOf(given).expect;
  const wishes = Array.isArray(expect) ? expect.filter(isFields) : [];
  if (rulesOf(given).unexpect !== undefined || wishes.length === 0 || wishes.some(({ method }) => method !== 'eq'))
    return 'it compares by other ways than equal';
  return wishes.map((one) => ({
    kind: 'json',
    ...file,
    at: pointer(textsIn(one, 'key')),
    equals: one.ref as JsonValue,
    tolerance: 0,
  }));
};

const list: Mapper = (given) => {
  const listed = given.result.type === 'cache_file' ? given.listings.get(String(given.result.path)) : undefined;
  const file = listed === undefined ? fileOf(given) : { path: listed };
  if (typeof file === 'string') return file;
  const [matches, unwanted] = [textsIn(rulesOf(given), 'expect'), textsIn(rulesOf(given), 'unexpect')];
  if (unwanted.length > 0 || matches.length === 0 || !matches.every(isRegular))
    return 'it has patterns that must not match';
  if (listed !== undefined) return [{ ...noArchive, kind: 'archive', path: listed, matches }];
  return [{ ...noText, kind: 'text', ...file, matches }];
};

/** Tags that OSWorld's reader (mutagen's EasyID3) and ours call the same. */
const TAGS: ReadonlySet<string> = new Set(['title', 'artist', 'album', 'genre', 'date', 'composer']);

const soundTags: Mapper = (given) => {
  const file = fileOf(given);
  if (typeof file === 'string') return file;
  const wishes = Object.entries(rulesOf(given));
  const isPlain = ([name, one]: [string, unknown]): boolean =>
    TAGS.has(name) && isFields(one) && one.method === 'eq' && typeof one.ref === 'string';
  if (wishes.length === 0 || !wishes.every(isPlain)) return 'it compares tags by other ways than equal';
  const tags = Object.fromEntries(wishes.map(([name, one]) => [name, String((one as Fields).ref)]));
  return [{ kind: 'sound', ...file, tolerance: 0.5, tags }];
};

const archiveLike: Mapper = (given) =>
  beside((both) => {
    const compare = ['pdf', 'docx', 'text'].includes(String(given.options.file_type)) ? 'texts' : 'bytes';
    return [{ kind: 'archive', ...both, holds: [], lacks: [], compare }];
  })(given);

const MAPPERS: Readonly<Record<string, Mapper>> = {
  infeasible: () => [{ kind: 'infeasible' }],
  exact_match: exactMatch,
  check_include_exclude: includeExclude,
  compare_table: compareTable,
  compare_csv: beside((both) => [{ kind: 'table', ...both, ...plainTable }]),
  compare_pptx_files: comparePresentation,
  compare_docx_files: textLike(true),
  compare_docx_files_and_ignore_new_lines: textLike(true),
  compare_docx_tables: wordLike('tables'),
  compare_docx_lines: wordLike('lines'),
  compare_line_spacing: wordLike('spacing', 'text'),
  compare_highlighted_text: wordLike('highlight'),
  compare_subscript_contains: wordLike('subscript'),
  compare_insert_equation: wordLike('equations', 'text'),
  compare_contains_image: wordLike('picture-places'),
  contains_page_break: wordTrait('page-break'),
  has_page_numbers_in_footers: wordTrait('page-numbers'),
  is_first_line_centered: wordTrait('first-line-centred'),
  evaluate_strike_through_last_paragraph: wordTrait('last-paragraph-struck', 'text'),
  check_highlighted_words: wordTrait('no-yellow', 'text'),
  check_italic_font_size_14: wordTrait({ italicSize: 14 }, 'text'),
  compare_font_names: wordFont,
  compare_text_file: textLike(false),
  diff_text_file: textLike(false),
  compare_pdfs: beside((both) => [{ ...noText, kind: 'pdf', ...both, alike: 1 }]),
  compare_images: beside((both) => [{ kind: 'picture', ...both, difference: 0 }]),
  check_structure_sim: beside((both) => [{ kind: 'picture', ...both, difference: 0, alike: 0.9, inColour: true }]),
  compare_archive: archiveLike,
  compare_zip_files: archiveLike,
  is_expected_url_pattern_match: urlPattern,
  is_expected_active_tab: activeTab,
  is_expected_tabs: tabs,
  check_direct_json_object: directObject,
  check_json_settings: jsonSettings,
  check_json: json,
  check_list: list,
  check_mp3_meta: soundTags,
};
