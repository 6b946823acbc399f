import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';
import { isS3 } from '../../files/blobs/open.ts';
import { FILES_VARIABLE } from '../../files/kept/place.ts';
import { DATABASE_VARIABLE } from '../../store/place.ts';
import { isWorkspace } from '../../store/workspace-file.ts';

const WORKSPACE_VARIABLE = 'STUDIO_WORKSPACE';

/** The option that names the workspace, the same for every command. */
export const workspaceOption = (command: Command): Command =>
  command.addOption(newOption().makeOptionMandatory()).addOption(databaseOption());

/** The same for a command that can do some of its work without one. */
export const optionalWorkspaceOption = (command: Command): Command =>
  command.addOption(newOption()).addOption(databaseOption());

/** Said to the whole process, its threads and processes: the workspace's folder says whether it is needed (place.ts). */
export const databaseOption = (): Option =>
  new Option(
    '--database <address>',
    `where its database is in PostgreSQL: postgres://… (or ${DATABASE_VARIABLE})`,
  ).argParser((address: string) => {
    process.env[DATABASE_VARIABLE] = address;
    return address;
  });

/** Said to the whole process, its threads and processes, as the address of the database. */
export const filesOption = (): Option =>
  new Option(
    '--files <place>',
    `where large files of closed recordings are: a folder, or s3://BUCKET/PREFIX (or ${FILES_VARIABLE})`,
  ).argParser((place: string) => {
    process.env[FILES_VARIABLE] = isS3(place) ? place : resolve(place);
    return place;
  });

/** Whether a command that names no workspace gets one: from the environment, or because it runs in its folder. */
export const hasDefaultWorkspace = (): boolean =>
  Boolean(process.env[WORKSPACE_VARIABLE]) || isWorkspace(process.cwd());

function newOption(): Option {
  const option = new Option(
    '-w, --workspace <dir>',
    "the workspace's folder; by default the current one, if it is one",
  );
  if (isWorkspace(process.cwd())) option.default(process.cwd(), 'this folder');
  return option.env(WORKSPACE_VARIABLE);
}

/** For an option that may be given several times: its values in their order. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, value];

export type WorkspaceOption = { workspace: string };

/** The folder that an option names. Throws USAGE when there is none. */
export function folderThere(option: string, folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new StudioError('USAGE', `${option}: there is no folder ${folder}. Check its path.`, { folder });
}
