import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  COMPOSITION_RUN_VERSION,
  type CompositionRun,
  compositionRunSchema,
} from '../../../schemas/composition-run.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { namesInFolder } from '../../files/folder.ts';
import { fileIn } from '../../files/inside.ts';
import { readTaskFile } from '../../store/json-file.ts';
import type { Workspace } from '../../store/workspace.ts';

/** Runs of compositions as a workspace keeps them, a file each in `composition-runs/`, whole after each task. */

const FOLDER = 'composition-runs';
/** In an archive as in a workspace. */
export const runPath = (id: string): string => `${FOLDER}/${id}.json`;
const FILE = {
  schema: compositionRunSchema,
  version: COMPOSITION_RUN_VERSION,
  word: 'run of a composition',
  again: 'look at it',
  most: 64 << 20,
};
const NAME = /^([0-9a-f]{12})\.json$/;

type Place = Pick<Workspace, 'dir'>;

/** Keeps it as a whole or as it was. Throws DISK_FULL and what else the disk says. */
export function keepRun({ dir }: Place, run: CompositionRun): void {
  const folder = join(dir, FOLDER);
  mkdirSync(folder, { recursive: true });
  writeFileAtomic(join(folder, `${run.id}.json`), `${JSON.stringify(run, null, 2)}\n`);
}

const idsIn = ({ dir }: Place): string[] =>
  namesInFolder(join(dir, FOLDER)).flatMap((name) => NAME.exec(name)?.[1] ?? []);

/** All that can be read, the newest first; `unread` says why the others cannot. */
export function listCompositionRuns(place: Place): { runs: CompositionRun[]; unread: { id: string; why: string }[] } {
  const runs: CompositionRun[] = [];
  const unread: { id: string; why: string }[] = [];
  for (const id of idsIn(place)) {
    try {
      runs.push(readKeptRun(place, id));
    } catch (error) {
      unread.push({ id, why: errorBody(error).message });
    }
  }
  return { runs: runs.sort((a, b) => (a.at < b.at ? 1 : -1)), unread };
}

/** Throws BAD_FILE, FUTURE_VERSION. */
export const readKeptRun = ({ dir }: Place, id: string): CompositionRun =>
  readTaskFile(fileIn(join(dir, FOLDER), `${id}.json`), FILE);

export const hasRun = (place: Place, id: string): boolean => idsIn(place).includes(id);

/** A run by its id or the beginning of it. Throws USAGE when it is none or not one alone, BAD_FILE, FUTURE_VERSION. */
export function findRun(place: Place, id: string): CompositionRun {
  const [found, more] = idsIn(place).filter((one) => one.startsWith(id));
  if (found !== undefined && more === undefined) return readKeptRun(place, found);
  const words = `${found === undefined ? 'No' : 'More than one'} run of a composition is called “${id.slice(0, 40)}”.`;
  throw new StudioError('USAGE', `${words} \`compositions runs\` shows them.`, { id });
}
