import { withoutDeviceName } from '../../schemas/device-names.ts';
import type { TaskFile } from './model.ts';

/** Names of files and folders in an export. */

/** A name that is one path segment on every system: what Windows refuses becomes `_`. */
export function folderName(name: string): string {
  const safe = name
    .replace(/[<>:"/\\|?*\u0000-\u001f]/g, '_')
    .replace(/(?<![. ])[. ]+$/, '')
    .trim();
  return safe === '' || safe === '.' || safe === '..' ? '_' : withoutDeviceName(safe);
}

/** Name of a file in an export: the person's name for it, else its own. */
export function fileName({ path, name }: Pick<TaskFile, 'path' | 'name'>): string {
  return folderName(name ?? path.split(/[/\\]/).at(-1)!);
}

/** The name, or with `-2`, `-3`, … before its extension when it is taken (letters' case does not tell files apart everywhere). */
export function freeName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem}-${number}${ending}`;
  taken.add(free.toLowerCase());
  return free;
}
