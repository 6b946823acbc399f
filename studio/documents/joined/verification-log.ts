import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ownContent } from '../../../core/compositions/own.ts';
import { canonicalJson } from '../../../core/curate/canonical.ts';
import type { Composition } from '../../../schemas/composition.ts';
import { COMPOSITION_ID } from '../../../schemas/composition-terms.ts';
import {
  VERIFICATION_SCHEMA,
  VERIFICATION_VERSION,
  type VerificationEvent,
  verificationEventSchema,
  verificationHeadSchema,
} from '../../../schemas/composition-verification.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { namesInFolder } from '../../files/folder.ts';
import { withFolderLock } from '../../files/folder-lock.ts';
import { hasFile } from '../../files/inside.ts';
import { readLogLines } from '../../recordings/log-lines.ts';
import { storeError, translate } from '../../store/errors.ts';
import type { Workspace } from '../../store/workspace.ts';

/** Logs of verification, a file each in the workspace's folder `composition-verification/`. Each is written as a whole or not at all. */

export const VERIFICATION_FOLDER = 'composition-verification';
const NAME = /^([a-z0-9][a-z0-9-]*)\.jsonl$/;
const FORM = {
  schema: VERIFICATION_SCHEMA,
  newest: VERIFICATION_VERSION,
  line: z.union([verificationHeadSchema, verificationEventSchema]),
  of: 'a verification',
};

type Place = Pick<Workspace, 'dir'>;

/** Names a version of a composition: what its file says, however it is written. */
export function versionOfContent(composition: Composition): string {
  return createHash('sha256')
    .update(canonicalJson(ownContent(composition)))
    .digest('hex');
}

/** The ids of compositions that have a log. */
export const verifiedIds = ({ dir }: Place): string[] =>
  namesInFolder(join(dir, VERIFICATION_FOLDER)).flatMap((name) => NAME.exec(name)?.[1] ?? []);

/** The events of a composition in their order; none where nobody began. Throws BAD_FILE, FUTURE_VERSION. */
export function readVerification({ dir }: Place, id: string): VerificationEvent[] {
  const folder = join(dir, VERIFICATION_FOLDER);
  if (!COMPOSITION_ID.test(id) || !hasFile(folder, `${id}.jsonl`)) return [];
  return eventsIn(folder, `${id}.jsonl`);
}

/** The events of a log in any folder. Throws as `readVerification`. */
export function eventsIn(folder: string, name: string): VerificationEvent[] {
  const [head, ...events] = readLogLines(folder, name, FORM);
  const file = join(folder, name);
  if (!head || 'act' in head) throw bad(file, 'does not begin with a line that says which log it is');
  return events.map((event, at) => {
    if (!('act' in event)) throw bad(file, `says a second time which log it is in line ${at + 2}`);
    if (event.n !== at + 1) throw bad(file, `lacks an event before line ${at + 2}, or has one twice`);
    return event;
  });
}

const bad = (file: string, what: string): StudioError =>
  new StudioError('BAD_FILE', `${file} ${what}. Put it back from a backup, or take it away to begin anew.`, { file });

/** As the file is written: the same events are the same bytes, whoever made them. */
export const verificationText = (id: string, events: readonly VerificationEvent[]): string =>
  [
    { schema: VERIFICATION_SCHEMA, version: VERIFICATION_VERSION, composition: id },
    ...events.map((event) => verificationEventSchema.parse(event)),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

type NewEvent = Omit<VerificationEvent, 'n' | 'at'>;

/**
 * Does `work` while no other process writes this log, and adds the event that it gives, which is none where nothing is to be
 * added. Throws what `work` throws, WORKSPACE_UNWRITABLE, DISK_FULL.
 */
export async function addingTo(
  place: Place,
  id: string,
  work: (events: readonly VerificationEvent[]) => Promise<NewEvent | null>,
): Promise<void> {
  await addingAll(place, id, async (events) => {
    const event = await work(events);
    return event === null ? [] : [{ n: events.length + 1, ...event, at: new Date().toISOString() }];
  });
}

/** The same of events that happened elsewhere, in the order of their numbers. */
export async function addingAll(
  { dir }: Place,
  id: string,
  work: (events: readonly VerificationEvent[]) => Promise<readonly VerificationEvent[]> | readonly VerificationEvent[],
): Promise<void> {
  const folder = join(dir, VERIFICATION_FOLDER);
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw storeError(error, folder);
  });
  await withFolderLock(folder, id, async () => {
    const events = readVerification({ dir }, id);
    const added = await work(events);
    if (added.length === 0) return;
    const file = join(folder, `${id}.jsonl`);
    translate(file, () => writeFileAtomic(file, verificationText(id, [...events, ...added])));
  });
}
