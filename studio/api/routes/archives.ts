import { bytesInWords, plural } from '../../../core/words.ts';
import { checkChoice } from '../../import/archive/chosen.ts';
import type { OnFork } from '../../import/archive/newer.ts';
import { archiveReports, suggestArchive } from '../../import/archive/reports.ts';
import type { Asker } from '../../play/agreed.ts';
import { broughtLines } from '../../play/consent.ts';
import { wantsKeyframes } from '../../recordings/finish.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { prepare } from '../../session/recorder/prepare.ts';
import type { Work } from '../../store/jobs/queue.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import { askerIn } from '../asker.ts';
import { api, askedBy, tell } from './base.ts';

/** Archives to share: studio/import/archive does the work, here it becomes jobs. */
export const archiveRoutes = {
  archives: {
    suggest: api.archives.suggest.handler(async ({ context, input: { ws, version } }) => ({
      out: await suggestArchive((await context.workspaces.get(ws)).workspace, version),
    })),
    make: api.archives.make.handler(async ({ context, input }) => {
      const { ws, out, version, ...choice } = input;
      const open = await context.workspaces.get(ws);
      const file = context.path(out, 'out');
      checkChoice(version, choice);
      const work: Work = async (tools) => {
        const made = await open.background.run(
          'archive',
          { file, version, choice, toolVersion: context.version },
          { ...tools, alone: true },
        );
        return { message: `Wrote ${made.out} (${bytesInWords(made.bytes)})`, result: made };
      };
      return open.jobs.add('archive', file, work, askedBy(context, 'archives.make', { ...input, out: file }));
    }),
    take: api.archives.take.handler(async ({ context, input }) => {
      const { ws, path, versionAs, onFork } = input;
      const open = await context.workspaces.get(ws);
      const file = context.path(path, 'path');
      const wishes = { file, versionAs, onFork, asker: askerIn(context, undefined) };
      const work: Work = (tools) => takeUploadedArchive(open, wishes, tools);
      return open.jobs.add('import', file, work, askedBy(context, 'archives.take', { ...input, path: file }));
    }),
    list: api.archives.list.handler(async ({ context, input }) =>
      archiveReports((await context.workspaces.get(input.ws)).workspace),
    ),
  },
};

type ArrivingArchive = {
  file: string;
  versionAs?: string | undefined;
  onFork?: OnFork | undefined;
  /** See ArchiveImportOptions. */
  cameWhole?: boolean | undefined;
  asker: Asker;
};
type Arrived = {
  message: string;
  /** Came, and were here already; of those, whose work went on differently here. */
  recordings: string[];
  known: string[];
  forked: string[];
  warnings: string[];
};

/** The work of an import, whichever page began it; gives what came, in words. */
export async function takeUploadedArchive(
  open: OpenWorkspace,
  arriving: ArrivingArchive,
  tools: Parameters<Work>[0],
): Promise<{ message: string; recordings: string[] }> {
  const { message, recordings } = await takeArriving(open, arriving, tools);
  return { message, recordings };
}

/** The same with all that is known of it. */
export async function takeArriving(
  open: OpenWorkspace,
  { asker, ...arriving }: ArrivingArchive,
  tools: Parameters<Work>[0],
): Promise<Arrived> {
  const { workspace, background } = open;
  const taken = await background.run('takeArchive', arriving, { ...tools, alone: true });
  const { recordings, dataset, known, warnings, setUp } = taken;
  for (const id of recordings) open.annotated.publish(id);
  tell(open, 'recordings', 'tasks', 'software', 'people');
  for (const id of recordings) await finishImport(open, await workspace.getRecording(id), asker.person ?? undefined);
  const version = dataset ? [`the version ${dataset.name}${dataset.known ? ' was here already' : ''}`] : [];
  const { continued } = taken.newer;
  for (const id of continued) open.annotated.publish(id);
  const went = continued.length > 0 ? [`${continued.length} go on as the archive says`] : [];
  const here = [...(known.length > 0 ? [`${known.length} were here already`] : []), ...went];
  const brought = await broughtLines(workspace, setUp, asker);
  const programs = brought.length > 0 ? [`not run before you agree: ${brought.join(' ')}`] : [];
  const came = `Imported ${plural(recordings.length, 'recording')}`;
  const message = [came, ...version, ...here, ...warnings, ...programs].join('; ');
  const forked = taken.newer.forked.map(({ recording }) => recording);
  return { message, recordings: [...recordings], known: [...known], forked, warnings: [...warnings] };
}

/** Pictures that it has not brought are made, in a job of their own. */
export async function finishImport(open: OpenWorkspace, { id, folder }: RecordingEntry, turn?: string): Promise<void> {
  if (wantsKeyframes(folder)) await prepare(open, id, folder, turn);
  else await open.begin(id);
}
