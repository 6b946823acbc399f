import type { Command } from 'commander';

/** The option that names the workspace, the same for every command. */
export function workspaceOption(command: Command): Command {
  return command.requiredOption('-w, --workspace <dir>', "the workspace's folder");
}

/** For an option that may be given several times: its values in their order. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, value];

export type WorkspaceOption = { workspace: string };
