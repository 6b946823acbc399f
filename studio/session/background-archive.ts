import { type ArchiveChoice, chosenRecordings } from '../import/archive/chosen.ts';
import { exportArchive, type WrittenArchive } from '../import/archive/export-archive.ts';
import { noted } from '../import/archive/reports.ts';
import { carriedTexts } from '../import/carried.ts';
import type { BackgroundTask } from './background-task.ts';

type ArchiveInput = { file: string; version: string | null; choice: ArchiveChoice; toolVersion: string };
export const archive: BackgroundTask<ArchiveInput, WrittenArchive> = async (workspace, input, tools) => {
  const { file, version: dataset, choice, toolVersion: version } = input;
  const carried = (recording: string) => carriedTexts(workspace, recording);
  const recordings = await chosenRecordings(workspace, choice);
  const options = { ...tools, recordings, dataset, version, carried, voice: choice.voice };
  return noted(
    workspace,
    { kind: 'made', file },
    () => exportArchive(workspace, file, options),
    (made) => ({
      recordings: made.recordings.length,
      version: made.dataset,
      bytes: made.bytes,
      resumed: made.resumed,
      notes: made.leftOut,
    }),
  );
};
