import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { stageNameOf } from '../../../core/compositions/stages.ts';
import { filesTaken, type TakenPath } from '../../../core/compositions/taken-files.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import type { Composition, Member } from '../../../schemas/composition.ts';
import type { MemberResult } from '../../../schemas/composition-run.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { COMPOSITION_LIMITS } from '../../../schemas/limits.ts';
import { type Below, everythingBelow, packBelow } from '../../files/below.ts';
import { hashInside } from '../../files/hash.ts';
import { copyFrom, removeIn, statOf } from '../../files/inside.ts';
import { stageFolder } from '../../play/stage/home.ts';
import type { RunStages } from './run-stages.ts';

/**
 * Files and folders that go over between the stages of a run (CP35). They are read by us, as plain files and never through a link, and
 * put into the other home by a program of that stage, in its cage: what is in a home may lead anywhere.
 */

type CameFile = NonNullable<MemberResult['files']>[number];
/** The files that a member was given; or why it cannot begin, and whether that is because a stage gave out. */
type Taken = { files: CameFile[] } | { why: string; stageGone: boolean };

type Wishes = {
  composition: Composition;
  member: Member;
  stages: Pick<RunStages, 'on' | 'hasGone' | 'gone'>;
  before: readonly MemberResult[];
  /** Each that went over, in words. */
  tell(text: string): void;
};

const PUT_MS = 60_000;
/** $1: the file as it came, $2: its place. It is whole when it is there. */
const PUT = 'mkdir -p "$(dirname "$2")" && cp "$1" "$2.arriving" && mv -fT "$2.arriving" "$2"';
/** $1: the folder as a .tar, $2: its place. What else is there stays; a link in the place of a file or a folder goes. */
const PUT_FOLDER = 'mkdir -p "$2" && tar -xmf "$1" -C "$2" --no-same-owner';
const { takenBytes, takenFiles } = COMPOSITION_LIMITS;

/** Throws what the member's own stage throws, DISK_FULL. */
export async function takeFiles({ composition, member, stages, before, tell }: Wishes): Promise<Taken> {
  const files: CameFile[] = [];
  const own = stageNameOf(composition, member);
  for (const taken of filesTaken(member)) {
    const { from, path, to, isFolder } = taken;
    const no = (why: string, stageGone = false): Taken => {
      return { why: `its ${isFolder ? 'folder' : 'file'} ${path} of “${from}” ${why}`, stageGone };
    };
    const source = composition.members.find(({ id }) => id === from);
    const done = before.find((result) => result.member === from);
    if (!source || !done || done.recording === null) return no('is not there, since that was not done');
    const name = stageNameOf(composition, source);
    if (name !== own && (await stages.hasGone(name))) return no(`is lost: ${stages.gone.get(name) ?? ''}`, true);
    const { home } = stages.on(name).stage;
    const found = isFolder ? await folderOf(home, path) : fileOf(home, path);
    if (typeof found === 'string') return no(found);
    const came = await put(stages.on(own).stage, { home, taken, found });
    append(files, came);
    tell(
      `${path} of “${from}” is handed over${name === own ? '' : ` from “${name}”`} as ${to} (${cameWords(came, isFolder)})`,
    );
  }
  return { files };
}

function cameWords(came: readonly CameFile[], isFolder: boolean): string {
  const bytes = came.reduce((sum, one) => sum + one.bytes, 0);
  if (isFolder) return `${plural(came.length, 'file')}, ${bytes} bytes`;
  return `${bytes} bytes, SHA-256 ${(came[0]?.sha256 ?? '').slice(0, 12)}…`;
}

/** A folder's own entries; null: it is a plain file. */
type Found = Below | null;

const isNotThere = (kind: string): string => `is not there: that left no ${kind} of this name`;
const tooLarge = (bytes: number): string =>
  `has ${Math.ceil(bytes / 2 ** 20)} MB, and at most ${takenBytes >> 20} MB go over`;

function fileOf(home: string, path: string): Found | string {
  const info = statOf(home, path);
  if (info === null) return isNotThere('plain file');
  return info.size > takenBytes ? tooLarge(info.size) : null;
}

async function folderOf(home: string, path: string): Promise<Found | string> {
  try {
    const below = await everythingBelow(home, path, takenFiles);
    if (below === null) return isNotThere('folder');
    if ('many' in below)
      return `holds more than ${takenFiles.toLocaleString('en')} files and folders, and no more go over`;
    if ('stranger' in below)
      return `holds ${below.stranger.slice(0, 200)}, which is a link or no plain file: only plain files and folders go over`;
    const bytes = below.files.reduce((sum, file) => sum + (statOf(home, `${path}/${file}`)?.size ?? 0), 0);
    return bytes > takenBytes ? tooLarge(bytes) : below;
  } catch (error) {
    if (error instanceof StudioError && error.code === 'BAD_FILE') return isNotThere('folder');
    throw error;
  }
}

async function put(
  stage: ReturnType<RunStages['on']>['stage'],
  { home, taken, found }: { home: string; taken: TakenPath; found: Found },
): Promise<CameFile[]> {
  const { from, path, to } = taken;
  const folder = join(stageFolder(stage.id), 'run');
  // One plain file: the stage's programs may write in that folder, and put a link in the place of one within it.
  const waiting = `.handed-${randomUUID()}`;
  const at = join(folder, waiting);
  try {
    const came: CameFile[] = [];
    if (found === null) {
      copyFrom(home, path, at, { isNew: true, most: takenBytes });
      const bytes = statOf(folder, waiting)?.size ?? 0;
      came.push({ from, file: path, to, bytes, sha256: await hashInside(folder, waiting) });
    } else {
      for (const { file, ...one } of await packBelow(home, path, { below: found, to: at, most: takenBytes }))
        came.push({ from, file: `${path}/${file}`, to: `${to}/${file}`, ...one });
    }
    const args = ['-c', found === null ? PUT : PUT_FOLDER, 'sh', at, `~/${to}`];
    await stage.run({ command: 'sh', args }, PUT_MS);
    for (const { to: place, sha256 } of came) {
      if (statOf(stage.home, place) !== null && (await hashInside(stage.home, place)) === sha256) continue;
      const why = `${place} did not come to the stage as it was: something there changes it.`;
      throw new StudioError('CAPTURE_FAILED', why, { file: place });
    }
    return came;
  } finally {
    removeIn(folder, waiting);
  }
}
