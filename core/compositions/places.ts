import type { Composition } from '../../schemas/composition.ts';

/**
 * Places where a value stands as it is written: `members/meeting/outputs/time/value`, `events/invoice/happens/0/text`,
 * `tasks/CAL_1/checks/checks/total/equals`. An entry of a list is named by its id or name, else by its number from 0.
 */

/** A task of the library, as far as values stand in it. */
export type TaskContent = { goal: string; answer: string; recipe: unknown; checks: unknown };
type Swap = { own: string; value: string };

const partsOf = (place: string): string[] => place.split('/');

/** The id of the task in which a place is; null: it is in the composition itself. */
export function taskOfPlace(place: string): string | null {
  const [root, task = ''] = partsOf(place);
  return root === 'tasks' ? task : null;
}

/** The place within its task. */
export const placeInTask = (place: string): string => partsOf(place).slice(2).join('/');

const ROOTS = ['title', 'task', 'context', 'members', 'events', 'edges', 'tasks'];
const NAMES = ['id', 'name', 'kind', 'schema', 'version', 'output', 'check', 'recording', 'varies'];

/** Whether a value may be put there: not in what names a part of the composition, nor in what is given, which varies by itself. */
export function mayHold(place: string): boolean {
  const parts = partsOf(place);
  const [root = '', second] = parts;
  const last = parts.at(-1) ?? '';
  if (!ROOTS.includes(root)) return false;
  // A task's content is checked by its own schema; `name` there may be a cell's or a sheet's.
  if (root === 'tasks') return parts.length >= 3 && !['id', 'kind', 'schema', 'version'].includes(last);
  if (NAMES.includes(last) || (root === 'context' && second === 'given')) return false;
  if (root === 'edges') return last === 'atLeast' || last === 'atMost';
  return !(
    root === 'members' &&
    (parts.length === 3 ? last === 'task' : parts[4] === 'from' && (parts[2] === 'outputs' || parts[2] === 'takes'))
  );
}

/** The value at a place; undefined: there is no such place. */
export function atPlace(root: unknown, place: string): unknown {
  return partsOf(place).reduce((node, part) => {
    const key = keyIn(node, part);
    return key === null ? undefined : (node as Record<string | number, unknown>)[key];
  }, root);
}

function keyIn(node: unknown, part: string): string | number | null {
  if (typeof node !== 'object' || node === null) return null;
  if (!Array.isArray(node)) return Object.hasOwn(node, part) ? part : null;
  const named = node.findIndex(
    (one: unknown) =>
      typeof one === 'object' &&
      one !== null &&
      (('id' in one && one.id === part) || ('name' in one && one.name === part)),
  );
  if (named !== -1) return named;
  return /^\d{1,6}$/.test(part) && Number(part) < node.length ? Number(part) : null;
}

/** Whether a value stands in a text as a word of its own, or is a number. */
export function stands(leaf: unknown, value: string): boolean {
  if (typeof leaf === 'number') return isNumber(value) && Number(value) === leaf;
  return typeof leaf === 'string' && value !== '' && swappedWords(leaf, [{ own: value, value }]).found > 0;
}

const isNumber = (text: string): boolean => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text);

/** A text with each of these values swapped where it stands as a word of its own; `found` counts them. Of two that begin alike the longer one. */
function swappedWords(text: string, swaps: readonly Swap[]): { text: string; found: number } {
  const longest = swaps.toSorted((a, b) => b.own.length - a.own.length);
  let [swappedText, at, found] = ['', 0, 0];
  while (at < text.length) {
    const swap = longest.find(({ own }) => text.startsWith(own, at) && isWordAt(text, at, own));
    swappedText += swap ? swap.value : text.charAt(at);
    at += swap ? swap.own.length : 1;
    if (swap) found++;
  }
  return { text: swappedText, found };
}

/** Not in the middle of a longer word or number: 9:00 is not in 19:00, nor 25 in 25.80. */
function isWordAt(text: string, at: number, value: string): boolean {
  const end = at + value.length;
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)];
  const begins = LETTER.test(value.charAt(0)) && (LETTER.test(before.slice(-1)) || /\d[.,:]$/.test(before));
  const ends = LETTER.test(value.slice(-1)) && (LETTER.test(after.charAt(0)) || /^[.,:]\d/.test(after));
  return !begins && !ends;
}
const LETTER = /[\p{L}\p{N}]/u;

/** A leaf with all these values swapped at once: what one put in is not swapped again by the next. */
function swapped(leaf: unknown, swaps: readonly Swap[]): unknown {
  if (typeof leaf === 'number') {
    const swap = swaps.find(({ own }) => stands(leaf, own));
    return swap === undefined ? leaf : isNumber(swap.value) ? Number(swap.value) : Number.NaN;
  }
  if (typeof leaf !== 'string') return leaf;
  return swappedWords(leaf, swaps).text;
}

/** A copy in which values at places are swapped; a place that is not there changes nothing. */
export function withSwaps<T>(root: T, swaps: readonly (Swap & { place: string })[]): T {
  const byPlace = Map.groupBy(swaps, ({ place }) => place);
  return [...byPlace].reduce((copy, [place, some]) => swapAt(copy, partsOf(place), some) as T, root);
}

function swapAt(node: unknown, [part, ...rest]: readonly string[], swaps: readonly Swap[]): unknown {
  if (part === undefined) return swapped(node, swaps);
  const key = keyIn(node, part);
  if (key === null) return node;
  if (Array.isArray(node)) return node.with(Number(key), swapAt(node[Number(key)], rest, swaps));
  const held = node as Record<string, unknown>;
  return { ...held, [key]: swapAt(held[key], rest, swaps) };
}

/** Every place of a composition, or of a task's content, at which a value stands and may be put. */
export function placesWith(root: Composition | TaskContent, value: string, under = ''): string[] {
  const found: string[] = [];
  const look = (node: unknown, path: readonly string[]): void => {
    if (typeof node === 'string' || typeof node === 'number') {
      const place = `${under}${path.join('/')}`;
      if (mayHold(place) && stands(node, value)) found.push(place);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    for (const [key, inner] of Object.entries(node)) look(inner, [...path, nameIn(node, key, inner)]);
  };
  look(root, []);
  return found;
}

function nameIn(list: object, key: string, entry: unknown): string {
  if (!Array.isArray(list) || typeof entry !== 'object' || entry === null) return key;
  const name = 'id' in entry ? entry.id : 'name' in entry ? entry.name : null;
  const isPlain = typeof name === 'string' && name !== '' && !name.includes('/');
  return isPlain && keyIn(list, name) === Number(key) ? name : key;
}

/** A place after a part is called otherwise: `members/meeting` is `members/appointment` now. */
export const movedPlace = (place: string, from: string, to: string): string =>
  place === from || place.startsWith(`${from}/`) ? to + place.slice(from.length) : place;

/** Places in tasks that are called otherwise in another workspace follow them. */
export function withTaskPlaces<C extends Pick<Composition, 'context'>>(
  composition: C,
  tasks: ReadonlyMap<string, string>,
): C {
  if (tasks.size === 0) return composition;
  return withPlaces(composition, (place) => {
    const was = taskOfPlace(place);
    const is = was === null ? undefined : tasks.get(was);
    return was === null || is === undefined ? place : movedPlace(place, `tasks/${was}`, `tasks/${is}`);
  });
}

/** Every place at which a given value stands, changed. */
export function withPlaces<C extends Pick<Composition, 'context'>>(
  composition: C,
  change: (place: string) => string,
): C {
  const { given } = composition.context;
  if (given.every(({ varies }) => varies === undefined)) return composition;
  const moved = given.map(({ varies, ...one }) =>
    varies === undefined ? one : { ...one, varies: { ...varies, puts: varies.puts.map(change) } },
  );
  return { ...composition, context: { ...composition.context, given: moved } };
}
