import { join } from 'node:path';
import { splitSchema, tagSchema } from '../../schemas/dataset.ts';
import { type CurationFile, curationFileSchema } from '../../schemas/history.ts';
import { assignSplits, tagRecordings } from '../datasets/tags.ts';
import { splitOfRecording, splitOfTask, tagsOf } from '../store/curation.ts';
import type { Workspace } from '../store/workspace.ts';
import { LIMITS } from './limits.ts';
import { readBoundedJson } from './lines.ts';

/** In a recording that was exported alone: its tags and the split of its task. */
export const CURATION_FILE = 'curation.json';

/** The file's text; null when it would say nothing. */
export async function curationText({ store }: Pick<Workspace, 'store'>, recording: string): Promise<string | null> {
  const tags = await tagsOf(store, recording);
  const split = await splitOfRecording(store, recording);
  if (tags.length === 0 && split === null) return null;
  const file: CurationFile = {
    schema: 'trajectory-studio/curation',
    version: 1,
    recording,
    tags,
    split,
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/**
 * Takes what came; taking it twice is as taking it once. A task that has a split here keeps it, so that no recording of it
 * moves; what is no tag or split here is left out. Gives what did not fit. Throws BAD_FILE.
 */
export async function takeCuration(workspace: Workspace, recording: string, folder: string): Promise<string[]> {
  const { tags, split } = readBoundedJson(join(folder, CURATION_FILE), curationFileSchema, LIMITS);
  const add = tags.filter((tag) => tagSchema.safeParse(tag).success);
  if (add.length > 0) await tagRecordings(workspace, { recordings: [recording], add, remove: [] });
  return split === null ? [] : takeSplit(workspace, recording, split);
}

async function takeSplit(workspace: Workspace, recording: string, split: string): Promise<string[]> {
  const { task } = await workspace.getRecording(recording);
  const here = await splitOfTask(workspace.store, task);
  if (here === split) return [];
  if (here !== null) return [`task ${task} stands in the split "${here}" here and stays there, not in "${split}"`];
  if (!splitSchema.safeParse(split).success) return [`"${split}" is no name of a split: it was left out`];
  await assignSplits(workspace, [{ task, split }], 'hand');
  return [];
}
