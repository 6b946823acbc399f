import { annotationText, takeAnnotation } from '../../import/annotation-file.ts';
import { exportRecording } from '../../import/export-recording.ts';
import { importRecording } from '../../import/import-recording.ts';
import { typedPath } from '../../library/recent.ts';
import { toRecordingRow, trashRecording } from '../../library/recordings.ts';
import { wantsKeyframes } from '../../recorder/finish.ts';
import { prepare } from '../studio.ts';
import { api, OK, safely, tell } from './base.ts';

/** Recordings of a workspace, and the long work on them. */
export const recordingRoutes = {
  recordings: {
    list: api.recordings.list.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      await open.refresh();
      return (await open.workspace.indexedRecordings()).map(toRecordingRow);
    }),
    open: api.recordings.open.handler(async ({ context, input: { ws, recording } }) => {
      const open = await context.workspaces.get(ws);
      return open.documents.openRecording(recording);
    }),
    setState: api.recordings.setState.handler(async ({ context, input: { ws, recording, state } }) => {
      const open = await context.workspaces.get(ws);
      await open.workspace.setRecordingState(recording, state);
      tell(open, 'recordings', 'tasks');
      return toRecordingRow(await open.workspace.getRecording(recording));
    }),
    import: api.recordings.import.handler(async ({ context, input: { ws, path } }) => {
      const open = await context.workspaces.get(ws);
      const source = typedPath(path, 'path');
      return open.jobs.add('import', source, async (tools) => {
        const { entry, warnings } = await importRecording(open.workspace, source, tools);
        tell(open, 'recordings', 'tasks', 'software', 'people');
        const odd = await takeAnnotation(open.documents, entry.id, entry.folder);
        if (wantsKeyframes(entry.folder)) await prepare(open, entry.id, entry.folder);
        else await open.begin(entry.id);
        return [`Imported ${entry.id}`, ...warnings, ...(odd === null ? [] : [odd])].join('; ');
      });
    }),
    export: api.recordings.export.handler(async ({ context, input: { ws, recording, out } }) => {
      const open = await context.workspaces.get(ws);
      const target = typedPath(out, 'out');
      await open.workspace.getRecording(recording);
      return open.jobs.add('export', recording, async (tools) => {
        const annotation = await annotationText(open.documents, recording);
        const { bytes } = await exportRecording(open.workspace, recording, target, { ...tools, annotation });
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
    watch: api.jobs.watch.handler(async ({ context, input, signal }) =>
      safely((await context.workspaces.get(input.ws)).jobs.watch(signal)),
    ),
  },
};
