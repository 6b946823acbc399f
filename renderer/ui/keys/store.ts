import { create } from 'zustand';
import { type Chord, isMac } from './chord.ts';
import { type ChosenKeys, type CommandDefinition, keysOf } from './commands.ts';

/** A command that can be done now: a page that is there has given what it does. */
export type ActiveCommand = CommandDefinition & {
  run: (event: KeyboardEvent | null) => void;
  enabled: boolean;
};

type KeyState = {
  mac: boolean;
  chosen: ChosenKeys;
  /** Every command known by its id: those described when the pages start, and what a page registered beside them. */
  known: ReadonlyMap<string, CommandDefinition>;
  /** The commands that can be done now, the newest last. */
  active: readonly (readonly ActiveCommand[])[];
  /** Why the person may not do what a command does; null: they may. */
  whyNot: (id: string) => string | null;
};

export const useKeys = create<KeyState>(() => ({
  mac: isMac(),
  chosen: {},
  known: new Map(),
  active: [],
  whyNot: () => null,
}));

/** Describes every command, before any page is shown: the shell knows them all. */
export function describeCommands(all: readonly CommandDefinition[]): void {
  useKeys.setState({ known: new Map(all.map((command) => [command.id, command])) });
}

/** Commands that this person may not use, with the reason: their keys are not heard, their buttons are greyed out. */
export function refuseCommands(whyNot: (id: string) => string | null): void {
  useKeys.setState({ whyNot });
}

export const useRefusal = (id: string): string | null => useKeys((state) => state.whyNot(id));

/** The user's own keys, from the settings. */
export function setChosenKeys(chosen: ChosenKeys): void {
  useKeys.setState({ chosen });
}

/** Makes a group of commands heard. Gives the way to stop. */
export function activate(group: readonly ActiveCommand[]): () => void {
  useKeys.setState((state) => {
    const fresh = group.filter((command) => !state.known.has(command.id));
    const known =
      fresh.length > 0 ? new Map([...state.known, ...fresh.map((one) => [one.id, one] as const)]) : state.known;
    return { known, active: [...state.active, group] };
  });
  return () => useKeys.setState((state) => ({ active: state.active.filter((other) => other !== group) }));
}

/** The commands that can be done now, the ones of the page before the ones of the application. */
export function activeCommands(state: Pick<KeyState, 'active' | 'whyNot'> = useKeys.getState()): ActiveCommand[] {
  const { active, whyNot } = state;
  return active
    .toReversed()
    .flatMap((group) => group.filter((command) => command.enabled && whyNot(command.id) === null));
}

/** The command that a pressed key means now, or null. */
export function commandFor(chord: Chord): ActiveCommand | null {
  const { chosen, mac } = useKeys.getState();
  return activeCommands().find((command) => keysOf(command, chosen, mac).includes(chord)) ?? null;
}

/** The keys that a command has now; for `<Kbd>` and labels. */
export function useKeysOf(id: string): Chord[] {
  const command = useKeys((state) => state.known.get(id));
  const chosen = useKeys((state) => state.chosen);
  const mac = useKeys((state) => state.mac);
  return command ? keysOf(command, chosen, mac) : [];
}
