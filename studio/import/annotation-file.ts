import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Records } from '../../core/annotate/document.ts';
import {
  ANNOTATION_VERSION,
  ANNOTATION_VERSIONS_READ,
  type AnnotationRecord,
  type Change,
  MOST_RECORDS,
  recordSchema,
} from '../../schemas/annotation.ts';
import { errorBody } from '../../schemas/errors.ts';
import type { Documents } from '../annotate/documents.ts';

/** In an exported recording: its annotation as it is, so that the work goes along; history-file.ts has how it came about. */
export const ANNOTATION_FILE = 'annotation.json';

export const annotationFileSchema = z.object({
  schema: z.literal('trajectory-studio/annotation'),
  version: z.literal(ANNOTATION_VERSIONS_READ),
  recording: z.string(),
  records: z.array(recordSchema).max(MOST_RECORDS),
});

/** A transaction's most changes (transactionSchema). */
const MOST_CHANGES = 20_000;

/** The file's text. */
export function annotationText(recording: string, records: Records): string {
  // Ordered by id, so that the same annotation is the same text.
  const sorted = [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const file: z.infer<typeof annotationFileSchema> = {
    schema: 'trajectory-studio/annotation',
    version: ANNOTATION_VERSION,
    recording,
    records: sorted,
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/**
 * Makes the annotation that came with an imported recording this workspace's, as one gesture (or few, when it is very
 * large), and removes the file. `arriving`: the state of the work came along, and stays. Gives a warning when it does not fit; the file stays then.
 */
export async function takeAnnotation(
  documents: Documents,
  recording: string,
  folder: string,
  { arriving = false } = {},
): Promise<string | null> {
  const file = join(folder, ANNOTATION_FILE);
  if (!existsSync(file)) return null;
  try {
    const { records } = annotationFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const changes = changesBetween((await documents.get(recording)).records, records);
    for (let from = 0; from < changes.length; from += MOST_CHANGES) {
      const some = changes.slice(from, from + MOST_CHANGES);
      const transaction = { id: randomUUID(), label: 'Import annotation', changes: some };
      if (arriving) await documents.arrive(recording, transaction);
      else await documents.apply(recording, transaction, 'import');
    }
    rmSync(file);
    return null;
  } catch (error) {
    return `its annotation was not taken: ${errorBody(error).message}`;
  }
}

/** What makes `wanted` of `present`. Subtasks and the goal first: they belong together. */
export function changesBetween(present: readonly AnnotationRecord[], wanted: readonly AnnotationRecord[]): Change[] {
  const before = new Map(present.map((record) => [record.id, record]));
  const after = new Map(wanted.map((record) => [record.id, record]));
  const changes: Change[] = [];
  for (const record of present) if (!after.has(record.id)) changes.push({ op: 'remove', record });
  for (const record of after.values()) {
    const known = before.get(record.id);
    if (known === undefined) changes.push({ op: 'add', record });
    else if (!isDeepStrictEqual(known, record)) changes.push({ op: 'change', before: known, after: record });
  }
  const isFrame = (change: Change): boolean =>
    ['subtask', 'goal'].includes((change.op === 'change' ? change.after : change.record).kind);
  return [...changes.filter(isFrame), ...changes.filter((change) => !isFrame(change))];
}
