import { bytesInWords } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { isArchive } from '../../import/archive/read-archive.ts';
import { carriedAlone } from '../../import/carried.ts';
import { exportRecording } from '../../import/export-recording.ts';
import type { Imported } from '../../import/land.ts';
import { saidOfImport } from '../../import/said.ts';
import { makeLeftCopy, prepare } from '../../session/recorder/prepare.ts';
import { restoreRecording, trashRecording } from '../../session/recordings.ts';
import type { Work } from '../../store/jobs/queue.ts';
import { askerIn } from '../asker.ts';
import { finishImport, takeUploadedArchive } from './archives.ts';
import { api, askedBy, OK, safely, tell, turnOf } from './base.ts';
import { findRoutes } from './find.ts';

/** An archive says of each of its recordings what it is. Throws USAGE rather than to ignore what was asked for. */
function refuseWishes(source: string, wishes: object): void {
  if (Object.values(wishes).every((wish) => wish === undefined || wish === '')) return;
  throw new StudioError(
    'USAGE',
    `${source} is an archive of a workspace, which brings the software, tasks and people of its recordings. Leave these fields empty, and change the tasks afterwards.`,
    {},
  );
}

/** Recordings of a workspace, and the long work on them. */
export const recordingRoutes = {
  recordings: {
    list: api.recordings.list.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      await open.refresh();
      return open.as(input.person).recordings.list();
    }),
    find: findRoutes.recordings.find,
    open: api.recordings.open.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).as(person).recordings.open(recording),
    ),
    now: api.recordings.now.handler(async ({ context, input: { ws, recording, person } }) => {
      const open = await context.workspaces.get(ws);
      const now = await open.as(person).recordings.now(recording);
      void makeLeftCopy(open, recording);
      return now;
    }),
    import: api.recordings.import.handler(async ({ context, input: given }) => {
      const { ws, path, wishes = {} } = given;
      const open = await context.workspaces.get(ws);
      const source = context.path(path, 'path');
      const transcript = wishes.transcript && context.path(wishes.transcript, 'transcript');
      const work: Work = async (tools) => {
        if (await isArchive(source)) {
          refuseWishes(source, wishes);
          return takeUploadedArchive(open, { file: source, asker: askerIn(context, undefined) }, tools);
        }
        const input = { path: source, wishes: { ...wishes, transcript, version: context.version } };
        const { imported, known } = await open.background.run('importOne', input, { ...tools, alone: true });
        tell(open, 'recordings', 'tasks', 'software', 'people');
        const made: Imported[] = [];
        for (const { id, warnings } of imported) {
          open.annotated.publish(id);
          const entry = await open.workspace.getRecording(id);
          await finishImport(open, entry, turnOf(context));
          made.push({ entry, warnings });
        }
        return { message: saidOfImport(made, known), recordings: made.map(({ entry }) => entry.id) };
      };
      const again = { ...given, path: source, ...(given.wishes && { wishes: { ...wishes, transcript } }) };
      return open.jobs.add('import', source, work, askedBy(context, 'recordings.import', again));
    }),
    export: api.recordings.export.handler(async ({ context, input }) => {
      const { ws, recording, out, voice } = input;
      const open = await context.workspaces.get(ws);
      const target = context.path(out, 'out');
      await open.workspace.getRecording(recording);
      const work: Work = async (tools) => {
        const carried = await carriedAlone(open.workspace, recording);
        const written = await exportRecording(open.workspace, recording, target, { ...tools, carried, voice });
        const message = `Wrote ${target} (${bytesInWords(written.bytes)})`;
        return { message, result: { recording, ...written } };
      };
      return open.jobs.add('export', recording, work, askedBy(context, 'recordings.export', { ...input, out: target }));
    }),
    prepare: api.recordings.prepare.handler(async ({ context, input: { ws, recording } }) => {
      const open = await context.workspaces.get(ws);
      const { folder } = await open.workspace.getRecording(recording);
      return prepare(open, recording, folder, turnOf(context));
    }),
    remove: api.recordings.remove.handler(async ({ context, input: { ws, recording } }) => {
      const open = await context.workspaces.get(ws);
      const { trash } = await trashRecording(open.workspace, recording);
      tell(open, 'recordings', 'tasks');
      return { ...OK, trash };
    }),
    restore: api.recordings.restore.handler(async ({ context, input: { ws, recording } }) => {
      const open = await context.workspaces.get(ws);
      await restoreRecording(open.workspace, recording);
      tell(open, 'recordings', 'tasks');
      return OK;
    }),
    watch: api.recordings.watch.handler(async ({ context, input, signal }) => {
      const open = await context.workspaces.get(input.ws);
      return safely(open.changes.subscribe(signal));
    }),
  },
};
