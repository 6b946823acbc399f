import { oc } from '@orpc/contract';
import { z } from 'zod';
import { knownVersionNameSchema, versionNameSchema } from '../dataset.ts';
import { commandField, commandForm, commandList } from './command.ts';
import { jobSchema, recordingStateSchema } from './models.ts';

/** Archives: a workspace, or a frozen version of its data set, as one file to share. */

const ws = z.object({ ws: z.string() });
const at = (path: string) => `/workspaces/{ws}/archives${path}` as const;

/** The fate of an archive that was made or taken here. */
export const archiveReportSchema = z.object({
  at: z.iso.datetime(),
  kind: z.enum(['made', 'taken']),
  file: z.string(),
  /** The frozen version in it, as it is called here. */
  version: z.string().nullable(),
  /** The version was here already, with the same hash. */
  versionKnown: z.boolean(),
  /** How many went out or came. */
  recordings: z.int(),
  /** Were here already, and stay as they are. */
  known: z.int(),
  bytes: z.int().nullable(),
  /** Bytes that an earlier, interrupted run had brought. */
  resumed: z.int(),
  /** Work that went on differently here and there, with the lines that each has alone, and what was done; absent in older reports. */
  forked: z
    .array(
      z.object({
        recording: z.string(),
        here: z.int(),
        there: z.int(),
        did: z.enum(['kept', 'taken', 'merged', 'before']),
      }),
    )
    .optional(),
  /** Notes on everything that was left out or did not fit; the first 200. */
  notes: z.array(z.string()),
  noteCount: z.int(),
  /** Why it was refused or stopped; null when it is done. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type ArchiveReport = z.infer<typeof archiveReportSchema>;

export const archivesContract = {
  /** A file that is not there yet; one that was interrupted is proposed again, so that it goes on. */
  suggest: oc
    .route({ method: 'GET', path: at('/suggest'), summary: 'A file for a new archive' })
    .input(ws.extend({ version: knownVersionNameSchema.optional() }))
    .output(z.object({ out: z.string() })),
  /** Stopped, the same call goes on. `version`: of that frozen version alone; else everything, or what is chosen. */
  make: oc
    .route({ method: 'POST', path: at(''), summary: 'Make an archive; a job' })
    .input(
      ws.extend({
        out: z.string().min(1).max(4000),
        version: knownVersionNameSchema.nullable(),
        /** Only these, by their ids or the beginnings of them; only those in this state. */
        recordings: z.array(z.string().min(1)).min(1, 'it names none').optional(),
        state: recordingStateSchema.optional(),
        /** With what people said while recording. Absent: without. */
        voice: z.boolean().optional(),
      }),
    )
    .output(jobSchema),
  take: oc
    .route({ method: 'POST', path: at('/import'), summary: 'Import an archive; a job' })
    .input(
      ws.extend({
        path: z.string().min(1).max(4000),
        versionAs: versionNameSchema.optional(),
        /** What becomes of work that went on differently here and there; default: the work here stays. */
        onFork: z.enum(['ours', 'theirs', 'merge']).optional(),
      }),
    )
    .output(jobSchema),
  list: oc
    .route({ method: 'GET', path: at(''), summary: 'The last archives that were made and imported, the newest first' })
    .input(ws)
    .output(z.array(archiveReportSchema)),
};

const { out, recordings, state, version, voice } = archivesContract.make['~orpc'].inputSchema!.shape;

/** `archive` on the command line where it is not one call as it is. */
export const archiveForms = {
  export: commandForm(
    'archive export',
    'write an archive; if it was stopped, the same command continues',
    [
      ['archive export --workspace W --out team.tar', 'everything: recordings, annotation, tasks and their files'],
      ['archive export --workspace W --out done.tar --state approved', 'what was approved, with its tasks'],
      ['archive export --workspace W --out v1.tar --version v1.0', 'what `dataset freeze --name v1.0` froze'],
    ],
    {
      out: commandField(out, 'the archive to write', '--out <file.tar>'),
      recordings: commandList(
        recordings,
        'only these, separated by commas; an id may be shortened',
        '--recordings <ids>',
      ),
      voice: commandField(voice, 'with what people said while recording, which is left out otherwise'),
      state: commandField(state, 'only those of this state', '--state <state>'),
      version: commandField(
        version.unwrap(),
        'a frozen version, with exactly what it needs',
        '--version <name>',
      ).optional(),
    },
  ),
};
