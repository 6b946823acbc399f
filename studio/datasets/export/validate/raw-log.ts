import { z } from 'zod';
import { whyNot } from '../../../../schemas/errors.ts';
import { wholeText } from './bounds.ts';
import type { Report } from './problems.ts';
import { checkTitle, proofWord } from './rows.ts';

const FOLDER = 'videogui-raw';
const STAMP = /^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d-\d{6}$/;

const taskLog = z.object({
  task_id: z.string(),
  task: z.string(),
  kind: z.enum(['full', 'simple']),
  source: z.string().nullable(),
  answer: z.string().nullable(),
  proof: proofWord,
  query: z.object({ start: z.string().nullable(), end: z.string().nullable() }),
  files: z.array(z.object({ role: z.string(), file: z.string() })),
  subtasks: z.array(z.object({ subtask_id: z.int(), title: z.string().nullable() })),
});

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
  const tasks = new Set([...folders].map((folder) => folder.replace(/keylog\/[^/]+\/$/, '')));
  for (const folder of tasks) await checkTask(dir, folder, present, report);
  for (const folder of folders) {
    const [, , task, , stamp] = folder.split('/');
    const file = `${folder}${stamp}_full.json`;
    if (!STAMP.test(stamp!)) report('RAW_BAD', folder, '', `"${stamp}" is not of the form 2024-05-01_09-30-00-125000`);
    if (!present.has(file)) {
      report('RAW_BAD', file, '', 'the log of the recording is not there');
      continue;
    }
    try {
      const log = fullLog.parse(JSON.parse(wholeText(dir, file)));
      if (log.task_id !== task) report('TASK_ID', file, '', `the folder is ${task}, the log says ${log.task_id}`);
      for (const { index, screenshot } of log.actions) {
        if (screenshot && !present.has(folder + screenshot)) {
          report('IMAGE_MISSING', file, `action ${index}`, `${screenshot} is not there`);
        }
      }
    } catch (error) {
      report('RAW_BAD', file, '', whyNot(error));
    }
  }
  if (folders.size === 0) report('RAW_BAD', FOLDER, '', 'there is no recording in it');
  return folders.size;
}

/** task.json beside keylog: the task as a whole, and every file that it names. */
async function checkTask(dir: string, folder: string, present: ReadonlySet<string>, report: Report): Promise<void> {
  const file = `${folder}task.json`;
  if (!present.has(file)) {
    report('RAW_BAD', file, '', 'what is known of the task is not there');
    return;
  }
  try {
    const log = taskLog.parse(JSON.parse(wholeText(dir, file)));
    if (log.task_id !== folder.split('/').at(-2)) report('TASK_ID', file, '', `it is of the task ${log.task_id}`);
    for (const name of [log.query.start, log.query.end, ...log.files.map((one) => one.file)]) {
      if (name !== null && !present.has(folder + name)) report('MEDIA_MISSING', file, '', `${name} is not there`);
    }
    for (const { title } of log.subtasks) {
      if (title !== null) checkTitle(title, log.task, (code, message) => report(code, file, '', message));
    }
  } catch (error) {
    report('RAW_BAD', file, '', whyNot(error));
  }
}
