import type { OsworldStep } from '../../schemas/osworld.ts';
import type { Recipe } from '../../schemas/play.ts';
import { append } from '../lists.ts';
import { fieldsIn, homePath, isFields, textField, textsIn } from './fields.ts';
import { handActs, isKeys } from './hands.ts';
import { commandsOf } from './shell.ts';

/** How an OSWorld task is set up, as a recipe. No command of it is run; those that only put files somewhere are done by the recipe. */

/** A file that the task's authors keep elsewhere: nobody fetches it here. `to`: its path in the home; null: only checks need it. */
export type NeededFile = { name: string; url: string; to: string | null };

export type OsworldStart = {
  files: Recipe['files'];
  programs: Recipe['programs'];
  network: boolean;
  needed: NeededFile[];
  /** What of it is not in the recipe, a sentence each. */
  missing: string[];
  /** What is other here, and no hindrance. */
  notes: string[];
};

type Program = Recipe['programs'][number];
const OFFICE = /\.(?:xlsx?|ods|csv|docx?|odt|pptx?|odp)$/i;
const BROWSER = /^(?:google-chrome(?:-stable)?|chrome|chromium(?:-browser)?)$/;
/** Where a stage's programs find settings that `gsettings` would set. */
const KEPT_SETTINGS = '.config/glib-2.0/settings/keyfile';
const TERMINAL = 'gnome-terminal';

export function startOf(steps: readonly OsworldStep[]): OsworldStart {
  const start: OsworldStart = { files: [], programs: [], network: false, needed: [], missing: [], notes: [] };
  const settings = new Map<string, string[]>();
  for (const step of steps) {
    const why = takeStep(start, settings, step);
    if (why !== null) start.missing.push(`${step.type}: ${why}`);
  }
  if (settings.size > 0) {
    const text = [...settings].map(([group, lines]) => `[${group}]\n${lines.join('\n')}\n`).join('\n');
    start.files.push({ text, to: KEPT_SETTINGS });
  }
  start.notes = [...new Set(start.notes)];
  return start;
}

/** Null where it was taken; else why not. */
function takeStep(
  start: OsworldStart,
  settings: Map<string, string[]>,
  { type, parameters }: OsworldStep,
): string | null {
  switch (type) {
    case 'download': {
      const files = Array.isArray(parameters.files) ? parameters.files.filter(isFields) : [];
      for (const file of files) {
        const [url, path] = [textField(file, 'url'), textField(file, 'path')];
        const to = path === null ? null : homePath(path);
        if (url === null || to === null) return `it puts a file at ${path ?? 'no path'}, which is outside of the home`;
        const name = nameFor(start.needed, to);
        start.needed.push({ name, url, to });
        start.files.push({ attachment: name, to });
      }
      return null;
    }
    case 'launch':
      return takeLaunch(start, oneCommand(parameters.command));
    case 'open': {
      const path = homePath(textField(parameters, 'path') ?? '/');
      if (path === null) return 'it opens a file outside of the home';
      const name = path.split('/').at(-1) ?? path;
      const command = OFFICE.test(path) ? 'libreoffice' : 'xdg-open';
      start.programs.push({
        ...programOf(command, [`~/${path}`]),
        ...(OFFICE.test(path) && { window: name.slice(0, 200) }),
      });
      return null;
    }
    case 'sleep':
      return null; // A stage is ready when its windows are there and at rest.
    case 'activate_window': {
      const title = textField(parameters, 'window_name');
      const last = start.programs.at(-1);
      if (title === null || !last) return 'no program is started whose window could be waited for';
      last.window ??= title.slice(0, 200);
      return null;
    }
    case 'chrome_open_tabs': {
      const browser = start.programs.findLast(({ command }) => BROWSER.test(command));
      if (!browser) return 'no browser is started before it';
      append(browser.args, textsIn(parameters, 'urls_to_open').slice(0, 50));
      start.network = true;
      return null;
    }
    case 'execute':
    case 'command':
      return takeCommand(start, settings, parameters.command);
    default:
      return `there is nothing like it here (${shortly(parameters)})`;
  }
}

function takeCommand(start: OsworldStart, settings: Map<string, string[]>, command: unknown): string | null {
  const why = takeHands(start, command);
  if (why === null) return null;
  const plain = withoutSuper(withoutUpdate(command));
  if (plain !== withoutUpdate(command)) start.notes.push(ROOTS);
  const commands = commandsOf(plain);
  const refused = `it runs a command, which is not done here: ${shortly(command)}`;
  if (!commands) return refused;
  let folder = '';
  for (const words of commands) {
    const [program, ...args] = words;
    if (program === 'cd' && args.length === 1) {
      const to = placeFrom(folder, args[0]!);
      if (to === null) return refused;
      folder = to;
    } else if (program === 'gsettings' && args[0] === 'set') {
      const [, schema = '', key = '', ...value] = args;
      if (value.length === 0 || !/^[a-z][\w.-]*$/i.test(schema)) return refused;
      const group = schema.replaceAll('.', '/');
      settings.set(group, [...(settings.get(group) ?? []), `${key}=${value.join(' ')}`]);
    } else if (program === 'export' && args[0]?.startsWith('DBUS_SESSION_BUS_ADDRESS=')) continue;
    else if (program === TERMINAL) start.programs.push(programOf(TERMINAL, args.map(inHome)));
    else {
      const odd = takeFileCommand(start, words, folder);
      if (odd !== null) return odd === '' ? refused : `${odd}: ${shortly(command)}`;
    }
  }
  return null;
}

/** Keys and clicks that only bring a window forward, or open a terminal. Null where they were taken. */
function takeHands(start: OsworldStart, command: unknown): string | null {
  const acts = handActs(command);
  if (!acts) return 'it does more';
  const isMove = (act: (typeof acts)[number]): boolean =>
    act.is === 'pointer' || isKeys(act, 'down') || isKeys(act, 'esc');
  for (const act of acts) {
    const isTerminal = isKeys(act, 'ctrl', 'alt', 't');
    if (!isMove(act) && !isTerminal && !isKeys(act, 'alt', 'f10') && !isKeys(act, 'f11'))
      return 'it presses other keys';
  }
  for (const act of acts) {
    if (isKeys(act, 'ctrl', 'alt', 't')) start.programs.push(programOf(TERMINAL, []));
    else if (isKeys(act, 'alt', 'f10') || isKeys(act, 'f11'))
      start.notes.push('OSWorld makes the window as large as the screen; here it opens as its program does');
    else if (act.is === 'pointer' && act.act === 'click')
      continue; // It gives a window the focus, which a stage's has.
    else start.notes.push('OSWorld scrolls the window at the start; here it shows its beginning');
  }
  return null;
}

/** Without what only makes `unzip` come: a recipe unpacks by itself. */
function withoutUpdate(command: unknown): unknown {
  return typeof command === 'string'
    ? command.replaceAll(
        /echo '?password'? \| sudo -S apt(?:-get)? (?:update|install)(?: -y| unzip){1,3} ?(?:&& |$)/g,
        '',
      )
    : command;
}

const ROOTS = 'files that belong to root in OSWorld are the person’s here';

/** Without the rights of root for what only makes files and opens them to all: whoever a stage is for has those of its home. */
function withoutSuper(command: unknown): unknown {
  if (typeof command !== 'string') return command;
  const parts = command.replace(/^echo '?password'? \| sudo -S /, 'sudo ').split(' && ');
  const areOpen = parts.every((one) => /^sudo (?:touch|mkdir|chmod 777) /.test(one));
  return areOpen ? parts.map((one) => one.slice('sudo '.length)).join(' && ') : command;
}

/** A path as one in the home, from a folder of it (`''`: the home); null where it lies elsewhere. */
function placeFrom(folder: string, path: string): string | null {
  const whole = path.replaceAll(/\/{2,9}/g, '/').replace(/\/$/, '');
  if (whole === '/home/user' || whole === '~' || whole === '.') return whole === '.' ? folder : '';
  const isWhole = whole.startsWith('/') || whole.startsWith('~');
  return homePath(isWhole || folder === '' ? whole.replace(/^\.\//, '') : `${folder}/${whole.replace(/^\.\//, '')}`);
}

/** A command that puts files somewhere. Null where it was taken; else why not, empty where it is another one. */
function takeFileCommand(
  start: OsworldStart,
  [program = '', ...args]: readonly string[],
  folder: string,
): string | null {
  const paths = args.filter((one) => !one.startsWith('-')).map((one) => placeFrom(folder, one));
  const inside = paths.filter((one): one is string => one !== null && one !== '');
  const areAll = inside.length === paths.length && inside.length > 0;
  switch (program) {
    case 'mkdir':
      if (!areAll) return '';
      append(
        start.files,
        inside.map((to) => ({ folder: true as const, to })),
      );
      return null;
    case 'touch':
      if (!areAll) return '';
      append(
        start.files,
        inside.filter((to) => !isPut(start, to)).map((to) => ({ text: '', to })),
      );
      return null;
    case 'rm': {
      // What came out of an archive beside its files (`__MACOSX`) may stay.
      if (!areAll || !inside.every((to) => isPut(start, to) || to.endsWith('__MACOSX'))) return '';
      start.files = start.files.filter((file) => 'unpack' in file || 'folder' in file || !inside.includes(file.to));
      return null;
    }
    case 'chmod': {
      const places = args.slice(1).map((one) => placeFrom(folder, one));
      const areThere = places.every((to) => to !== null && (isPut(start, to) || isFolder(start, to)));
      return args[0] === '777' && args.length > 1 && areThere ? null : '';
    }
    case 'history':
      return args.length === 1 && args[0] === '-c' ? null : '';
    case 'sleep':
      return null;
    case 'unzip':
    case 'tar':
      return takeUnpack(start, program, args, folder);
    default:
      return '';
  }
}

const isPut = ({ files }: OsworldStart, to: string): boolean =>
  files.some((file) => !('unpack' in file || 'folder' in file) && file.to === to);

const isFolder = ({ files }: OsworldStart, to: string): boolean =>
  files.some((file) => 'folder' in file && file.to === to);

/** `unzip [-q] FILE [-d FOLDER]`, `tar -x… -f FILE [-C FOLDER]`. */
function takeUnpack(start: OsworldStart, program: string, args: readonly string[], folder: string): string | null {
  const option = program === 'unzip' ? '-d' : '-C';
  const at = args.indexOf(option);
  const to = at < 0 ? folder : placeFrom(folder, args[at + 1] ?? '/');
  const files = args.filter((one, n) => !one.startsWith('-') && (at < 0 || n !== at + 1));
  const isOut = program === 'unzip' || args.some((one) => /^-[a-zA-Z]*x/.test(one));
  const from = files.length === 1 ? placeFrom(folder, files[0]!) : null;
  if (to === null || from === null || !isOut) return '';
  const put = start.files.find((file) => 'attachment' in file && !('unpack' in file) && file.to === from);
  if (!put || !('attachment' in put)) return '';
  if (!/\.(?:zip|tar|tar\.gz|tgz|tar\.xz|txz)$/i.test(from))
    return 'it unpacks an archive of a kind that recipes do not';
  start.files.push({ attachment: put.attachment, to: to === '' ? '.' : to, unpack: true });
  return null;
}

function takeLaunch(start: OsworldStart, words: string[] | null): string | null {
  if (words === null || words.length === 0) return 'its command goes to a shell';
  const [command = '', ...args] = words;
  // It leads the debugging port of the browser to OSWorld's own program.
  if (command === 'socat') return null;
  const own = args.filter((one) => !one.startsWith('--remote-debugging-port')).map(inHome);
  const outside = own.find((one) => one.slice(1).includes('/home/user/'));
  if (outside !== undefined) return `the argument ${outside.slice(0, 100)} names the home of another machine`;
  const name = command.split('/').at(-1) ?? command;
  start.programs.push(programOf(BROWSER.test(name) ? 'chromium' : name, own));
  return null;
}

/** An argument that begins with the home of OSWorld's machine, as one of a recipe. */
const inHome = (argument: string): string => argument.replace(/^\/home\/user\//, '~/');
const programOf = (command: string, args: string[]): Program => ({ command, args, env: {} });

/** A step's only command as words; null where there are several, or only a shell could read it. */
function oneCommand(command: unknown): string[] | null {
  const commands = commandsOf(command);
  return commands?.length === 1 ? commands[0]! : null;
}

export const shortly = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, 120);

/** A name that no other needed file has. */
export function nameFor(needed: readonly NeededFile[], path: string): string {
  const name = (path.split('/').at(-1) ?? path).slice(0, 200);
  const taken = new Set(needed.map((one) => one.name));
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) if (!taken.has(`${n}-${name}`)) return `${n}-${name}`;
}

const CLOSES = 'OSWorld ends the program before it looks, so that it writes its settings; here it must be closed';
const SAVES = 'OSWorld presses Ctrl+S before it looks; here the file must be saved';

/** What is done before OSWorld looks: a sentence for each thing that a demonstration must do itself, and what is missing. */
export function beforeChecks(steps: readonly OsworldStep[]): {
  notes: string[];
  missing: string[];
  /** Folders that are listed, by where the list is put: the path in the home, or its name beside the evaluator. */
  listings: ReadonlyMap<string, string>;
} {
  const notes = new Set<string>();
  const ended = new Set<string>();
  const missing: string[] = [];
  const listings = new Map<string, string>();
  let exports = false;
  for (const { type, parameters } of steps) {
    if (type === 'sleep' || type === 'activate_window' || type === 'close_window') continue;
    const listed = listedFolder(parameters);
    if (listed !== null) {
      listings.set(listed.to, listed.folder);
      continue;
    }
    const [program = '', ...args] = oneCommand(parameters.command) ?? [];
    const acts = handActs(parameters.command);
    const [first, ...rest] = acts ?? [];
    if (program === 'pkill' || program === 'killall') {
      ended.add(args[0] ?? '').add(BROWSER.test(args[0] ?? '') ? 'browser' : '');
      notes.add(CLOSES);
    } else if (type === 'launch' && (ended.has(program) || (BROWSER.test(program) && ended.has('browser'))))
      notes.add(CLOSES);
    // The table is read as it is, so that no other form of it is needed.
    else if (program === 'libreoffice' && args[0] === '--convert-to' && args[1]?.startsWith('csv')) continue;
    else if (isKeys(first, 'ctrl', 's') && rest.every((act) => isKeys(act, 'enter') || isKeys(act, 'down')))
      notes.add(SAVES);
    else if (isKeys(first, 'shift', 'ctrl', 'e') && rest.length === 0) exports = true;
    else if (exports && first?.is === 'text')
      notes.add(`OSWorld exports the picture as “${first.text}” before it looks; here it must be exported so`);
    else if (acts && acts.length > 0 && acts.every((act) => isKeys(act, 'enter') || isKeys(act, 'esc'))) continue;
    else if (acts?.some((act) => isKeys(act, 'ctrl', 'q')) && acts.every((act) => act.is === 'keys')) notes.add(CLOSES);
    else
      missing.push(
        `before the checks it does something that is not done here: ${type} ${shortly(fieldsIn({ parameters }, 'parameters'))}`,
      );
  }
  return { notes: [...notes], missing, listings };
}

/** `ls -R FOLDER` whose text is kept (`stdout`), or `cd HOME && ls -R FOLDER > FILE`. */
function listedFolder(parameters: OsworldStep['parameters']): { folder: string; to: string } | null {
  const text = textField(parameters, 'command');
  const [, from, shown, file] = /^cd (\S{1,200}) && ls -R ([\w./-]{1,200}) > ([\w.-]{1,100})$/.exec(text ?? '') ?? [];
  if (from !== undefined && shown !== undefined && file !== undefined) {
    const at = placeFrom('', from);
    const [folder, to] = at === null ? [null, null] : [placeFrom(at, shown), placeFrom(at, file)];
    return folder && to ? { folder, to } : null;
  }
  const [program, option, path, ...more] = oneCommand(parameters.command) ?? [];
  const [folder, to] = [path === undefined ? null : placeFrom('', path), textField(parameters, 'stdout')];
  return program === 'ls' && option === '-R' && more.length === 0 && folder && to ? { folder, to } : null;
}
