import { useLayoutEffect, useMemo, useRef } from 'react';
import type { CommandDefinition } from './commands.ts';
import { type ActiveCommand, activate, useKeys } from './store.ts';

/** A command as a page gives it: what it is, and what it does. `enabled: false` keeps it known but not heard. */
type Command = Omit<CommandDefinition, 'scope'> & {
  run: (event: KeyboardEvent | null) => void;
  enabled?: boolean | undefined;
};

/**
 * Makes these commands heard while the component is there, the newest first. `run` may change at every render at no cost;
 * which commands there are, and whether they are enabled, is compared by value.
 */
export function useCommands(scope: string, commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const shape = commands
    .map(({ id, enabled, label, keys }) => `${id} ${enabled !== false} ${label} ${keys}`)
    .join('\n');
  const group = useMemo((): ActiveCommand[] => {
    void shape;
    return latest.current.map((command) => ({
      ...command,
      scope,
      enabled: command.enabled !== false,
      run: (event) => latest.current.find((one) => one.id === command.id)?.run(event),
    }));
  }, [scope, shape]);
  // Before it is painted: who sees a page and presses a key at once is heard.
  useLayoutEffect(() => activate(group), [group]);
}

/** A handler of `useHandlers`: a function, or one that can be switched off. */
export type CommandHandler = Command['run'] | { run: Command['run']; enabled: boolean };

/** The same for commands that a page's `commands.ts` has already described: only what they do, by id. */
export function useHandlers(scope: string, handlers: Readonly<Record<string, CommandHandler>>): void {
  const { known } = useKeys.getState();
  const commands: Command[] = [];
  for (const [id, handler] of Object.entries(handlers)) {
    const definition = known.get(id);
    if (!definition) throw new Error(`No commands.ts describes the command "${id}".`);
    const given = typeof handler === 'function' ? { run: handler, enabled: true } : handler;
    commands.push({ ...definition, ...given });
  }
  useCommands(scope, commands);
}
