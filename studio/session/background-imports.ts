import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { confirmArchive } from '../import/archive/confirm.ts';
import { forgetStaged, importArchive, type TakenArchive } from '../import/archive/import-archive.ts';
import type { OnFork } from '../import/archive/newer.ts';
import { refuseBeyondRecording } from '../import/archive/recorder-brings.ts';
import { noted } from '../import/archive/reports.ts';
import { importAny } from '../import/import-any.ts';
import type { VideoSampling } from '../import/video/import-video.ts';
import { takeWaiting } from '../import/waiting.ts';
import type { ImportWishes } from '../import/wishes.ts';
import type { BackgroundTask } from './background-task.ts';
import { withDocuments } from './imports.ts';

/** Imports: every line of a recording is checked, and histories of thousands of gestures are written. */

/** With documents of this thread's own; whoever watches one is told by the studio afterwards. */
type AnyInput = {
  path: string;
  wishes: ImportWishes & { sampling?: VideoSampling | undefined; transcript?: string | undefined };
};
type Landed = { id: string; warnings: string[] };

/** Gives the ids of what came, and of what was here already. */
export const importOne: BackgroundTask<AnyInput, { imported: Landed[]; known: string[] }> = (workspace, input, tools) =>
  withDocuments(workspace, async (documents) => {
    const options = { ...input.wishes, ...tools, documents, ffmpeg: () => findFfmpeg() };
    const { imported, known } = await importAny(workspace, input.path, options);
    return { imported: imported.map(({ entry, warnings }) => ({ id: entry.id, warnings })), known };
  });

type ArchiveInput = {
  file: string;
  versionAs?: string | undefined;
  onFork?: OnFork | undefined;
  cameWhole?: boolean | undefined;
};

export const takeArchive: BackgroundTask<ArchiveInput, TakenArchive> = (workspace, { file, ...wishes }, tools) =>
  withDocuments(workspace, (documents) =>
    noted(
      workspace,
      { kind: 'taken', file },
      () => importArchive(workspace, file, { ...tools, documents, ...wishes }),
      (taken) => ({
        recordings: taken.recordings.length,
        version: taken.dataset?.name ?? null,
        versionKnown: taken.dataset?.known ?? false,
        known: taken.known.length,
        resumed: taken.resumed,
        forked: taken.newer.forked,
        notes: taken.warnings,
      }),
    ),
  );

/** Compares the recordings of an archive that was taken with what lies here now. */
export const confirmTaken: BackgroundTask<{ file: string }, Awaited<ReturnType<typeof confirmArchive>>> = (
  workspace,
  { file },
  tools,
) => confirmArchive(workspace, file, tools);

/** Throws for an archive that somebody who only records may not bring: what they say of it may be of 64 MB. */
export const mayBeBrought: BackgroundTask<{ file: string }, void> = (_workspace, { file }, { signal }) =>
  refuseBeyondRecording(file, signal);

/** Removes what lies aside of an archive that is not gone on with. */
export const forgetArchive: BackgroundTask<{ file: string }, void> = (workspace, { file }, { signal }) =>
  forgetStaged(workspace, file, signal);

/** Takes the files that wait in the folders of these recordings. */
export const takeArrived: BackgroundTask<{ recordings: string[] }, Awaited<ReturnType<typeof takeWaiting>>> = (
  workspace,
  { recordings },
  { signal },
) => withDocuments(workspace, (documents) => takeWaiting(workspace, documents, { only: new Set(recordings), signal }));
