import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import type { OpenedRecording } from '../../../schemas/api/models.ts';
import { isArchive } from '../../import/archive/read-archive.ts';
import { carriedAlone } from '../../import/carried.ts';
import { exportRecording } from '../../import/export-recording.ts';
import { importAny } from '../../import/import-any.ts';
import { typedPath } from '../../library/recent.ts';
import { toRecordingRow, trashRecording } from '../../library/recordings.ts';
import { maskedRows } from '../../review/mask.ts';
import type { Studio } from '../studio.ts';
import { finishImport, takeArchive } from './archives.ts';
import { api, OK, safely, tell } from './base.ts';

/** A recording as this person may see it: while work is blind, nothing of others' is told. */
export async function openedFor(
  studio: Studio,
  { ws, recording, person }: { ws: string; recording: string; person?: string | undefined },
): Promise<OpenedRecording> {
  const { documents, reviews } = await studio.workspaces.get(ws);
  const opened = await documents.openRecording(recording);
  return { ...opened, row: { ...opened.row, ...(await reviews.maskOf(person)).get(opened.row.id) } };
}

/** Recordings of a workspace, and the long work on them. */
export const recordingRoutes = {
  recordings: {
    list: api.recordings.list.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      await open.refresh();
      const rows = (await open.workspace.indexedRecordings()).map(toRecordingRow);
      return maskedRows(rows, await open.reviews.maskOf(input.person));
    }),
    open: api.recordings.open.handler(({ context, input }) => openedFor(context, input)),
    import: api.recordings.import.handler(async ({ context, input: { ws, path, wishes = {} } }) => {
      const open = await context.workspaces.get(ws);
      const source = typedPath(path, 'path');
      const transcript = wishes.transcript && typedPath(wishes.transcript, 'transcript');
      return open.jobs.add('import', source, async (tools) => {
        const { workspace, documents } = open;
        const changed = (): void => tell(open, 'recordings', 'tasks', 'software', 'people');
        if (await isArchive(source)) return takeArchive(open, source, undefined, tools);
        const { version } = context;
        const options = { ...wishes, ...tools, transcript, version, documents, ffmpeg: () => findFfmpeg() };
        const { imported, known } = await importAny(workspace, source, options);
        changed();
        for (const { entry } of imported) await finishImport(open, entry);
        const here = known.length > 0 ? [`${known.length} were here already`] : [];
        const ids = imported.map(({ entry }) => entry.id).join(', ');
        return [`Imported ${ids || 'nothing new'}`, ...here, ...imported.flatMap(({ warnings }) => warnings)].join(
          '; ',
        );
      });
    }),
    export: api.recordings.export.handler(async ({ context, input: { ws, recording, out } }) => {
      const open = await context.workspaces.get(ws);
      const target = typedPath(out, 'out');
      await open.workspace.getRecording(recording);
      return open.jobs.add('export', recording, async (tools) => {
        const carried = await carriedAlone(open.workspace, recording);
        const { bytes } = await exportRecording(open.workspace, recording, target, { ...tools, carried });
        return `Wrote ${target} (${(bytes / 1e6).toFixed(1)} MB)`;
      });
    }),
    remove: api.recordings.remove.handler(async ({ context, input: { ws, recording } }) => {
      const open = await context.workspaces.get(ws);
      await trashRecording(open.workspace, recording);
      tell(open, 'recordings', 'tasks');
      return OK;
    }),
    watch: api.recordings.watch.handler(async ({ context, input, signal }) => {
      const open = await context.workspaces.get(input.ws);
      return safely(open.changes.subscribe(signal));
    }),
  },
  jobs: {
    list: api.jobs.list.handler(async ({ context, input }) => (await context.workspaces.get(input.ws)).jobs.list()),
    cancel: api.jobs.cancel.handler(async ({ context, input: { ws, job } }) => {
      await (await context.workspaces.get(ws)).jobs.cancel(job);
      return OK;
    }),
    failure: api.jobs.failure.handler(async ({ context, input: { ws, job } }) =>
      (await context.workspaces.get(ws)).jobs.failure(job),
    ),
    watch: api.jobs.watch.handler(async ({ context, input, signal }) =>
      safely((await context.workspaces.get(input.ws)).jobs.watch(signal)),
    ),
  },
};
