import { type ScoredCase, scoredCaseSchema } from '../../schemas/evaluate.ts';
import { badFile, placeReader, textLines } from './text-lines.ts';

/** A file of cases (`caseFile` of a result), a page at a time. */
export type CasePages = {
  readonly count: number;
  /** Cases from this place on, from 0; fewer at the end. */
  page(from: number, count: number): ScoredCase[];
  close(): void;
};

/** Only the worst first, say: whether a case is listed. Sees each case once, when the file is opened. */
export type CaseFilter = (scored: ScoredCase) => boolean;

/** Throws BAD_FILE with the line that is no case. */
export function openCasePages(file: string, filter?: CaseFilter): CasePages {
  const places: { offset: number; length: number }[] = [];
  for (const { text, line, offset, length } of textLines(file)) {
    const scored = caseOf(text);
    if (scored === null) throw badFile(file, `line ${line} is no case; evaluate again`);
    if (!filter || filter(scored)) places.push({ offset, length });
  }
  const reader = placeReader(file);
  return {
    count: places.length,
    page(from, count) {
      return places.slice(from, from + count).map(({ offset, length }) => {
        const scored = caseOf(reader.read(offset, length));
        if (scored === null) throw badFile(file, 'it was changed while it was read; evaluate again');
        return scored;
      });
    },
    close: reader.close,
  };
}

function caseOf(text: string): ScoredCase | null {
  try {
    return scoredCaseSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
