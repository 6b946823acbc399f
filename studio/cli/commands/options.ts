import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';

/** The option that names the workspace, the same for every command. */
export function workspaceOption(command: Command): Command {
  return command.requiredOption('-w, --workspace <dir>', "the workspace's folder");
}

/** For an option that may be given several times: its values in their order. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, value];

export type WorkspaceOption = { workspace: string };

/** The folder that an option names. Throws USAGE when there is none. */
export function folderThere(option: string, folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new StudioError('USAGE', `${option}: there is no folder ${folder}. Check its path.`, { folder });
}
