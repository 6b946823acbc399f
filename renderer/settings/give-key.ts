import { keysSetting, useSettings } from '../client/settings.ts';
import { type ChosenKeys, type CommandDefinition, keysOf, refusal } from '../ui/keys/commands.ts';
import { useKeys } from '../ui/keys/store.ts';

/** Gives commands other keys; each act says why it refuses, in words, or null when it is done. */
export function useKeyGiving(onStore: (values: Record<string, unknown>) => void) {
  const { known, mac } = useKeys();
  const chosen: ChosenKeys = keysSetting(useSettings());
  const all = [...known.values()];
  const set = (id: string, keys: readonly string[] | null): void => {
    const { [id]: _old, ...rest } = chosen;
    onStore({ keys: keys === null ? rest : { ...rest, [id]: keys } });
  };
  return {
    all,
    chosen,
    mac,
    take(command: CommandDefinition, chord: string): string | null {
      const why = refusal(command, chord, all, chosen, mac);
      if (why === null) set(command.id, [chord]);
      return why;
    },
    remove: (command: CommandDefinition): void => set(command.id, []),
    /** Putting back may meet a key that was given to another in the meantime. */
    reset(command: CommandDefinition): string | null {
      const { [command.id]: _own, ...rest } = chosen;
      for (const chord of keysOf(command, rest, mac)) {
        const why = refusal(command, chord, all, rest, mac);
        if (why !== null) return why;
      }
      set(command.id, null);
      return null;
    },
  };
}
