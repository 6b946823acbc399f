import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownContent } from '../../../core/compositions/own.ts';
import { type Composition, compositionSchema } from '../../../schemas/composition.ts';
import { COMPOSITION_VERSION } from '../../../schemas/composition-terms.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import { COMPOSITION_LIMITS } from '../../../schemas/limits.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { namesInFolder } from '../../files/folder.ts';
import { withFolderLock } from '../../files/folder-lock.ts';
import { fileIn, hasFile, readIn, removeIn } from '../../files/inside.ts';
import { translate } from '../../store/errors.ts';
import { readTaskFile } from '../../store/json-file.ts';
import type { Workspace } from '../../store/workspace.ts';

/** Compositions of a workspace, a file each in its folder `compositions/`. */

export const COMPOSITION_FOLDER = 'compositions';
const FILE = {
  schema: compositionSchema,
  version: COMPOSITION_VERSION,
  word: 'composition',
  again: 'try',
  most: COMPOSITION_LIMITS.bytes,
};

/** Reads one file of a composition, with or without tasks. Throws BAD_FILE with the place in it, FUTURE_VERSION. */
export const readCompositionFile = (file: string): Composition => readTaskFile(file, FILE);

type Listed = { id: string; composition: Composition | null; why: string | null };

/** All of them by their names; one that cannot be read says why. */
export const listCompositions = (place: Pick<Workspace, 'dir'>): Listed[] =>
  compositionIds(place).map((id) => readListed(place, id));

/** The names of all files of compositions, in their order. */
export const compositionIds = ({ dir }: Pick<Workspace, 'dir'>): string[] =>
  namesInFolder(join(dir, COMPOSITION_FOLDER))
    .flatMap((name) => /^([a-z0-9][a-z0-9-]*)\.json$/.exec(name)?.[1] ?? [])
    .sort();

/** One of them, or why it cannot be read. */
export function readListed({ dir }: Pick<Workspace, 'dir'>, id: string): Listed {
  try {
    return { id, composition: compositionOf({ dir }, id), why: null };
  } catch (error) {
    return { id, composition: null, why: errorBody(error).message };
  }
}

/** Whether there is a file of this name. */
export const hasComposition = ({ dir }: Pick<Workspace, 'dir'>, id: string): boolean =>
  compositionSchema.shape.id.safeParse(id).success && hasFile(join(dir, COMPOSITION_FOLDER), `${id}.json`);

/** Throws UNKNOWN_COMPOSITION, BAD_FILE, FUTURE_VERSION. */
export function compositionOf({ dir }: Pick<Workspace, 'dir'>, id: string): Composition {
  const folder = join(dir, COMPOSITION_FOLDER);
  if (!hasComposition({ dir }, id))
    throw new StudioError(
      'UNKNOWN_COMPOSITION',
      `There is no composition “${id.slice(0, 80)}” in this workspace. \`compositions list\` shows them.`,
      { composition: id },
    );
  const file = fileIn(folder, `${id}.json`);
  const composition = readCompositionFile(file);
  if (composition.id === id) return composition;
  throw new StudioError(
    'BAD_FILE',
    `${file} says that it is “${composition.id}”. A composition is called as its file: rename one of both.`,
    { file },
  );
}

/**
 * Keeps it as a whole or not at all. Throws USAGE where one of its name is there and is not to be replaced,
 * WORKSPACE_UNWRITABLE, DISK_FULL.
 */
export function keepComposition({ dir }: Pick<Workspace, 'dir'>, given: Composition, { replace = false } = {}): string {
  const composition = ownContent(given);
  const folder = join(dir, COMPOSITION_FOLDER);
  translate(folder, () => mkdirSync(folder, { recursive: true }));
  const name = `${composition.id}.json`;
  if (!replace && hasFile(folder, name)) {
    throw new StudioError(
      'USAGE',
      `A composition “${composition.id}” is here already. Give --replace to replace it, or another id.`,
      { composition: composition.id },
    );
  }
  const file = join(folder, name);
  const text = `${JSON.stringify(composition, null, 2)}\n`;
  if (Buffer.byteLength(text) > COMPOSITION_LIMITS.bytes) {
    throw new StudioError(
      'USAGE',
      `The composition “${composition.id}” takes more than ${COMPOSITION_LIMITS.bytes >> 20} MB. Make its texts shorter, or two of it.`,
      { composition: composition.id },
    );
  }
  translate(file, () => writeFileAtomic(file, text));
  return file;
}

/** What an editor begins with: the composition as its file has it, and by what a save finds out that the file is another one. */
type EditedComposition = { composition: Composition; version: string; unwritable: string | null };

/** Throws what `compositionOf` throws. `unwritable`: why nothing of it can be kept. */
export function editedComposition({ dir }: Pick<Workspace, 'dir'>, id: string): EditedComposition {
  // In this order: one that is saved in between has another version than the one that is given.
  const version = versionOf({ dir }, id);
  return { composition: ownContent(compositionOf({ dir }, id)), version, unwritable: whyUnwritable(dir) };
}

/** Why no composition can be kept in this workspace; null: one can. */
export function whyUnwritable(dir: string): string | null {
  const folder = join(dir, COMPOSITION_FOLDER);
  const there = existsSync(folder) ? folder : dir;
  try {
    translate(there, () => accessSync(there, constants.W_OK));
    return null;
  } catch (error) {
    return errorBody(error).message;
  }
}

/** The hash of a file's bytes; '' for none. */
function versionOf({ dir }: Pick<Workspace, 'dir'>, id: string): string {
  const folder = join(dir, COMPOSITION_FOLDER);
  if (!hasComposition({ dir }, id)) return '';
  return createHash('sha256')
    .update(readIn(folder, `${id}.json`))
    .digest('hex');
}

/**
 * Keeps what somebody edited, where its file is still the one that they began with (`version`; null: there was none). Throws
 * CONFLICT where it is not, so that nothing of somebody else is written over, and what `keepComposition` throws.
 */
export async function saveComposition(
  workspace: Pick<Workspace, 'dir'>,
  { composition, version }: { composition: Composition; version: string | null },
): Promise<EditedComposition> {
  const { id } = composition;
  return locked(workspace, () => {
    needVersion(workspace, id, version);
    keepComposition(workspace, composition, { replace: version !== null });
    return editedComposition(workspace, id);
  });
}

/** Gives what was removed, for an undo. Its runs stay: each holds it as it was then. Throws as `saveComposition`. */
export async function removeComposition(
  workspace: Pick<Workspace, 'dir'>,
  { id, version }: { id: string; version: string },
): Promise<Composition> {
  return locked(workspace, () => {
    const composition = compositionOf(workspace, id);
    needVersion(workspace, id, version);
    const folder = join(workspace.dir, COMPOSITION_FOLDER);
    translate(join(folder, `${id}.json`), () => removeIn(folder, `${id}.json`));
    return composition;
  });
}

/** Between the look at a file and its change no other program of ours changes it. */
function locked<T>({ dir }: Pick<Workspace, 'dir'>, work: () => T): Promise<T> {
  const folder = join(dir, COMPOSITION_FOLDER);
  translate(folder, () => {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  });
  return withFolderLock(folder, 'compositions', async () => work());
}

function needVersion(workspace: Pick<Workspace, 'dir'>, id: string, version: string | null): void {
  const now = versionOf(workspace, id);
  if (now === (version ?? '')) return;
  const why =
    version === null
      ? `A composition “${id}” is here already. Give it another id.`
      : now === ''
        ? `“${id}” was removed meanwhile. Save it as a new one to have it again.`
        : `Somebody else saved “${id}” meanwhile. Nothing was written over: look at theirs, and save again.`;
  throw new StudioError('CONFLICT', why, { composition: id });
}
