import { isUtf8 } from 'node:buffer';
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namedJson } from '../../../core/import/named-data.ts';
import { type NaturalGaiaTrajectory, readTrajectory } from '../../../core/import/naturalgaia.ts';
import { whyTooMuch } from '../../../core/json-depth.ts';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { type NaturalgaiaEntry, naturalgaiaSchema } from '../../../schemas/import.ts';
import { safeParts } from '../../files/names.ts';
import type { ImportLimits } from '../limits.ts';
import { parseLine } from '../lines.ts';

/** One trajectory of a file, with its pictures as full paths (null: not there). */
export type FoundTrajectory = {
  entry: NaturalgaiaEntry;
  trajectory: NaturalGaiaTrajectory;
  pictures: (string | null)[];
  where: string;
};

const MOST_TRAJECTORIES = 2000;
/** A folder's levels that an image's path may go down. */
const DEPTH = 6;

/**
 * The trajectories of a .json (one, or a list of them) or a .jsonl. Their images lie beside the file, by the paths that it
 * gives, which may not leave its folder. Throws BAD_FILE with the place.
 */
export function readTrajectories(file: string, limits: ImportLimits): FoundTrajectory[] {
  const info = lstatSync(file);
  if (info.size > limits.jsonBytes) {
    throw new StudioError('BAD_FILE', `${file} is larger than ${limits.jsonBytes / 1e6} MB.`, { file });
  }
  const bytes = readFileSync(file);
  if (!isUtf8(bytes)) throw new StudioError('BAD_FILE', `${file} is not UTF-8.`, { file });
  const entries = /\.jsonl$/i.test(file) ? linesOf(bytes, file) : entriesOf(bytes, file);
  if (entries.length === 0) throw new StudioError('BAD_FILE', `${file} holds no trajectory.`, { file });
  if (entries.length > MOST_TRAJECTORIES) {
    throw new StudioError(
      'BAD_FILE',
      `${file} holds ${plural(entries.length, 'trajectory', 'trajectories')}; at most ${MOST_TRAJECTORIES} are taken at once.`,
      {
        file,
      },
    );
  }
  return entries.map(({ entry, where }) => {
    const trajectory = readTrajectory(entry);
    if (trajectory.steps.length === 0) throw bad(file, where, trajectory.problems.at(-1) ?? 'it has no steps');
    const pictures = trajectory.images.map((name) => pictureOf(dirname(file), name, where));
    return { entry, trajectory, pictures, where };
  });
}

type Entry = { entry: NaturalgaiaEntry; where: string };

function linesOf(bytes: Buffer, file: string): Entry[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line, at): Entry[] => {
      if (line.trim() === '') return [];
      const where = `line ${at + 1}`;
      const parsed = parseLine(Buffer.from(line), naturalgaiaSchema);
      if ('why' in parsed) throw bad(file, where, ownWords(line) ?? parsed.why);
      return [{ entry: parsed.value, where }];
    });
}

function entriesOf(bytes: Buffer, file: string): Entry[] {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw bad(file, '', `it is not JSON (${error instanceof Error ? error.message.slice(0, 200) : 'damaged'})`);
  }
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one, at) => {
    const where = Array.isArray(value) ? `entry ${at + 1}` : '';
    const result = naturalgaiaSchema.safeParse(one);
    if (result.success) return { entry: result.data, where };
    const named = otherThan(one);
    if (named !== null) throw bad(file, where, named);
    const issue = result.error.issues[0];
    throw bad(file, where, `field \`${issue?.path.join('.')}\`: ${issue?.message ?? 'does not fit'}`);
  });
}

/** What something else is, or lacks first of all; null where it is nearly a trajectory, whose schema says more. */
function otherThan(value: unknown): string | null {
  const named = namedJson(value);
  if (named !== null) return `it is ${named.what}, and no NaturalGAIA trajectory`;
  const hasMessages = typeof value === 'object' && value !== null && Object.hasOwn(value, 'messages');
  return hasMessages ? null : 'it has no `messages`, as a NaturalGAIA trajectory has';
}

function ownWords(line: string): string | null {
  if (whyTooMuch(line) !== null) return null;
  try {
    return otherThan(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Null when the file is not there. Throws BAD_FILE for a path that leaves the folder, and for links. */
function pictureOf(folder: string, name: string, where: string): string | null {
  const parts = safeParts(name.replace(/^\.\//, ''), { depth: DEPTH });
  for (let depth = 1; depth <= parts.length; depth++) {
    const info = lstatSync(join(folder, ...parts.slice(0, depth)), { throwIfNoEntry: false });
    if (!info) return null;
    const wanted = depth === parts.length ? info.isFile() : info.isDirectory();
    if (!wanted) throw bad(name, where, info.isSymbolicLink() ? 'it is a link' : 'it is no plain file');
  }
  return join(folder, ...parts);
}

function bad(file: string, where: string, why: string): StudioError {
  return new StudioError('BAD_FILE', `${file}${where && ` ${where}`}: ${why}. Nothing was kept.`, { file, where });
}
