import { z } from 'zod';
import { TASK_KINDS } from './task-terms.ts';

/** `simple`: one subtask by itself, without a high-level plan (videogui.txt 3.1). */
export const taskKindSchema = z.enum(TASK_KINDS);

/** The purpose of a file that is kept with a task. */
export const attachmentRoleSchema = z.enum([
  'material',
  'project',
  'result',
  'query-start',
  'query-end',
  'source-video',
  'transcript',
  'recipe',
  'checks',
]);
