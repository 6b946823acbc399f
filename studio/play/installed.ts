import { readdirSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import type { InstalledProgram } from '../../schemas/api/setup.ts';
import { readBoundedIn } from '../files/bounded.ts';
import { programsMissing } from './stage/set-stage.ts';

/** The programs with windows that this machine has, by their entries of the menu (Desktop Entry Specification 1.5), for forms. */

const MOST_ENTRIES = 3000;
const MOST_BYTES = 256_000;
const FOLDERS = '/usr/local/share:/usr/share';

/** By name. An entry that cannot be read, or whose program is not in PATH, is left out: a recipe names programs of PATH. */
export function installedPrograms(folders = process.env.XDG_DATA_DIRS || FOLDERS): InstalledProgram[] {
  const found = new Map<string, InstalledProgram>();
  for (const folder of folders.split(delimiter).map((one) => join(one, 'applications'))) {
    for (const file of entriesIn(folder)) {
      const program = read(folder, file);
      if (program && !found.has(program.command)) found.set(program.command, program);
    }
  }
  const missing = new Set(
    programsMissing({ programs: [...found.keys()].map((command) => ({ command, args: [], env: {} })) }),
  );
  return [...found.values()]
    .filter(({ command }) => !missing.has(command))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function entriesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.desktop'))
      .sort()
      .slice(0, MOST_ENTRIES);
  } catch {
    return [];
  }
}

function read(folder: string, file: string): InstalledProgram | null {
  try {
    return programOf(readBoundedIn(folder, file, MOST_BYTES).toString('utf8'));
  } catch {
    return null;
  }
}

/** The program of an entry of the menu; null for one that is not shown there, that runs in a terminal, or that names none. */
export function programOf(entry: string): InstalledProgram | null {
  const values = new Map<string, string>();
  let inEntry = false;
  for (const line of entry.split('\n')) {
    if (line.startsWith('[')) inEntry = line.trim() === '[Desktop Entry]';
    const at = line.indexOf('=');
    const key = line.slice(0, at).trim();
    if (inEntry && at > 0 && !values.has(key)) values.set(key, line.slice(at + 1).trim());
  }
  const isTrue = (key: string): boolean => values.get(key) === 'true';
  if (values.get('Type') !== 'Application' || isTrue('NoDisplay') || isTrue('Hidden') || isTrue('Terminal'))
    return null;
  const command = commandOf(values.get('Exec') ?? '');
  const name = values.get('Name') ?? '';
  return command === null || name === '' || name.length > 200 ? null : { command, name };
}

/** The program of a line `Exec`, by its name alone: `env LANG=C "/usr/bin/gimp-2.10" %U` is gimp-2.10. */
function commandOf(line: string): string | null {
  const words = wordsOf(line);
  const first = basename(words[0] ?? '') === 'env' ? words.slice(1).find((word) => !word.includes('=')) : words[0];
  const command = basename(first ?? '');
  return command === '' || command.length > 200 || command.includes('%') || command.startsWith('-') ? null : command;
}

/** Words apart from each other by spaces; one in quotation marks may have some in it. */
function wordsOf(line: string): string[] {
  return line
    .split('"')
    .flatMap((part, n) => (n % 2 === 1 ? [part] : part.split(' ')))
    .filter((word) => word !== '');
}
