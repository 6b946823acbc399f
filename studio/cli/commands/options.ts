import type { Command } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';

/** The option that names the workspace, the same for every command. */
export function workspaceOption(command: Command): Command {
  return command.requiredOption('-w, --workspace <dir>', "the workspace's folder");
}

export type WorkspaceOption = { workspace: string };

/** Throws UNKNOWN_FORMAT. */
export function refuseUnknownFormat(format: string): void {
  if (format === 'videogui') return;
  throw new StudioError('UNKNOWN_FORMAT', `The format "${format}" is not known. Known: videogui.`, { format });
}
