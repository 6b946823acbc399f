import type { Stats } from 'node:fs';
import { extname, resolve } from 'node:path';
import { append } from '../../core/lists.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Documents } from '../documents/documents.ts';
import type { Workspace } from '../store/workspace.ts';
import { importAtif } from './atif/import-atif.ts';
import { importCodex, isCodexFolder } from './codex/import-codex.ts';
import { importDucktrack } from './ducktrack/import-ducktrack.ts';
import { ducktrackFiles } from './ducktrack/read.ts';
import { importRecording, infoOf } from './import-recording.ts';
import type { Imported, ImportOptions } from './land.ts';
import { importNaturalgaia } from './naturalgaia/import-naturalgaia.ts';
import { importOsworld } from './osworld/import-osworld.ts';
import { TRAJ } from './osworld/read.ts';
import { importOwamcap } from './owamcap/import-owamcap.ts';
import { takeCarried } from './take-carried.ts';
import { importVideo, type VideoSampling } from './video/import-video.ts';
import { ACTION_LOG, importVideocua } from './videocua/import-videocua.ts';
import { takeWaiting } from './waiting.ts';
import { atifIn, listedNames, lookAtFile, lookAtFolder, notKnown, notTaken } from './what-is-it.ts';
import type { ImportWishes } from './wishes.ts';

/** Kinds of sources that can be imported as a recording. `recording`: a folder of ours or a .tar of one. */
export const IMPORT_KINDS = [
  'recording',
  'video',
  'ducktrack',
  'agentnet',
  'naturalgaia',
  'atif',
  'osworld',
  'owamcap',
  'codex',
  'videocua',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export type AnyOptions = ImportOptions &
  ImportWishes & {
    /** Absent: told by what is there. */
    kind?: ImportKind | undefined;
    sampling?: VideoSampling | undefined;
    transcript?: string | undefined;
    documents: Documents;
    /** Asked only when pictures must be read. */
    ffmpeg(): Promise<FfmpegInfo>;
  };

type AnyImported = { kind: ImportKind; imported: Imported[]; known: string[] };

const VIDEO = new Set(['.mp4', '.m4v', '.mkv', '.mov', '.webm']);

/** By what lies there. Throws BAD_FILE when there is nothing, or what is not imported, by its name where it has one. */
export function kindOfImport(path: string): ImportKind {
  const info: Stats = infoOf(path);
  if (info.isDirectory()) return kindOfFolder(path);
  const looked = lookAtFile(path, info.size);
  if ('kind' in looked) return looked.kind;
  if ('named' in looked) throw notTaken(path, looked.named);
  // What it calls itself: its reader says what is wrong with it.
  const ending = extname(path).toLowerCase();
  if (VIDEO.has(ending)) return 'video';
  if ((ending === '.json' || ending === '.jsonl') && !looked.isJson) return 'naturalgaia';
  if (ending === '.tar' || ending === '.tstar') return 'recording';
  throw notKnown(path, looked.unknown);
}

function kindOfFolder(path: string): ImportKind {
  if (listedNames(path).includes('recording.json')) return 'recording';
  if (atifIn(path) !== null) return 'atif';
  if (listedNames(path).includes(TRAJ)) return 'osworld';
  if (listedNames(path).includes(ACTION_LOG)) return 'videocua';
  if (isCodexFolder(path)) return 'codex';
  const files = ducktrackFiles(path);
  if (files) return files.source;
  const named = lookAtFolder(path);
  if (named) throw notTaken(path, named);
  throw notKnown(path, 'a folder that holds nothing of what is imported');
}

/** Imports whatever `path` is, with its annotation and its transcript. Throws what the importer of its kind throws. */
export async function importAny(workspace: Workspace, path: string, options: AnyOptions): Promise<AnyImported> {
  const source = resolve(path);
  infoOf(source);
  const kind = options.kind ?? kindOfImport(source);
  if (kind !== 'video' && options.transcript !== undefined) throw notForThis(kind, 'transcript');
  // Files that an earlier import, or a folder that was copied in, left to be taken.
  await workspace.syncIndex();
  const owed = await takeWaiting(workspace, options.documents, { signal: options.signal });
  for (const line of [...owed.taken.map((one) => `Taken: ${one}`), ...owed.warnings]) options.report(0, line);
  const result = await importKind(workspace, source, kind, options);
  for (const { entry, warnings } of result.imported) {
    append(warnings, (await takeCarried(workspace, options.documents, entry.id, entry.folder)).warnings);
  }
  return { kind, ...result };
}

/** What was asked for is done or refused, never passed over. */
export const notForThis = (kind: ImportKind, option: string): StudioError =>
  new StudioError('USAGE', `\`${option}\` is for videos; this is a ${kind}. Leave it out.`, { option, kind });

async function importKind(
  workspace: Workspace,
  source: string,
  kind: ImportKind,
  options: AnyOptions,
): Promise<Omit<AnyImported, 'kind'>> {
  if (kind === 'recording') {
    const { app, goal, task, person } = options;
    return {
      imported: [await importRecording(workspace, source, { ...options, wishes: { app, goal, task, person } })],
      known: [],
    };
  }
  if (kind === 'codex') return { imported: [await importCodex(workspace, source, options)], known: [] };
  const foreign = { ...options, ffmpeg: await options.ffmpeg() };
  if (kind === 'atif') return { imported: [await importAtif(workspace, source, foreign)], known: [] };
  if (kind === 'osworld') return { imported: [await importOsworld(workspace, source, foreign)], known: [] };
  if (kind === 'videocua') return { imported: [await importVideocua(workspace, source, foreign)], known: [] };
  if (kind === 'owamcap') return { imported: [await importOwamcap(workspace, source, foreign)], known: [] };
  if (kind === 'naturalgaia') return importNaturalgaia(workspace, source, foreign);
  if (kind !== 'video') return { imported: [await importDucktrack(workspace, source, foreign)], known: [] };
  const { sampling, ...rest } = foreign;
  const imported = await importVideo(workspace, source, { ...rest, ...(sampling && { sampling }) });
  return { imported: [imported], known: [] };
}
