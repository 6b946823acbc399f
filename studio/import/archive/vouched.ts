import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { errorBody } from '../../../schemas/errors.ts';
import type { Segment } from '../../../schemas/recording.ts';
import { flushFile } from '../../files/atomic.ts';
import { findFile, folderIn, hasFile } from '../../files/inside.ts';
import { hasBytes } from '../../files/kept/list.ts';
import { move } from '../../files/move.ts';
import { readRgb } from '../../files/picture.ts';
import { cutFrames } from '../../recordings/cut.ts';
import { KEYFRAMES_FOLDER } from '../../recordings/folders.ts';
import { findFileHash } from '../../store/hashes.ts';
import { readFrames, readRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Missing } from './frozen.ts';

/**
 * Files that an arriving version needs of recordings that are here without them. The archive is not believed: a still is taken
 * when it is, pixel by pixel, what the master that is here shows; any other file when this workspace itself has met it with
 * that very content before. Gives what was left out, in words.
 */
export async function takeVouched(
  workspace: Workspace,
  staging: string,
  missing: readonly Missing[],
  ffmpeg: () => Promise<FfmpegInfo>,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const [id, files] of Map.groupBy(missing, (one) => one.id)) {
    const { folder } = await workspace.getRecording(id);
    const arrived = join(staging, 'recordings', id);
    // Brought by the archive, and still missing here: an import that is repeated finds nothing left to do.
    const wanted = files.filter(({ path }) => hasFile(arrived, path) && !hasFile(folder, path));
    const known = new Set<string>();
    for (const one of wanted) if (await wasMet(workspace, one)) known.add(one.path);
    const stills = wanted.filter(({ path }) => !known.has(path) && timeOf(path) !== null).map(({ path }) => path);
    const cut = join(staging, 'cut', id);
    const why = stills.length === 0 ? null : await cutStills(folder, stills, cut, ffmpeg);
    for (const { path } of wanted) {
      const from = findFile(arrived, path);
      const shown = findFile(cut, path);
      if (from && (known.has(path) || (shown && (await samePixels(from, shown))))) {
        await flushFile(from);
        await move(from, join(folderIn(folder, dirname(path)), path.slice(dirname(path).length + 1)));
      } else {
        warnings.push(`${path} of ${id} was not taken: ${shown ? NOT_SHOWN : (why ?? NOT_KNOWN)}`);
      }
    }
    rmSync(cut, { recursive: true, force: true });
  }
  return warnings;
}

const NOT_SHOWN = 'it is another picture than the video of the recording that is here shows';
const NOT_KNOWN =
  'the recording here lacks it, and nothing here says that it is the right one. Copy it from the recording that the version was made of';

/** Whether this workspace has read that file of the recording with that content, when it froze a version of its own. */
async function wasMet({ store }: Workspace, { id, path, sha256 }: Missing): Promise<boolean> {
  return (await findFileHash(store, id, path))?.sha256 === sha256;
}

/** The frame time that a still is named by; null for what is no still. */
function timeOf(path: string): number | null {
  const match = /^([^/]+)\/(-?\d{1,15})\.png$/.exec(path);
  return match?.[1] === KEYFRAMES_FOLDER ? Number(match[2]) : null;
}

/** Cuts stills from the master that is here into `to`. Gives why that could not be done, null when it could. */
async function cutStills(
  folder: string,
  stills: readonly string[],
  to: string,
  ffmpeg: () => Promise<FfmpegInfo>,
): Promise<string | null> {
  try {
    const { segments } = readRecording(folder);
    const times = new Set(stills.map(timeOf));
    const frames = readFrames(folder).frames.filter(
      ({ t, seg }) => times.has(t) && isRecorded(folder, segments, seg ?? 0),
    );
    mkdirSync(join(to, KEYFRAMES_FOLDER), { recursive: true });
    if (frames.length > 0)
      await cutFrames(folder, segments, frames, ({ t }) => join(to, KEYFRAMES_FOLDER, `${t}.png`), await ffmpeg());
    return 'the recording here has no video of that moment to compare it with';
  } catch (error) {
    return `it could not be compared with the video of the recording here (${errorBody(error).message})`;
  }
}

const isRecorded = (folder: string, segments: readonly Segment[], index: number): boolean =>
  segments.some((segment) => segment.index === index && hasBytes(folder, segment.file));

/** A still that says that it is larger than the one cut here is not decoded at all. */
async function samePixels(one: string, shown: string): Promise<boolean> {
  try {
    const ours = await readRgb(shown);
    const theirs = await readRgb(one, { most: ours.width * ours.height });
    return theirs.width === ours.width && theirs.height === ours.height && Buffer.compare(theirs.rgb, ours.rgb) === 0;
  } catch {
    return false;
  }
}
