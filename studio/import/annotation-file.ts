import { createHash } from 'node:crypto';
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
import { StudioError } from '../../schemas/errors.ts';
import type { Documents } from '../documents/documents.ts';
import { hasFile, readIn } from '../files/inside.ts';
import { contentId } from './content-id.ts';
import { LIMITS } from './limits.ts';
import { readBoundedJson } from './lines.ts';

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
 * Makes the annotation that came with a recording this workspace's, as one gesture (or few, when it is very large). Taken
 * again (a kill came before the file was removed), it is as taken once: its gestures are known by what the file says.
 * `arriving`: the state of the work came along, and stays. `keep`: work that was done here stays. Throws BAD_FILE, CONFLICT,
 * and what a document that is written to throws.
 */
export async function takeAnnotation(
  documents: Documents,
  recording: string,
  folder: string,
  { arriving = false, keep = false } = {},
): Promise<void> {
  if (!hasFile(folder, ANNOTATION_FILE)) return;
  const { records } = readBoundedJson(join(folder, ANNOTATION_FILE), annotationFileSchema, LIMITS);
  const { version, records: here } = await documents.get(recording);
  const before = await documents.since(recording, 0);
  const said = createHash('sha256').update(recording).update(readIn(folder, ANNOTATION_FILE)).digest();
  const known = new Set(before.map(({ id }) => id));
  // The last gesture has an id of its own, so that it tells the whole from a beginning.
  if (known.has(gestureId(said, -1))) return;
  let n = 0;
  while (known.has(gestureId(said, n))) n++;
  // A document begins with one line of the studio's.
  if (keep && n === 0 && version > 1) {
    throw new StudioError('CONFLICT', `recording ${recording} was annotated here, and that stays`, { recording });
  }
  const changes = changesBetween(here, records);
  for (let from = 0; from < changes.length; from += MOST_CHANGES, n++) {
    const some = changes.slice(from, from + MOST_CHANGES);
    const id = gestureId(said, from + MOST_CHANGES < changes.length ? n : -1);
    const transaction = { id, label: 'Import annotation', changes: some };
    if (arriving) await documents.arrive(recording, transaction);
    else await documents.apply(recording, transaction, 'import');
  }
}

/**
 * Makes the annotation here as `wanted`, as one gesture (or few) that can be undone. False: it was done before. `what`: says which
 * change it is, so that it is known again. Throws as Documents.apply.
 */
export async function applyWanted(
  documents: Documents,
  recording: string,
  what: string,
  wanted: readonly AnnotationRecord[],
): Promise<boolean> {
  const said = createHash('sha256').update(recording).update(what).digest();
  const known = new Set((await documents.since(recording, 0)).map(({ id }) => id));
  if (known.has(gestureId(said, -1))) return false;
  const changes = changesBetween((await documents.get(recording)).records, wanted);
  for (let from = 0, n = 0; from < changes.length; from += MOST_CHANGES, n++) {
    const some = changes.slice(from, from + MOST_CHANGES);
    const id = gestureId(said, from + MOST_CHANGES < changes.length ? n : -1);
    await documents.apply(recording, { id, label: 'Import annotation', changes: some }, 'import');
  }
  return changes.length > 0;
}

/** The id of the gesture `n` (-1: the last) by which this file is taken. */
const gestureId = (said: Buffer, n: number): string => contentId(said, String(n));

/** The changes that turn `present` into `wanted`. Subtasks and the goal first: they belong together. */
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
