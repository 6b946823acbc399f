import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLive } from '../../capture/recover.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Carrier } from '../carried.ts';
import { whyUntakeable } from '../check-recording.ts';

/** Whether a recording may go into an archive: one is taken whole or not at all, so what no import takes would keep all out. */

/** A text that travels with a recording, and the file that it was put into. */
export type SpooledText = { name: string; bytes: number; file: string };

type Asking = {
  carried: Carrier;
  /** A folder for the texts, which is this recording's alone and is not there yet. */
  texts: string;
  signal: AbortSignal;
  report(share: number): void;
};

/**
 * The texts that go with a recording; or why it is left out, in words. Everything is checked as an import would: a folder that
 * was copied in by hand, or met by a failing disk, may hold anything.
 */
export async function takeable(
  { id, folder, phase }: Pick<RecordingEntry, 'id' | 'folder' | 'phase'>,
  { carried, texts, signal, report }: Asking,
): Promise<{ texts: SpooledText[] } | { why: string }> {
  if (isLive(folder)) return { why: 'it is being recorded' };
  if (phase !== 'closed') return { why: 'it was not closed; `recover` closes it' };
  await mkdir(texts);
  const spooled: SpooledText[] = [];
  for (const { name, text } of await carried(id)) {
    const file = join(texts, name);
    // A disk that is behind with writing makes a writer wait, and the studio is not to wait with it.
    await writeFile(file, text);
    spooled.push({ name, bytes: Buffer.byteLength(text), file });
  }
  const why = await whyUntakeable(folder, { id, said: texts, signal, report });
  return why === null ? { texts: spooled } : { why };
}
