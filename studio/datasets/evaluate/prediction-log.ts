import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import {
  PREDICTIONS_SCHEMA,
  type PredictionsHead,
  predictionSchema,
  predictionsHeadSchema,
} from '../../../schemas/questions.ts';
import { describeHolder, isAlive } from '../../files/process-id.ts';
import { readHolder } from '../../files/read-holder.ts';
import { badFile, textLines } from '../../files/text-lines.ts';
import { headOf, isHead } from './inputs.ts';

/** The file of predictions while it grows: append-only, one writer, and it knows what it holds. */
type PredictionLog = {
  has(id: string): boolean;
  readonly size: number;
  append(line: object): void;
  close(): void;
};

/**
 * Begins the file, or goes on where it ended: a torn last line (a kill in the middle of writing) is cut off.
 * Throws CONFLICT (another model, data set or prompts; or another process writes it), BAD_FILE, FUTURE_VERSION.
 */
export function openPredictionLog(file: string, head: PredictionsHead): PredictionLog {
  mkdirSync(dirname(file), { recursive: true });
  const release = lock(file);
  try {
    const ids = existsSync(file) ? readIds(file, head) : new Set<string>();
    if (ids === null || !existsSync(file)) writeFileSync(file, `${JSON.stringify(head)}\n`);
    const known = ids ?? new Set<string>();
    return {
      has: (id) => known.has(id),
      get size() {
        return known.size;
      },
      append(line) {
        appendFileSync(file, `${JSON.stringify(line)}\n`);
        if ('id' in line) known.add(String(line.id));
      },
      close: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Ids that have their prediction; null when nothing whole is in the file. */
function readIds(file: string, head: PredictionsHead): Set<string> | null {
  const ids = new Set<string>();
  let headed = false;
  for (const { text, line, torn, offset } of textLines(file)) {
    if (torn) {
      truncateSync(file, offset);
      break;
    }
    const value = json(text);
    if (!headed) {
      if (!isHead(value, PREDICTIONS_SCHEMA)) {
        throw badFile(file, 'it was not begun by `answer`, so it is not gone on with. Choose another --out');
      }
      refuseOther(file, headOf(file, value, predictionsHeadSchema), head);
      headed = true;
      continue;
    }
    const { success, data } = predictionSchema.safeParse(value);
    if (!success) throw badFile(file, `line ${line} is no prediction. Mend it, or choose another --out`);
    ids.add(data.id);
  }
  return headed ? ids : null;
}

function refuseOther(file: string, found: PredictionsHead, head: PredictionsHead): void {
  const differences = [
    found.model === head.model ? [] : [`its model is ${found.model}, not ${head.model}`],
    found.dataset?.hash === head.dataset?.hash ? [] : ['it answers another version of the data set'],
    found.aid?.hash === head.aid?.hash ? [] : ['its questions had another aid'],
    found.prompts === head.prompts ? [] : ['it was asked with other prompts'],
    JSON.stringify(found.asked) === JSON.stringify(head.asked) ? [] : ['it was asked with other settings'],
  ].flat();
  if (differences.length === 0) return;
  throw new StudioError(
    'CONFLICT',
    `${file} cannot be gone on with: ${differences.join('; ')}. Choose another --out.`,
    {
      file,
      differences,
    },
  );
}

/** Two that write at once would ask (and pay) everything twice. A lock whose process is gone is nobody's. */
function lock(file: string): () => void {
  const path = `${file}.lock`;
  const holder = JSON.stringify(describeHolder(randomUUID(), process.pid));
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, holder, { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const other = readHolder(path);
      if (attempt > 0 || (other !== null && isAlive(other))) {
        throw new StudioError(
          'CONFLICT',
          `Process ${other?.pid ?? '?'} is writing ${file}. Wait for it, or stop it first.`,
          {
            file,
          },
        );
      }
      rmSync(path, { force: true });
    }
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
