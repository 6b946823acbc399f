import type { Check, CheckValue } from '../../schemas/checks.ts';
import { type Fields, fieldsIn, homePath, isFields, literally, textField, textsIn } from './fields.ts';

/** What OSWorld asks programs for by code of its own, as checks of the files in which they keep it. */

type Nameless<Kind extends Check['kind']> = Omit<Check & { kind: Kind }, 'id' | 'weight'>;
export type KeptCheck =
  | Nameless<'file'>
  | Nameless<'json'>
  | Nameless<'picture'>
  | Nameless<'pdf'>
  | Nameless<'sqlite'>
  | Nameless<'text'>;
/** The checks, or why there are none. `file`: the path of the file that is looked at; null where it is none. */
type Kept = (asked: { result: Fields; rules: Fields; file: string | null; notes: string[] }) => KeptCheck[] | string;

/** The browser that stages have, in whose home. */
export const PROFILE = '.config/chromium/Default';
const CODE = '.config/Code/User';
const GIMP = '.config/GIMP/2.10';
const WRITTEN = 'the browser writes its settings some seconds later, and all of them when it is closed';

const text = (path: string, wanted: Partial<Nameless<'text'>>): KeptCheck[] => [
  { kind: 'text', path, contains: [], lacks: [], ignoreCase: false, ...wanted },
];
const preference = (at: string, equals: CheckValue): KeptCheck[] => [
  { kind: 'json', path: `${PROFILE}/Preferences`, at, equals, tolerance: 0 },
];

/** What `exact_match` finds in the browser's settings. */
const PREFERENCES: Readonly<Record<string, (wanted: string) => KeptCheck[] | null>> = {
  enable_do_not_track: (wanted) => preference('/enable_do_not_track', wanted === 'true'),
  enable_enhanced_safety_browsing: (wanted) => preference('/safebrowsing/enhanced', wanted === 'true'),
  profile_name: (wanted) => preference('/profile/name', wanted),
  // OSWorld is content with any content setting; what clears all at the end is this one.
  data_delete_automacally: (wanted) =>
    wanted === 'true' ? preference('/profile/default_content_setting_values/cookies', 4) : null,
  default_search_engine: (wanted) => preference('/default_search_provider_data/template_url_data/short_name', wanted),
};

/** A setting of the browser; null where it is asked for something else. */
export function browserSetting(result: Fields, wanted: string | null, notes: string[]): KeptCheck[] | null {
  const make = Object.hasOwn(PREFERENCES, String(result.type)) ? PREFERENCES[String(result.type)] : undefined;
  const made = wanted === null ? null : (make?.(wanted) ?? null);
  if (made !== null) notes.push(WRITTEN);
  return made;
}

const bookmarks: Kept = ({ rules, notes }) => {
  const [names, urls] = [textsIn(rules, 'names'), textsIn(rules, 'urls')];
  const path = `${PROFILE}/Bookmarks`;
  notes.push('other bookmarks than those that are wanted are not looked for here');
  if (rules.type === 'bookmark_bar_folders_names' && names.length > 0)
    return text(path, {
      matches: names.map((name) => `"name": ${literally(JSON.stringify(name))},\\s{1,9}"type": "folder"`),
    });
  if (rules.type === 'bookmark_bar_websites_urls' && urls.length > 0)
    return text(path, { contains: urls.map((url) => `"url": ${JSON.stringify(url)}`) });
  return 'it asks for more than names of folders or addresses';
};

const cookies: Kept = ({ rules }) => {
  const domains = textsIn(rules, 'domains');
  if (rules.type !== 'domains' || domains.length === 0) return 'it names no domains';
  const named = domains.map((domain) => `host_key LIKE '%${domain.replaceAll(/['%_\\]/g, '')}'`).join(' OR ');
  const query = `SELECT count(*) FROM cookies WHERE ${named}`;
  return [{ kind: 'sqlite', path: `${PROFILE}/Cookies`, query, equals: 0, tolerance: 0 }];
};

/** A line of GIMP's settings: `(undo-levels 100)`. */
const gimpSetting: Kept = ({ result, rules }) => {
  const [name, value] = [textField(result, 'file_name'), textField(rules, 'value')];
  const keys = typeof rules.key === 'string' ? [rules.key] : textsIn(rules, 'key');
  if (name === null || !/^[\w.-]{1,60}$/.test(name) || value === null || keys.length === 0)
    return 'it names no setting';
  const begin = keys.map(literally).join(' ');
  return text(`${GIMP}/${name}`, { matches: [`^\\s*\\(${begin} (?:.* )?${literally(value)}\\)+\\s*$`] });
};

/** `code --list-extensions | grep NAME`, `ls FOLDER | grep NAME`. */
const listed: Kept = ({ result, rules }) => {
  const wanted = textField(rules, 'expected');
  const [program, argument, ...more] = textsIn(result, 'command');
  if (wanted === null || rules.type !== 'contain' || more[0] !== '|') return 'it asks for more than a name';
  if (program === 'code' && argument === '--list-extensions')
    return text('.vscode/extensions/extensions.json', {
      matches: [`"id": ?${literally(JSON.stringify(wanted))}`],
      ignoreCase: true,
    });
  const folder = program === 'ls' && argument !== undefined ? homePath(argument.replace(/\/$/, '')) : null;
  return folder === null ? 'it runs another command' : [{ kind: 'file', path: `${folder}/${wanted}`, is: 'there' }];
};

const keys: Kept = ({ rules }) => {
  const wanted = Object.entries(fieldsIn(rules, 'expected'));
  if (wanted.length === 0 || wanted.some(([, value]) => typeof value !== 'string')) return 'it names no keys';
  const pattern = wanted.map(([name, value]) => literally(`"${name}": ${JSON.stringify(value)}`)).join(',\\s{1,20}');
  return text(`${CODE}/keybindings.json`, { matches: [pattern] });
};

/** Preferences of Thunderbird, each on a line of its own. */
const preferences: Kept = ({ rules, file }) => {
  if (file === null) return 'it looks at no file';
  const line = (key: string, value: unknown): string => `user_pref("${key}", ${JSON.stringify(value)});`;
  const wanted = { contains: [] as string[], lacks: [] as string[], matches: [] as string[] };
  for (const [key, one] of Object.entries(fieldsIn(rules, 'expect'))) {
    const { method, ref } = isFields(one) ? one : {};
    if (method === 'eq') wanted.contains.push(line(key, ref));
    else if ((method === 're' || method === 're.S') && typeof ref === 'string')
      wanted.matches.push(`^user_pref\\("${literally(key)}", ".*(?:${ref}).*"\\);$`);
    else return 'it compares by other ways than equal';
  }
  for (const [key, one] of Object.entries(fieldsIn(rules, 'unexpect'))) {
    if (!isFields(one) || one.method !== 'eq') return 'it has settings that must be other';
    wanted.lacks.push(line(key, one.ref));
  }
  const { matches, ...rest } = wanted;
  return text(file, { ...rest, ...(matches.length > 0 && { matches }) });
};

const filters: Kept = ({ rules, file }) => {
  const wanted = Array.isArray(rules.expect) ? rules.expect.filter(isFields) : [];
  if (file === null || wanted.length !== 1) return 'it asks for several filters';
  const contains = Object.entries(wanted[0]!).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}="${String(one)}"`),
  );
  return text(file, { contains });
};

const imageSize: Kept = ({ rules, file }) => {
  const size = Object.entries(rules).filter(([name]) => name === 'width' || name === 'height');
  if (file === null || size.length === 0 || size.some(([, px]) => !Number.isInteger(px))) return 'it names no size';
  const { width, height } = Object.fromEntries(size) as { width?: number; height?: number };
  return [{ kind: 'picture', path: file, difference: 0, ...(width && { width }), ...(height && { height }) }];
};

const pdfPages: Kept = ({ rules, file }) => {
  const pages = rules.ref_value;
  if (file === null || rules.relation !== 'eq' || typeof pages !== 'number')
    return 'it compares by other ways than equal';
  return [{ kind: 'pdf', path: file, pages, contains: [], lacks: [], ignoreCase: false, alike: 1 }];
};

/** A setting of VLC, which its file has on a line without a # before it. */
const vlc =
  (name: string): Kept =>
  ({ rules }) => {
    const value = rules[`expected_${name.replaceAll('-', '_')}`];
    if (typeof value !== 'number' && typeof value !== 'string') return 'it does not say which value is wanted';
    return text('.config/vlc/vlcrc', { matches: [`^${name}=${literally(String(value))}$`] });
  };

const vlcFolder: Kept = ({ rules }) => {
  const folder = homePath(textField(rules, 'recording_file_path') ?? '/');
  return folder === null
    ? 'it names a folder outside of the home'
    : text('.config/vlc/vlcrc', { matches: [`^input-record-path=.*/${literally(folder)}/?$`] });
};

const globalKey: Kept = ({ rules }) =>
  rules.expected_global_key_play_pause === 1
    ? text('.config/vlc/vlcrc', { matches: ['^global-key-play-pause=.+$'] })
    : 'it wants that no key is set';

/** Settings of LibreOffice, each an item on a line of its own; of two of one name the last counts. */
const OFFICE = '.config/libreoffice/4/user/registrymodifications.xcu';
const officeSetting =
  (item: string, name: string, valueIn: (rules: Fields) => string | null, unlike?: string): Kept =>
  ({ rules, file, notes }) => {
    const value = valueIn(rules);
    if (file !== OFFICE) return 'it looks at another file than LibreOffice’s settings';
    if (value === null) return 'it does not say which value is wanted';
    notes.push('LibreOffice writes some of its settings only when it is closed');
    const begin = `<item oor:path="${item}"><prop oor:name="${name}"`;
    const line = (one: string): string => `${begin} oor:op="fuse"><value>${one}</value></prop></item>`;
    const isLast = `(?:(?!${literally(begin)})[\\s\\S])*(?![\\s\\S])`;
    const lacks = unlike === undefined ? [] : [line(unlike)];
    return text(file, { matches: [literally(line(value)) + isLast], lacks });
  };
const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const fontIn = (rules: Fields): string | null => {
  const font = textField(rules, 'font_name');
  return font === null ? null : escaped(font);
};
const minutesIn = ({ minutes }: Fields): string | null => (Number.isInteger(minutes) ? String(minutes) : null);

/** Experiments of the browser, with the choice that each was given. */
const experiments: Kept = ({ rules, notes }) => {
  const names = textsIn(rules, 'names');
  if (rules.type !== 'names') return 'it asks for more than names';
  notes.push(WRITTEN);
  const each = names.map((name) => `"${literally(name)}(?:@[^"]{0,20})?"`).join(',\\s{0,20}');
  return text('.config/chromium/Local State', {
    matches: [`"enabled_labs_experiments":\\s{0,20}\\[\\s{0,20}${each}\\s{0,20}\\]`],
  });
};

/** A query whose first value is 1: OSWorld takes it for the score. */
const query: Kept = ({ rules, file, notes }) => {
  const sql = textField(rules, 'sql');
  if (file === null || sql === null) return 'it asks no file';
  notes.push('what its program has not yet written into the file itself is seen here, too: it must be closed');
  return [{ kind: 'sqlite', path: file, query: sql, equals: 1, tolerance: 0 }];
};

export const KEPT_MAPPERS: Readonly<Record<string, Kept>> = {
  is_expected_bookmarks: bookmarks,
  is_cookie_deleted: cookies,
  check_config_status: gimpSetting,
  is_extension_installed: listed,
  check_json_keybindings: keys,
  check_thunderbird_prefs: preferences,
  check_thunderbird_filter: filters,
  find_default_font: officeSetting('/org.openoffice.Office.Writer/DefaultFont', 'Standard', fontIn),
  check_auto_saving_time: officeSetting(
    '/org.openoffice.Office.Common/Save/Document',
    'AutoSaveTimeIntervall',
    minutesIn,
  ),
  check_presenter_console_disable: officeSetting(
    '/org.openoffice.Office.Impress/Misc/Start',
    'EnablePresenterScreen',
    () => 'false',
    'true', // There OSWorld takes the first of two.
  ),
  check_enabled_experiments: experiments,
  run_sqlite3: query,
  check_image_size: imageSize,
  check_pdf_pages: pdfPages,
  check_qt_minimal_view: vlc('qt-minimal-view'),
  check_qt_max_volume: vlc('qt-max-volume'),
  check_qt_bgcone: vlc('qt-bgcone'),
  check_one_instance_when_started_from_file: vlc('one-instance-when-started-from-file'),
  check_global_key_play_pause: globalKey,
  is_vlc_recordings_folder: vlcFolder,
};
