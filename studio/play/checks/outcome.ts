import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { Checks } from '../../../schemas/checks.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { copyFrom, entriesBelow, findFolder, placeIn, statOf } from '../../files/inside.ts';
import { cutKeyframes } from '../../recordings/cut.ts';
import { packedFolder } from './folder.ts';
import type { CheckPlace } from './read.ts';
import { sessionFile } from './session.ts';

/**
 * The files that checks look at, and those that the play wrote, kept in the folder of its own recording: so they can be checked
 * later, too, and checks are made from them.
 */
export const OUTCOME = 'outcome';
/** The largest file that is kept, and all of them together, bytes. */
const MOST_FILE = 64_000_000;
const MOST_ALL = 512_000_000;
const MOST_IN_FOLDER = 2000;

/** Folders that a check looks into are kept whole, or not at all. */
function filesOfFolder(home: string, check: Checks['checks'][number]): string[] {
  if (check.kind !== 'archive' || statOf(home, check.path) !== null) return [];
  try {
    const folder = findFolder(home, check.path);
    if (folder === null) return [];
    return ['', ...packedFolder(folder, false).names].map((name) => `${check.path}/${name}`);
  } catch {
    return []; // A link in its place, or too much in it.
  }
}

/** Copies what the checks name, and `written`, from a stage's home. What is missing, odd or too large is left out. */
export function keepOutcome(folder: string, home: string, checks: Checks['checks'], written: readonly string[]): void {
  const root = join(folder, OUTCOME);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { mode: 0o700 });
  let all = 0;
  const paths = checks.flatMap((check) => ('path' in check ? [check.path] : []));
  const withLogs = checks.flatMap((check) => (check.kind === 'sqlite' ? [`${check.path}-wal`] : []));
  const folders = checks.map((check) => filesOfFolder(home, check));
  for (const inside of folders) {
    const sizes = inside.map((path) => statOf(home, path)?.size ?? 0);
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    if (inside.length > MOST_IN_FOLDER || whole > MOST_FILE) inside.length = 0;
    for (const path of inside) if (path.endsWith('/')) mkdirSync(join(root, path), { recursive: true, mode: 0o700 });
  }
  const sessions = checks.flatMap((check) => (check.kind === 'pages' ? (sessionFile(home, check.profile) ?? []) : []));
  for (const path of new Set([
    ...paths,
    ...folders.flat().filter((path) => !path.endsWith('/')),
    ...withLogs,
    ...sessions,
    ...written,
  ])) {
    const info = statOf(home, path);
    if (!info || info.size > MOST_FILE || all + info.size > MOST_ALL) continue;
    const to = join(root, path);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    try {
      copyFrom(home, path, to, { most: MOST_FILE });
      all += info.size;
    } catch (error) {
      // Programs of the stage still run: what was a plain file a moment ago may be odd by now, or gone.
      if (!(error instanceof StudioError && error.code === 'BAD_FILE')) throw error;
    }
  }
}

/** The files that were kept of a recording's outcome, by their paths in the home, in order. */
export function filesOfOutcome(folder: string): string[] {
  const root = findFolder(folder, OUTCOME);
  if (root === null) return [];
  const files = [...entriesBelow(root)].filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/')).sort();
}

/** The rest of a recording's outcome: its kept files, and the screen after its last step. Throws what cutting stills throws. */
export async function outcomeOf(
  folder: string,
  ffmpeg: FfmpegInfo,
): Promise<Pick<CheckPlace, 'home' | 'still' | 'titles'>> {
  const { keyframes } = await cutKeyframes(folder, ffmpeg);
  const last = keyframes.keyframes.findLast(({ role }) => role === 'after');
  return {
    home: findFolder(folder, OUTCOME),
    still: last ? { file: placeIn(folder, `keyframes/${last.file}`), ...last.origin } : null,
    titles: null,
  };
}
