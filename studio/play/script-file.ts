import { MOST_ACTS } from '../../core/evaluate/keys/acts.ts';
import { traceProgram } from '../../core/evaluate/keys/run.ts';
import { codeInAnswer } from '../../core/evaluate/keys/score.ts';
import { CodeError } from '../../core/evaluate/keys/tokens.ts';
import { answerPart } from '../../core/evaluate/reading/answer-part.ts';
import { placesOfActs, readActs } from '../../core/evaluate/reading/tool-acts.ts';
import { isTooDeep } from '../../core/json-depth.ts';
import { type PerformStep, stepOfLine, stepsOfProgram } from '../../core/play/perform.ts';
import { stepsOfAnswer } from '../../core/play/perform-answer.ts';
import { actionSchema } from '../../schemas/actions.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { type PerformLine, performLineSchema } from '../../schemas/perform.ts';
import type { CoordinateScale } from '../../schemas/scales.ts';
import { readBounded } from '../files/bounded.ts';

/** The largest script, bytes, and the most lines. */
const MOST_BYTES = 8_000_000;
const MOST_LINES = 10_000;

/** A script as it is performed: `ignored`, keys that PyAutoGUI does not know; `error`, what would have ended the program. */
export type StageScript = { steps: PerformStep[]; ignored: string[]; error: string | null };

/**
 * Reads a script: actions one a line (.jsonl), else an answer: calls of tools, or a program, which is read and never run.
 * `screen`: its size, px; `coordinates`: what the numbers of calls count, where their form does not say; `idle`: it may do nothing.
 * Throws BAD_FILE with the line.
 */
export function readScript(
  file: string,
  screen: readonly [number, number],
  { coordinates = null, idle = false }: { coordinates?: CoordinateScale | null; idle?: boolean } = {},
): StageScript {
  let text: string;
  try {
    text = readBounded(file, MOST_BYTES).toString('utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      throw new StudioError(
        'BAD_FILE',
        `There is no file ${file} with a script. Check its name; nothing was done.`,
        { file },
        { cause },
      );
    throw refused(file, whyNot(cause));
  }
  const script = file.toLowerCase().endsWith('.jsonl')
    ? { steps: readLines(file, text, screen), ignored: [], error: null }
    : (readCalls(file, text, screen, coordinates) ?? readProgram(file, text, screen));
  const acts = script.steps.reduce((sum, step) => sum + step.acts.length, 0);
  if (acts === 0 && !idle) throw refused(file, 'it does nothing');
  if (acts >= MOST_ACTS) throw refused(file, `it does more than ${MOST_ACTS} things`);
  return script;
}

/** Fields that lines of `actions` have, also those that are not performed. */
const OF_ACTIONS: ReadonlySet<string> = new Set(Object.keys(actionSchema.shape));

function readLines(file: string, text: string, screen: readonly [number, number]): PerformStep[] {
  const lines = text.split('\n');
  if (lines.length > MOST_LINES) throw refused(file, `it has more than ${MOST_LINES} lines`);
  return lines.flatMap((line, n) => {
    if (line.trim() === '') return [];
    if (isTooDeep(line)) throw refused(file, `line ${n + 1}: its values lie too deep in each other`);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw refused(file, `line ${n + 1} is no JSON`);
    }
    const checked = performLineSchema.safeParse(value);
    if (checked.success) {
      const odd = Object.keys(value as object).find((key) => !(key in checked.data || OF_ACTIONS.has(key)));
      if (odd !== undefined) throw refused(file, `line ${n + 1}: an action has no “${odd.slice(0, 40)}”`);
      const outside = placesOf(checked.data).find(({ x, y }) => x >= screen[0] || y >= screen[1]);
      if (outside)
        throw refused(
          file,
          `line ${n + 1}: ${outside.x}, ${outside.y} is not on the screen of ${screen.join(' x ')} px`,
        );
      return [stepOfLine(checked.data)];
    }
    const [issue] = checked.error.issues;
    throw refused(file, `line ${n + 1}: ${issue?.path.join('.') || 'the action'}: ${issue?.message ?? 'does not fit'}`);
  });
}

const placesOf = (line: PerformLine): { x: number; y: number }[] => [
  ...('start' in line ? [line.start] : []),
  ...('end' in line ? [line.end] : []),
];

/** Null where the text calls no tool. One that is not known, or a place without a unit, is refused: nothing is guessed. */
function readCalls(
  file: string,
  text: string,
  [width, height]: readonly [number, number],
  coordinates: CoordinateScale | null,
): StageScript | null {
  if (/\bpyautogui\b/.test(text)) return null;
  const read = readActs(answerPart(text));
  if (!read) return null;
  const [other] = read.others;
  if (other !== undefined) throw refused(file, `the call “${other}” is nothing that hands do`);
  const scale = coordinates ?? read.scale;
  if (scale === null && placesOfActs(read.acts).length > 0) {
    const units = 'pixels of the screen, or 0 to 1000';
    throw refused(file, `its form (${read.form}) does not say whether places are ${units}: name it by --coordinates`);
  }
  try {
    return { steps: stepsOfAnswer(read.acts, scale ?? 'pixels', { width, height }), ignored: [], error: null };
  } catch (error) {
    if (error instanceof RangeError) throw refused(file, error.message);
    throw error;
  }
}

function readProgram(file: string, text: string, screen: readonly [number, number]): StageScript {
  try {
    const { acts, error } = traceProgram(codeInAnswer(text), { mouseCalls: 'ignored', screen, pictures: 'refused' });
    return { ...stepsOfProgram(acts), error };
  } catch (error) {
    if (error instanceof CodeError) throw refused(file, error.message);
    throw error;
  }
}

const refused = (file: string, why: string): StudioError =>
  new StudioError('BAD_FILE', `The script ${file} cannot be performed: ${why.slice(0, 300)}. Nothing was done.`, {
    file,
  });
