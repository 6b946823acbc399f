import type { MenuCommand } from '../../schemas/desktop.ts';
import { formatKey } from '../ui/keys/chord.ts';
import { type ChosenKeys, keysOf, scopeName } from '../ui/keys/commands.ts';
import type { ActiveCommand } from '../ui/keys/store.ts';

/** The commands that the native menu shows: those of the page at hand, each once, with the key that it has now. */
export function menuCommands(
  active: readonly (readonly ActiveCommand[])[],
  chosen: ChosenKeys,
  mac: boolean,
): MenuCommand[] {
  const found = new Map<string, MenuCommand>();
  for (const command of active.toReversed().flat()) {
    if (found.has(command.id)) continue;
    const [chord] = keysOf(command, chosen, mac);
    found.set(command.id, {
      id: command.id,
      label: command.label,
      group: scopeName(command.scope),
      key: chord === undefined ? null : menuKey(chord, mac),
      enabled: command.enabled,
    });
  }
  return [...found.values()];
}

/** As the menu can take it: a chord with Ctrl, Alt or Meta as it is written, any other key as it is shown. */
const menuKey = (chord: string, mac: boolean): string =>
  !mac && /^(?:Ctrl|Alt|Meta)\+/.test(chord) ? chord : formatKey(chord, mac);
