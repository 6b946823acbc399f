import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, type Report } from './problems.ts';

const FOLDER = 'videogui-raw';
const STAMP = /^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d-\d{6}$/;

const fullLog = z.object({
  task_id: z.string(),
  started_at: z.string(),
  actions: z.array(z.object({ index: z.int(), action_type: z.string(), screenshot: z.string().nullable() })),
});

/** Checks each recording of the raw log: its folder's name, its `…_full.json`, and the screenshots that this names. */
export async function checkRawLog(dir: string, found: readonly string[], report: Report): Promise<number> {
  const present = new Set(found);
  const folders = new Set<string>();
  for (const name of found) {
    const match = /^videogui-raw\/[^/]+\/([^/]+)\/keylog\/([^/]+)\//.exec(name);
    if (match) folders.add(match[0]);
  }
  for (const folder of folders) {
    const [, , task, , stamp] = folder.split('/');
    const file = `${folder}${stamp}_full.json`;
    if (!STAMP.test(stamp!)) report('RAW_BAD', folder, '', `"${stamp}" is not of the form 2024-05-01_09-30-00-125000`);
    if (!present.has(file)) {
      report('RAW_BAD', file, '', 'the log of the recording is not there');
      continue;
    }
    try {
      const log = fullLog.parse(JSON.parse(await readFile(path.join(dir, file), 'utf8')));
      if (log.task_id !== task) report('TASK_ID', file, '', `the folder is ${task}, the log says ${log.task_id}`);
      for (const { index, screenshot } of log.actions) {
        if (screenshot && !present.has(folder + screenshot)) {
          report('IMAGE_MISSING', file, `action ${index}`, `${screenshot} is not there`);
        }
      }
    } catch (error) {
      report('RAW_BAD', file, '', messageOf(error));
    }
  }
  if (folders.size === 0) report('RAW_BAD', FOLDER, '', 'there is no recording in it');
  return folders.size;
}
