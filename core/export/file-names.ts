import { withoutDeviceName } from '../../schemas/device-names.ts';
import type { TaskFile } from './model.ts';

/** Names of files and folders in an export. */

/** Dots and blanks at the end, which Windows drops. */
const END_DOTS = /(?<![. ])[. ]+$/;

/** A name that is one path segment on every system: what Windows refuses becomes `_`. */
export function folderName(name: string): string {
  const safe = name
    .replace(/[<>:"/\\|?*\u0000-\u001f]/g, '_')
    .replace(END_DOTS, '')
    .trim();
  return safe === '' || safe === '.' || safe === '..' ? '_' : withoutDeviceName(shortened(safe));
}

/** File systems take names of 255 bytes, which are 85 Chinese characters; some room is left for a number. */
const MOST_BYTES = 200;
const LONGEST_ENDING = 20;
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Shortens a name that is too long: the end of its stem is cut off, the file extension stays. */
function shortened(name: string): string {
  if (bytesOf(name) <= MOST_BYTES) return name;
  const [stem, ending] = partsOf(name);
  const kept = bytesOf(ending) <= LONGEST_ENDING ? ending : '';
  let left = '';
  let bytes = bytesOf(kept);
  for (const character of kept === '' ? name : stem) {
    bytes += bytesOf(character);
    if (bytes > MOST_BYTES) break;
    left += character;
  }
  return left.replace(END_DOTS, '') + kept;
}

/** Its stem, and its ending with the dot; a name that begins with its only dot has none. */
function partsOf(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

/** Name of a file in an export: the person's name for it, else its own. */
export function fileName({ path, name }: Pick<TaskFile, 'path' | 'name'>): string {
  return folderName(name ?? path.split(/[/\\]/).at(-1)!);
}

/** The name, or with `-2`, `-3`, … before its extension when it is taken (letters' case does not tell files apart everywhere). */
export function freeName(name: string, taken: Set<string>): string {
  const [stem, ending] = partsOf(name);
  // Nor does the way in which an accent is put together.
  const plain = (text: string): string => text.normalize('NFC').toLowerCase();
  let free = name;
  for (let number = 2; taken.has(plain(free)); number++) free = `${stem}-${number}${ending}`;
  taken.add(plain(free));
  return free;
}
