import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { importWishesSchema } from '../import.ts';
import { command, commandField, commandForm } from './command.ts';
import { jobSchema, openedRecordingSchema, recordingNowSchema, recordingRowSchema } from './models.ts';

/** The recordings of a workspace, and the long work on them. */

const ws = z.object({ ws: z.string() });
const ofRecording = ws.extend({ recording: z.string() });
/** The person who asks: what is kept from them while they annotate blind is left out. */
const asker = z.string().min(1).optional();

/** What of a workspace changed: ask for it again. `job`: the one that changed, as it is now; without it any may have. */
const workspaceChangeSchema = z.object({
  what: z.enum(['tasks', 'recordings', 'software', 'people', 'compositions', 'runs', 'jobs']),
  job: jobSchema.optional(),
});
export type WorkspaceChange = z.infer<typeof workspaceChangeSchema>;

export const recordingsContract = {
  list: oc
    .route({ method: 'GET', path: '/workspaces/{ws}/recordings', summary: 'Every recording' })
    .input(ws.extend({ person: asker }))
    .output(z.array(recordingRowSchema)),
  /** For people, who type the beginning of an id. Throws UNKNOWN_RECORDING, AMBIGUOUS_ID. */
  find: oc
    .route({
      method: 'GET',
      path: '/workspaces/{ws}/recordings/{recording}/id',
      summary: 'The recording whose id begins so',
    })
    .input(ofRecording)
    .output(z.object({ id: z.string() })),
  open: oc
    .route({ method: 'GET', path: '/workspaces/{ws}/recordings/{recording}', summary: 'Steps, frames and geometry' })
    .input(ofRecording.extend({ person: asker }))
    .output(openedRecordingSchema),
  /** The part of `open` that may change while the raw files stay; pages read the rest as a file, page.json. */
  now: oc
    .route({
      method: 'GET',
      path: '/workspaces/{ws}/recordings/{recording}/now',
      summary: 'A recording’s row, and whether its videos are there',
    })
    .input(ofRecording.extend({ person: asker }))
    .output(recordingNowSchema),
  /** Anything on this machine that can be imported: ours, a workspace archive, what other tools recorded; a job. */
  import: oc
    .route({
      method: 'POST',
      path: '/workspaces/{ws}/recordings/import',
      summary: 'Import a recording, an archive, a video, or what another tool recorded',
    })
    .input(ws.extend({ path: z.string().min(1), wishes: importWishesSchema.optional() }))
    .output(jobSchema),
  /** Writes a folder copy (or .tar when `out` ends so); a job. */
  export: oc
    .route({
      method: 'POST',
      path: '/workspaces/{ws}/recordings/{recording}/export',
      summary: 'Export one recording',
    })
    .input(
      ofRecording.extend({
        out: z.string().min(1),
        /** With what the person said while recording. Absent: without. */
        voice: z.boolean().optional(),
      }),
    )
    .output(jobSchema),
  /** Makes its keyframes and its playback copy where they are missing, also after an attempt that ended the program; a job. */
  prepare: oc
    .route({
      method: 'POST',
      path: '/workspaces/{ws}/recordings/{recording}/prepare',
      summary: 'Make the pictures of a recording',
    })
    .input(ofRecording)
    .output(jobSchema),
  /** Moves the folder to the workspace's trash/. */
  remove: command('recordings remove <id:recording>', "move a recording to the workspace's trash/", [
    ['recordings remove 2026 --workspace W', 'one that is not wanted'],
  ])
    .route({
      method: 'DELETE',
      path: '/workspaces/{ws}/recordings/{recording}',
      summary: 'Move a recording to the trash',
    })
    .input(ofRecording)
    /** Where it lies now. */
    .output(z.object({ ok: z.literal(true), trash: z.string() })),
  /** The last one of this id in trash/, with everything that was said of it. */
  restore: oc
    .route({
      method: 'POST',
      path: '/workspaces/{ws}/recordings/{recording}/restore',
      summary: 'Move a recording back from the trash',
    })
    .input(ofRecording)
    .output(z.object({ ok: z.literal(true) })),
  /** It never holds what is being typed or clicked. */
  watch: oc
    .route({ method: 'GET', path: '/workspaces/{ws}/changes', summary: 'Library changes as they happen' })
    .input(ws)
    .output(eventIterator(workspaceChangeSchema)),
};

const { recording, out, voice } = recordingsContract.export['~orpc'].inputSchema!.shape;

/** `recordings` on the command line where it is not one call as it is. */
export const recordingForms = {
  export: commandForm(
    'recordings export <id:recording>',
    'write a recording as a folder, or as a .tar',
    [['recordings export 2026 --out take.tar --workspace W', 'for another machine']],
    {
      recording,
      out: commandField(out, 'the folder or .tar to write; it must not exist yet', '--out <path>'),
      voice: commandField(voice, 'with what you said while recording, which is left out otherwise'),
    },
  ),
  restore: commandForm(
    'recordings restore <id>',
    "move a recording back from the workspace's trash/, with its annotation and reviews",
    [['recordings restore 20260504-1020-gimp-1-3f2a --workspace W', 'by its whole id']],
    { id: recording },
  ),
};
