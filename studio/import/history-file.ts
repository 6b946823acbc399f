import { basename } from 'node:path';
import type { Records } from '../../core/annotate/document.ts';
import { canonicalJson } from '../../core/curate/canonical.ts';
import { headProblem, replayHistory } from '../../core/import/history.ts';
import { append } from '../../core/lists.ts';
import type { Change } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import {
  HISTORY_LIMITS,
  HISTORY_SCHEMA,
  HISTORY_VERSION,
  type HistoryEvent,
  type HistoryHead,
  type HistoryLine,
  type HistoryTransaction,
  historyHeadSchema,
  historyLineSchema,
} from '../../schemas/history.ts';
import type { ImportLimits } from './limits.ts';
import { boundedLines, parseLine, refuseLater, tooLong } from './lines.ts';

/** In an exported recording: everything that was ever said of it, so that its history and undo go along. */
export const HISTORY_FILE = 'history.jsonl';

/** A line of changes is closed once it has so many characters: well below the longest line that an import takes. */
const LINE_TEXT = 500_000;

/** The lines of one transaction: itself, and what of its changes does not fit. */
export function* transactionLines({ changes, ...rest }: HistoryTransaction): Generator<string> {
  const parts: Change[][] = [[]];
  let size = 0;
  for (const change of changes) {
    if (size > LINE_TEXT) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(change);
    size += JSON.stringify(change).length;
  }
  for (const [at, part] of parts.entries()) {
    const more = at < parts.length - 1 ? { more: true as const } : {};
    const line: HistoryLine =
      at === 0 ? { line: 'transaction', ...rest, changes: part, ...more } : { line: 'changes', changes: part, ...more };
    yield `${canonicalJson(line)}\n`;
  }
}

export const eventLine = (event: HistoryEvent): string => `${canonicalJson({ line: 'event', ...event })}\n`;
export const headLine = (head: HistoryHead): string => `${canonicalJson(head)}\n`;

type HistoryItem = { number: number } & ({ transaction: HistoryTransaction } | { event: HistoryEvent });

const bad = (file: string, number: number, why: string): StudioError =>
  new StudioError('BAD_FILE', `${basename(file)} line ${number}: ${why}`, { file: basename(file), line: number });

/**
 * A history as it is in its file, one gesture at a time, each whole. Throws BAD_FILE with file and line for what is
 * not of its schema or without bounds, FUTURE_VERSION.
 */
export async function openHistory(
  file: string,
  limits: Pick<ImportLimits, 'lineBytes'>,
  signal: AbortSignal,
): Promise<{ head: HistoryHead; items: AsyncIterable<HistoryItem> }> {
  const lines = boundedLines(file, limits, signal);
  const first = await lines.next();
  if (first.done) throw bad(file, 1, 'it is empty');
  if ('tooLong' in first.value) throw bad(file, 1, tooLong(limits));
  const head = parseHead(file, first.value.bytes);
  let begun = false;
  // Each reading begins at the first line: a whole that met another writer is done again (Store.transaction).
  async function* read(): AsyncGenerator<HistoryItem> {
    if (begun) return yield* (await openHistory(file, limits, signal)).items;
    begun = true;
    yield* items(file, lines, limits);
  }
  return { head, items: { [Symbol.asyncIterator]: read } };
}

function parseHead(file: string, bytes: Buffer): HistoryHead {
  const parsed = parseLine(bytes, historyHeadSchema);
  if ('value' in parsed) return parsed.value;
  refuseLater(basename(file), bytes, { schema: HISTORY_SCHEMA, newest: HISTORY_VERSION });
  throw bad(file, 1, parsed.why);
}

async function* items(
  file: string,
  lines: ReturnType<typeof boundedLines>,
  limits: Pick<ImportLimits, 'lineBytes'>,
): AsyncGenerator<HistoryItem> {
  /** A transaction of which more lines are to come. */
  let open: { number: number; transaction: HistoryTransaction } | null = null;
  for await (const line of lines) {
    const { number } = line;
    if ('tooLong' in line) throw bad(file, number, tooLong(limits));
    if (number > HISTORY_LIMITS.lines) throw bad(file, number, `it has more than ${HISTORY_LIMITS.lines} lines`);
    const parsed = parseLine(line.bytes, historyLineSchema);
    if ('why' in parsed) throw bad(file, number, parsed.why);
    const { value } = parsed;
    if ((value.line === 'changes') !== (open !== null)) {
      throw bad(file, number, open ? 'changes should go on here' : 'there is nothing that these changes belong to');
    }
    if (value.line === 'event') {
      const { line: _line, ...event } = value;
      yield { number, event };
      continue;
    }
    if (value.line === 'transaction') {
      const { line: _line, more: _more, ...transaction } = value;
      open = { number, transaction };
    } else if (open) {
      append(open.transaction.changes, value.changes);
      if (open.transaction.changes.length > HISTORY_LIMITS.changes) {
        throw bad(file, number, `a transaction has more than ${HISTORY_LIMITS.changes} changes`);
      }
    }
    if (value.more || !open) continue;
    yield open;
    open = null;
  }
  if (open) throw bad(file, open.number, 'its changes end early');
}

/**
 * Tells the whole history again. Gives the records that its main document has at the end, null when there is none.
 * Throws as openHistory, and for a line that does not follow from those before it.
 */
export async function checkHistory(
  file: string,
  recording: string,
  limits: Pick<ImportLimits, 'lineBytes'>,
  signal: AbortSignal,
): Promise<Records | null> {
  const history = await openHistory(file, limits, signal);
  const odd = headProblem(history.head, recording);
  if (odd !== null) throw bad(file, 1, odd);
  const replay = replayHistory(history.head);
  let last = 1;
  for await (const item of history.items) {
    const problem = 'event' in item ? replay.event(item.event) : replay.transaction(item.transaction);
    if (problem !== null) throw bad(file, item.number, problem);
    last = item.number;
  }
  const missing = replay.end();
  if (missing !== null) throw bad(file, last, missing);
  return replay.main();
}
