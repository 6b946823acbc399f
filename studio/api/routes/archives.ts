import { exportArchive } from '../../import/archive/export-archive.ts';
import { importArchive } from '../../import/archive/import-archive.ts';
import { archiveReports, noted, suggestArchive } from '../../import/archive/reports.ts';
import { carriedTexts } from '../../import/carried.ts';
import type { Work } from '../../jobs/queue.ts';
import type { OpenWorkspace } from '../../library/open-workspace.ts';
import { typedPath } from '../../library/recent.ts';
import { wantsKeyframes } from '../../recorder/finish.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import { prepare } from '../studio.ts';
import { api, tell } from './base.ts';

/** Archives to share: studio/import/archive does the work, here it becomes jobs. */
export const archiveRoutes = {
  archives: {
    suggest: api.archives.suggest.handler(async ({ context, input: { ws, version } }) => ({
      out: suggestArchive((await context.workspaces.get(ws)).workspace, version),
    })),
    make: api.archives.make.handler(async ({ context, input: { ws, out, version } }) => {
      const open = await context.workspaces.get(ws);
      const { workspace } = open;
      const file = typedPath(out, 'out');
      return open.jobs.add('archive', file, async (tools) => {
        const options = {
          ...tools,
          recordings: null,
          dataset: version,
          version: context.version,
          carried: (recording: string) => carriedTexts(workspace, recording),
        };
        const made = await noted(
          workspace,
          { kind: 'made', file },
          () => exportArchive(workspace, file, options),
          ({ recordings, dataset, bytes, resumed, leftOut }) => ({
            recordings: recordings.length,
            version: dataset,
            bytes,
            resumed,
            notes: leftOut,
          }),
        );
        return `Wrote ${made.out} (${(made.bytes / 1e6).toFixed(1)} MB)`;
      });
    }),
    take: api.archives.take.handler(async ({ context, input: { ws, path, versionAs } }) => {
      const open = await context.workspaces.get(ws);
      const file = typedPath(path, 'path');
      return open.jobs.add('import', file, (tools) => takeArchive(open, file, versionAs, tools));
    }),
    list: api.archives.list.handler(async ({ context, input }) =>
      archiveReports((await context.workspaces.get(input.ws)).workspace),
    ),
  },
};

/** The work of an import, whichever page began it; gives what came, in words. */
export async function takeArchive(
  open: OpenWorkspace,
  file: string,
  versionAs: string | undefined,
  tools: Parameters<Work>[0],
): Promise<string> {
  const { workspace, documents } = open;
  const { recordings, dataset, known, warnings } = await noted(
    workspace,
    { kind: 'taken', file },
    () => importArchive(workspace, file, { ...tools, documents, versionAs }),
    (taken) => ({
      recordings: taken.recordings.length,
      version: taken.dataset?.name ?? null,
      versionKnown: taken.dataset?.known ?? false,
      known: taken.known.length,
      resumed: taken.resumed,
      notes: taken.warnings,
    }),
  );
  tell(open, 'recordings', 'tasks', 'software', 'people');
  for (const id of recordings) await finishImport(open, await workspace.getRecording(id));
  const version = dataset ? [`the version ${dataset.name}${dataset.known ? ' was here already' : ''}`] : [];
  const here = known.length > 0 ? [`${known.length} were here already`] : [];
  return [`Imported ${recordings.length} recordings`, ...version, ...here, ...warnings].join('; ');
}

/** What it has not brought is made, in a job of its own. */
export async function finishImport(open: OpenWorkspace, { id, folder }: RecordingEntry): Promise<void> {
  if (wantsKeyframes(folder)) await prepare(open, id, folder);
  else await open.begin(id);
}
