import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type OsworldRun, osworldRun } from '../../../core/osworld/run.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { type OsworldLine, osworldLineSchema } from '../../../schemas/osworld.ts';
import { readBounded } from '../../files/bounded.ts';
import type { ImportLimits } from '../limits.ts';
import { readBoundedLines } from '../lines.ts';
import { pictureBeside } from '../picture-beside.ts';
import { listedNames } from '../what-is-it.ts';

/** Files of a run's folder. */
export const [TRAJ, RECORDING] = ['traj.jsonl', 'recording.mp4'];
const RESULT = 'result.txt';
/** Agents that show the screen before the first step call it so. */
const FIRST = /^(?:step_0(?:_.{1,100})?|initial_(?:state|screenshot)|screenshot_0)\.(?:png|jpe?g)$/i;

export type FoundOsworldRun = {
  file: string;
  /** traj.jsonl as it is. */
  text: string;
  lines: OsworldLine[];
  run: OsworldRun;
  /** Its pictures by their names; null: not there. */
  files: Map<string, string | null>;
  /** What result.txt says; null: there is none. */
  result: string | null;
  /** The score in it; null: it is no number, or not there. */
  score: number | null;
  /** The recording, where nothing else shows the screen before the first step. */
  film: string | null;
  lost: string[];
};

/** A run by its traj.jsonl. Throws BAD_FILE with file and line for what is no such run, or names a picture outside of it. */
export async function readOsworldRun(
  file: string,
  limits: ImportLimits,
  signal: AbortSignal,
): Promise<FoundOsworldRun> {
  const folder = dirname(file);
  const lines: OsworldLine[] = [];
  const { torn } = await readBoundedLines(file, osworldLineSchema, limits, signal, (line) => lines.push(line));
  const whole = readBounded(file, limits.jsonBytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  // A line that is cut off would go out as no JSON.
  const text = torn ? whole.slice(0, whole.lastIndexOf('\n') + 1) : whole;
  const names = listedNames(folder);
  const first = names.find((name) => FIRST.test(name) && lines.every((line) => line.screenshot_file !== name)) ?? null;
  const files = new Map<string, string | null>();
  const look = (name: string, where: string): void => {
    if (!files.has(name))
      files.set(
        name,
        pictureBeside(file, name, (why) => bad(file, where, why)),
      );
  };
  if (first !== null) look(first, 'the first screen');
  for (const [at, { screenshot_file: name }] of lines.entries()) if (name) look(name, `line ${at + 1}`);
  const run = osworldRun(lines, first);
  if (run.steps.length === 0) throw bad(file, '', 'it holds no step, only how the run ended');
  const shown = run.pictures.some((name) => files.get(name) != null);
  const film = first === null && isPlain(join(folder, RECORDING)) ? join(folder, RECORDING) : null;
  if (!shown && film === null) throw bad(file, '', 'it shows no screen: none of the pictures that it names is there');
  const result = isPlain(join(folder, RESULT))
    ? readBounded(join(folder, RESULT), 10_000).toString('utf8').trim()
    : null;
  const score = result === null || !/^-?\d{1,9}(?:\.\d{1,20})?(?:e-?\d{1,3})?$/i.test(result) ? null : Number(result);
  return {
    file,
    text,
    lines,
    run,
    files,
    result,
    score,
    film,
    lost: lostOf(file, names, { run, files, torn, result, score }),
  };
}

type Notes = Pick<FoundOsworldRun, 'run' | 'files' | 'result' | 'score'> & { torn: boolean };

function lostOf(file: string, names: readonly string[], { run, files, torn, result, score }: Notes): string[] {
  const lost = [...run.lost];
  if (torn) lost.push(`the last line of ${TRAJ}, which is cut off`);
  if (result !== null && score === null) lost.push(`${RESULT}, which says no number: "${result.slice(0, 60)}"`);
  const others = names.filter(
    (name) => name !== basename(file) && name !== RESULT && !files.has(name) && isPlain(join(dirname(file), name)),
  );
  if (others.length > 0) {
    const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
    lost.push(`other files of its folder: ${others.slice(0, 10).join(', ').slice(0, 600)}${more}`);
  }
  return lost;
}

const isPlain = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

function bad(file: string, where: string, why: string): StudioError {
  const place = where === '' ? '' : `, ${where}`;
  return new StudioError('BAD_FILE', `${file}${place}: ${why.replace(/\.$/, '')}. Nothing was kept.`, {
    file,
    folder: dirname(file),
    where,
  });
}
