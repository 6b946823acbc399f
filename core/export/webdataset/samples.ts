import type { WebdatasetSample } from '../../../schemas/export-grounding.ts';
import { imagefolderLines } from '../grounding/imagefolder.ts';
import type { ExportTask, LeftOut, PictureRef } from '../model.ts';

/** A step as a sample of a WebDataset: files of one key in a .tar, each known by what follows the key. */
export type StepSample = {
  key: string;
  sample: WebdatasetSample;
  before: PictureRef;
  /** With `withAfter` alone. */
  after: PictureRef | null;
};

/**
 * The steps of a task as samples, in their order, with what imagefolder says of each. `withAfter`: steps without a picture of the
 * screen after are left out, since a reader wants the same files in every sample.
 */
export function webdatasetSamples(task: ExportTask, withAfter: boolean): { samples: StepSample[]; leftOut: LeftOut[] } {
  const { lines, pictures, leftOut } = imagefolderLines(task, withAfter, 'webdataset');
  const byName = new Map(pictures.map(({ name, picture }) => [`images/${name}`, picture]));
  const samples = lines.map(({ file_name, after_file_name, ...sample }) => ({
    // No dot: the first one ends the key.
    key: `${task.id}_${sample.subtask_id}_${sample.action_id}`,
    sample,
    before: byName.get(file_name)!, // Named by these very lines.
    after: after_file_name === undefined ? null : byName.get(after_file_name)!,
  }));
  return { samples, leftOut };
}
