import type { Command } from 'commander';

/** The option that names the workspace, the same for every command. */
export function workspaceOption(command: Command): Command {
  return command.requiredOption('-w, --workspace <dir>', "the workspace's folder");
}

export type WorkspaceOption = { workspace: string };
