import type { ExportTask, MediaRef, TaskFile } from '../../core/export/model.ts';
import type { FrozenTask } from '../../schemas/frozen-task.ts';
import { attachmentRoleSchema } from '../../schemas/task.ts';
import { attachmentPlace, listAllAttachments } from '../store/attachments.ts';
import type { Store } from '../store/store.ts';
import { listBriefs } from '../store/tasks.ts';

/** The content of a task beside its recordings, as a data set keeps it: `file` is inside the workspace, with `/`. */
export type TaskBrief = Omit<FrozenTask, 'files'> & { files: Omit<FrozenTask['files'][number], 'sha256'>[] };

/** Every task's content by its id. Two plain queries, whatever their number. */
export async function readBriefs(store: Store): Promise<Map<string, TaskBrief>> {
  const tasks = await listBriefs(store);
  const briefs = new Map(
    tasks.map(({ id, kind, answer, source_url: source, platform, category }): [string, TaskBrief] => [
      id,
      { kind, answer, source, platform, category, files: [] },
    ]),
  );
  const rows = await listAllAttachments(store, 'age');
  for (const { id, task_id, role, name, file, mime, bytes } of rows) {
    briefs
      .get(task_id)
      ?.files.push({ id, role: attachmentRoleSchema.parse(role), name, file, mime, bytes: Number(bytes) });
  }
  return briefs;
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
  'video/webm': '.webm',
  'video/x-matroska': '.mkv',
  'video/ogg': '.ogv',
};

type QueryRole = 'query-start' | 'query-end';

/**
 * A task's files as an export takes them, `dir` being the workspace. The newest file for the beginning and for the end is the
 * visual query, as it was given; older ones go along as the others do. An end without a beginning stands alone (K3). Throws
 * BAD_FILE for what is no file of attachments/.
 */
export function filesOf(
  { files }: Pick<TaskBrief, 'files'>,
  dir: string,
): { query: Record<'start' | 'end', MediaRef | null>; files: TaskFile[] } {
  // An archive may call any file so; only a picture or a video shows anything, and the rest goes along as it is.
  const chosen = (role: QueryRole) =>
    files.findLast((file) => file.role === role && Object.hasOwn(ENDINGS, file.mime)) ?? null;
  const [start, end] = [chosen('query-start'), chosen('query-end')];
  // The database may be somebody else's: a plain file of attachments/, and nothing else of this machine.
  const path = (file: string): string => attachmentPlace({ dir }, file);
  const media = (file: typeof start): MediaRef | null =>
    file && { path: path(file.file), given: { ending: ENDINGS[file.mime] ?? '' } };
  return {
    query: { start: media(start), end: media(end) },
    files: files
      .filter((file) => file !== start && file !== end)
      .map(({ file, name, role }): TaskFile => ({ path: path(file), name, role })),
  };
}

/** The facts of a whole task in an export. */
export const heldBy = (brief: TaskBrief | null): Pick<ExportTask, 'kind' | 'answer' | 'source' | 'platformWords'> => ({
  kind: brief?.kind ?? 'full',
  answer: brief?.answer.trim() || null,
  source: brief?.source.trim() || null,
  platformWords: brief?.platform.trim() ?? '',
});
