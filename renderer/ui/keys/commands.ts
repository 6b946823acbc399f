import { tr } from '../../language/tr.ts';
import { type Chord, formatKey, parseChord } from './chord.ts';

/**
 * The definition of a command, apart from what it does: a stable id (settings name it), what it is called, its keys unless
 * the user changed them, and the scope in which it is heard: `global` always, a page's name on that page; `annotate.box`
 * inside `annotate`. Two commands whose scopes can be heard at once may not share a key.
 */
export type CommandDefinition = {
  id: string;
  label: string;
  scope: string;
  keys: readonly string[];
  /** More words to be found by, in the palette and in the list of keys. */
  words?: string;
  /** Heard while a text field has the focus even if the key could write there. */
  inFields?: boolean;
  /** Heard while a dialog is open. */
  inDialogs?: boolean;
  /** Not in the palette: it means nothing without a place (moving, nudging). */
  notInPalette?: boolean;
  /** Heard again and again while the key is held down. */
  repeats?: boolean;
};

/**
 * Defines the commands that are heard in `scope`, a line each; their ids begin with `prefix`. The last argument is the words
 * to find one by, or whatever else is so of it.
 */
export function commandsIn(scope: string, prefix = scope) {
  return (
    name: string,
    label: string,
    keys: readonly string[],
    more: string | Partial<CommandDefinition> = {},
  ): CommandDefinition => ({
    id: `${prefix}.${name}`,
    scope,
    label,
    keys,
    ...(typeof more === 'string' ? { words: more } : more),
  });
}

/** The two commands that go up and down the rows of a page. */
export function rowCommands(scope: string, next: string, previous: string): CommandDefinition[] {
  const moves = { scope, repeats: true, notInPalette: true };
  return [
    { ...moves, id: `${scope}.down`, label: next, keys: ['ArrowDown', 'J'] },
    { ...moves, id: `${scope}.up`, label: previous, keys: ['ArrowUp', 'K'] },
  ];
}

/** Keys the user chose, by command id; an empty list is "no key". */
export type ChosenKeys = Readonly<Record<string, readonly string[]>>;

/** The keys a command has now. Written ones that name no key are left out. */
export function keysOf(command: Pick<CommandDefinition, 'id' | 'keys'>, chosen: ChosenKeys, mac: boolean): Chord[] {
  const written = chosen[command.id] ?? command.keys;
  return written.map((key) => parseChord(key, mac)).filter((key) => key !== null);
}

/** Scopes that can be heard at the same time: the same, one inside the other, or one of them global. */
export function scopesMeet(a: string, b: string): boolean {
  if (a === b || a === 'global' || b === 'global') return true;
  return a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

/** The first other command that already has this key where `command` would be heard, or null. */
function conflictOf(
  command: CommandDefinition,
  chord: Chord,
  all: readonly CommandDefinition[],
  chosen: ChosenKeys,
  mac: boolean,
): CommandDefinition | null {
  return (
    all.find(
      (other) =>
        other.id !== command.id && scopesMeet(other.scope, command.scope) && keysOf(other, chosen, mac).includes(chord),
    ) ?? null
  );
}

/** Keys that the browser or the system keeps for itself, so that a command could never be heard on them. */
const KEPT = new Set([
  'Ctrl+W',
  'Ctrl+T',
  'Ctrl+N',
  'Ctrl+Shift+N',
  'Ctrl+Shift+W',
  'Ctrl+Q',
  'Meta+W',
  'Meta+T',
  'Meta+N',
  'Meta+Q',
  'Tab',
  'Shift+Tab',
  'F11',
  'F5',
  'Alt+F4',
]);

/** Why a key cannot be given to a command, in words with what to do; null when it can. */
export function refusal(
  command: CommandDefinition,
  chord: Chord,
  all: readonly CommandDefinition[],
  chosen: ChosenKeys,
  mac: boolean,
): string | null {
  const shown = formatKey(chord, mac);
  if (KEPT.has(chord))
    return tr('{shown} is used by the browser or for moving the focus. Choose another key.', { shown });
  const other = conflictOf(command, chord, all, chosen, mac);
  if (other)
    return tr('{shown} is already “{label}”. Choose another key, or change that one first.', {
      shown,
      label: other.label,
    });
  return null;
}

const SCOPE_NAMES: Readonly<Record<string, string>> = {
  global: tr('Everywhere'),
  welcome: tr('Welcome'),
  library: tr('Library'),
  task: tr('Task'),
  skill: tr('Skill'),
  recordings: tr('Recordings'),
  record: tr('Record'),
  annotate: tr('Annotate'),
  dataset: tr('Data set'),
  exports: tr('Export'),
  settings: tr('Settings'),
  play: tr('Play'),
  work: tr('My work'),
  insights: tr('Insights'),
  'annotate.edit': tr('Annotate and fix'),
  'annotate.edit.work': tr('Annotate only'),
  'annotate.edit.review': tr('Review'),
  'annotate.edit.compare': tr('Compare and adjudicate'),
  'annotate.judge': tr('Judge the trajectory'),
  cases: tr('Cases'),
  evaluate: tr('Evaluate'),
  runs: tr('Runs'),
  live: tr('The stage of a run'),
  arena: tr('Arena'),
  candidates: tr('Candidates of steps'),
  compositions: tr('Compositions'),
  composition: tr('Composition'),
  compose: tr('Edit a composition'),
  verification: tr('To verify'),
  verify: tr('Verify a composition'),
  members: tr('Members'),
};

/** A scope as a heading: `annotate.box` is "Annotate: box". */
export function scopeName(scope: string): string {
  const whole = SCOPE_NAMES[scope];
  if (whole !== undefined) return whole;
  const [page = scope, ...inner] = scope.split('.');
  const name = SCOPE_NAMES[page] ?? page.charAt(0).toUpperCase() + page.slice(1);
  return inner.length > 0 ? `${name}: ${inner.join(' ')}` : name;
}

/** Words that all occur, in any order, in a command's label, scope, id and further words. */
export function findCommands<T extends CommandDefinition>(all: readonly T[], text: string): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const score = (command: T): number => (command.label.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return all
    .filter((command) => {
      const hay = `${command.label} ${scopeName(command.scope)} ${command.words ?? ''}`.toLowerCase();
      return words.every((word) => hay.includes(word));
    })
    .sort((a, b) => score(a) - score(b));
}
