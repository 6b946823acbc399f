import type { OsworldStep } from '../../schemas/osworld.ts';
import type { Recipe } from '../../schemas/play.ts';
import { append } from '../lists.ts';
import { fieldsIn, homePath, isFields, textField, textsIn } from './fields.ts';

/** How an OSWorld task is set up, as a recipe. No command of it is run. */

/** A file that the task's authors keep elsewhere: nobody fetches it here. `to`: its path in the home; null: only checks need it. */
export type NeededFile = { name: string; url: string; to: string | null };

export type OsworldStart = {
  files: Recipe['files'];
  programs: Recipe['programs'];
  network: boolean;
  needed: NeededFile[];
  /** What of it is not in the recipe, a sentence each. */
  missing: string[];
};

type Program = Recipe['programs'][number];
const OFFICE = /\.(?:xlsx?|ods|csv|docx?|odt|pptx?|odp)$/i;
const BROWSER = /^(?:google-chrome(?:-stable)?|chrome|chromium(?:-browser)?)$/;
/** Where a stage's programs find settings that `gsettings` would set. */
const KEPT_SETTINGS = '.config/glib-2.0/settings/keyfile';

const FOCUS =
  /^import pyautogui; import time; (?:time\.sleep\([\d.]{1,9}\); )?pyautogui\.click\(960, 540\);(?: time\.sleep\([\d.]{1,9}\);?)?$/;

export function startOf(steps: readonly OsworldStep[]): OsworldStart {
  const start: OsworldStart = { files: [], programs: [], network: false, needed: [], missing: [] };
  const settings = new Map<string, string[]>();
  for (const step of steps) {
    const why = takeStep(start, settings, step);
    if (why !== null) start.missing.push(`${step.type}: ${why}`);
  }
  if (settings.size > 0) {
    const text = [...settings].map(([group, lines]) => `[${group}]\n${lines.join('\n')}\n`).join('\n');
    start.files.push({ text, to: KEPT_SETTINGS });
  }
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
      return takeLaunch(start, wordsOf(parameters.command));
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
    case 'command': {
      const words = wordsOf(parameters.command) ?? [];
      const [, set, schema = '', key = '', ...value] = words;
      if (words[0] === 'gsettings' && set === 'set' && value.length > 0 && /^[a-z][\w.-]*$/i.test(schema)) {
        const group = schema.replaceAll('.', '/');
        settings.set(group, [...(settings.get(group) ?? []), `${key}=${value.join(' ')}`]);
        return null;
      }
      // It gives a window the focus, which a stage's has.
      if (FOCUS.test(words.at(-1) ?? '')) return null;
      return `it runs a command, which is not done here: ${shortly(parameters.command)}`;
    }
    default:
      return `there is nothing like it here (${shortly(parameters)})`;
  }
}

function takeLaunch(start: OsworldStart, words: string[] | null): string | null {
  if (words === null || words.length === 0) return 'its command goes to a shell';
  const [command = '', ...args] = words;
  // It leads the debugging port of the browser to OSWorld's own program.
  if (command === 'socat') return null;
  const own = args
    .filter((one) => !one.startsWith('--remote-debugging-port'))
    .map((one) => one.replace(/^\/home\/user\//, '~/'));
  const outside = own.find((one) => one.slice(1).includes('/home/user/'));
  if (outside !== undefined) return `the argument ${outside.slice(0, 100)} names the home of another machine`;
  const name = command.split('/').at(-1) ?? command;
  start.programs.push(programOf(BROWSER.test(name) ? 'chromium' : name, own));
  return null;
}

const programOf = (command: string, args: string[]): Program => ({ command, args, env: {} });

/** A command as words; null where only a shell could read it. */
function wordsOf(command: unknown): string[] | null {
  if (Array.isArray(command)) return command.every((one) => typeof one === 'string') ? [...command] : null;
  if (typeof command !== 'string' || /["'`$&|;<>(){}*?\\\n]/.test(command)) return null;
  return command.split(' ').filter((word) => word !== '');
}

export const shortly = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, 120);

/** A name that no other needed file has. */
export function nameFor(needed: readonly NeededFile[], path: string): string {
  const name = (path.split('/').at(-1) ?? path).slice(0, 200);
  const taken = new Set(needed.map((one) => one.name));
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) if (!taken.has(`${n}-${name}`)) return `${n}-${name}`;
}

/** What is done before OSWorld looks: a sentence for each thing that a demonstration must do itself, and what is missing. */
export function beforeChecks(steps: readonly OsworldStep[]): { notes: string[]; missing: string[] } {
  const [notes, ended] = [new Set<string>(), new Set<string>()];
  const missing: string[] = [];
  for (const { type, parameters } of steps) {
    if (type === 'sleep' || type === 'activate_window' || type === 'close_window') continue;
    const words = wordsOf(parameters.command) ?? [];
    if (type === 'launch' && (words[0] === 'pkill' || ended.has(words[0] ?? ''))) {
      if (words[0] === 'pkill' && words[1] !== undefined) ended.add(words[1]);
      notes.add('OSWorld ends the program before it looks, so that it writes its settings; here it must be closed');
      continue;
    }
    const code = JSON.stringify(parameters);
    const saves =
      /^\{"command":\["python3?","-c","[^"]*hotkey\((?:'|\\")?ctrl(?:'|\\")?, ?(?:'|\\")?s(?:'|\\")?\)[^"]*"\]\}$/.test(
        code,
      );
    if (saves) notes.add('OSWorld presses Ctrl+S before it looks; here the file must be saved');
    else
      missing.push(
        `before the checks it does something that is not done here: ${type} ${shortly(fieldsIn({ parameters }, 'parameters'))}`,
      );
  }
  return { notes: [...notes], missing };
}
