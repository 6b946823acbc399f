import { screenDifferences } from '../../core/play/differences.ts';
import { changedBlocks } from '../../core/play/sight.ts';
import { plural } from '../../core/words.ts';
import type { SentFiles } from '../files/kept/send.ts';
import { readRgb } from '../files/picture.ts';
import { keepRecording } from '../recordings/bytes.ts';
import { finishWhole } from '../recordings/finish.ts';
import type { BackgroundTask } from './background-task.ts';

/** The files and pictures of closed recordings. */

type Finished = Awaited<ReturnType<typeof finishWhole>>;

/** Keyframes and the playback copy of a recording, which may be of hours. */
export const finish: BackgroundTask<{ folder: string }, Finished> = (workspace, { folder }, tools) =>
  finishWhole(workspace, folder, tools);

/** Large files of closed recordings to the place for them. */
export const keep: BackgroundTask<{ folders: string[] }, SentFiles> = async (
  _workspace,
  { folders },
  { signal, report },
) => {
  const sent = { files: 0, bytes: 0 };
  for (const [at, folder] of folders.entries()) {
    const progress = (share: number): void =>
      report((at + share) / folders.length, `${at + 1} of ${plural(folders.length, 'recording')}`);
    progress(0);
    const { files, bytes } = await keepRecording(folder, { signal, report: progress });
    sent.files += files;
    sent.bytes += bytes;
  }
  return sent;
};

/** Files of pictures: the demonstration before and after a step, where it has them, and one of a play, at one of both moments. */
type Compared = { before: string | null; after: string | null; when: 'before' | 'after'; played: string };
/** Where a play differs from its demonstration. What the step itself changes is told from the demonstration before and after it. */
export const differ: BackgroundTask<Compared, ReturnType<typeof screenDifferences>> = async (_workspace, input) => {
  const before = input.before === null ? null : await readRgb(input.before);
  const after = input.after === null ? null : await readRgb(input.after);
  const recorded = input.when === 'before' ? before : after;
  const changed = before && after && changedBlocks(before, after);
  return recorded && screenDifferences(recorded, await readRgb(input.played), changed);
};
