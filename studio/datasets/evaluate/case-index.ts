import { statSync } from 'node:fs';
import { caseMark } from '../../../core/evaluate/case-mark.ts';
import { putNewest } from '../../../core/newest.ts';
import type { CaseFilter, CasePage } from '../../../schemas/api/evaluate.ts';
import { type CaseNote, type ScoredCase, scoredCaseSchema } from '../../../schemas/evaluate.ts';
import { badFile, placeReader, textLines } from '../../files/text-lines.ts';

/** The part of each case that is kept in memory; the rest is read from the file when it is shown. */
type Entry = {
  id: string;
  kind: string;
  software: string;
  /** 0 to 1; null counts as 0 where cases are filtered by it. */
  mark: number | null;
  noted: boolean;
  /** Nobody answered it: it counts 0, and is no wrong answer. */
  missing: boolean;
  offset: number;
  length: number;
};

/** Notes of answers that got less than they might for a reason other than being wrong. */
const NOTED: ReadonlySet<CaseNote> = new Set(['missing', 'unreadable', 'refused', 'stopped', 'critic-unreadable']);

const KEPT = 4;
const indexes = new Map<string, { version: string; entries: Entry[] }>();

/** The last few files stay indexed, so that leafing and filtering do not read a large one again. */
function entriesOf(file: string): Entry[] {
  const { mtimeMs, size, ino } = statSync(file);
  const version = `${ino} ${size} ${mtimeMs}`;
  const known = indexes.get(file);
  const entries = known?.version === version ? known.entries : readEntries(file);
  putNewest(indexes, file, { version, entries }, KEPT);
  return entries;
}

function readEntries(file: string): Entry[] {
  const entries: Entry[] = [];
  for (const { text, line, offset, length } of textLines(file)) {
    const scored = parse(text);
    if (scored === null) throw badFile(file, `line ${line} is no case; score the predictions again`);
    const { id, kind, software, notes } = scored;
    const noted = notes.some((note) => NOTED.has(note));
    const missing = notes.includes('missing');
    entries.push({ id, kind, software, mark: caseMark(scored), noted, missing, offset, length });
  }
  return entries;
}

/** Those that fit, from the place `from` on. Throws BAD_FILE. */
export function findCases(file: string, filter: CaseFilter, from: number, count: number): CasePage {
  const entries = entriesOf(file);
  const fitting = entries.filter((entry) => fits(entry, filter));
  // Stable: cases of the same score stay in the file's order.
  if (filter.order === 'worst') fitting.sort((a, b) => (a.mark ?? 0) - (b.mark ?? 0));
  return {
    total: fitting.length,
    all: entries.length,
    kinds: [...new Set(entries.map(({ kind }) => kind))].sort(),
    software: [...new Set(entries.map(({ software }) => software))].filter((name) => name !== '').sort(),
    cases: read(file, fitting.slice(from, from + count)),
  };
}

export function findCase(file: string, id: string): ScoredCase | null {
  const entry = entriesOf(file).find((one) => one.id === id);
  return entry ? (read(file, [entry])[0] ?? null) : null;
}

function fits({ id, kind, software, mark, noted, missing }: Entry, filter: CaseFilter): boolean {
  const score = mark ?? 0;
  if (filter.only === 'wrong' && (score >= 1 || missing)) return false;
  if (filter.only === 'missing' && !missing) return false;
  if (filter.only === 'right' && score < 1) return false;
  if (filter.only === 'noted' && !noted) return false;
  if (filter.kind !== null && kind !== filter.kind) return false;
  if (filter.software !== null && software !== filter.software) return false;
  if (score < filter.least || score > filter.most) return false;
  return id.toLowerCase().includes(filter.text.trim().toLowerCase());
}

function read(file: string, entries: readonly Entry[]): ScoredCase[] {
  const reader = placeReader(file);
  try {
    return entries.map(({ offset, length }) => {
      const scored = parse(reader.read(offset, length));
      if (scored === null) throw badFile(file, 'it was changed while it was read; score the predictions again');
      return scored;
    });
  } finally {
    reader.close();
  }
}

function parse(text: string): ScoredCase | null {
  try {
    return scoredCaseSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
