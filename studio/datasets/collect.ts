import { type Records, toRecords } from '../../core/annotate/document.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import type { ExportRun, ExportTask, LeftOut } from '../../core/export/model.ts';
import type { RunFilter } from '../../schemas/agents.ts';
import { hasTerms } from '../../schemas/dataset-terms.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { KeyframeIndex } from '../../schemas/recording.ts';
import { withDraftOrigins } from '../documents/drafts.ts';
import { judgedIn } from '../documents/review/judgements.ts';
import { fileIn, placeIn } from '../files/inside.ts';
import { readAgentLog } from '../recordings/agent-log.ts';
import { type ClosedRecording, openFolder } from '../recordings/closed.ts';
import { ATTACHMENTS_FOLDER } from '../recordings/folders.ts';
import { listMarks } from '../recordings/marks.ts';
import { picturesOf, readKeyframeIndex } from '../recordings/stills.ts';
import { readSplits } from '../store/curation.ts';
import { readDocumentLog } from '../store/documents.ts';
import type { Mask } from '../store/mask.ts';
import { OF_THE_RECORDING } from '../store/recording-folder.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Software } from '../store/software.ts';
import type { Workspace } from '../store/workspace.ts';
import { type MovedStills, movedPictures } from './annotated.ts';
import { readBriefs } from './brief.ts';
import { type CandidateOptions, type RecordingParts, sourceOfCandidates } from './candidates.ts';
import type { ExportSource } from './export-source.ts';
import { panelsIn } from './panels.ts';
import { proofsOfIndexed } from './proofs.ts';
import { runsToExport } from './runs.ts';
import { NOTHING_SAID, saidReader } from './said.ts';
import { stepCandidatesIn } from './step-candidates.ts';
import { readTerms } from './terms.ts';

export type CollectOptions = CandidateOptions & {
  /** Runs of models in the place of demonstrations, each of them. */
  runs?: RunFilter | undefined;
  /** Ids of recordings; others are not looked at. */
  only?: ReadonlySet<string>;
  /** The keyframes of a recording; default: those that are in its folder. */
  keyframes?: (folder: string) => Promise<KeyframeIndex | null>;
  /** Stills of moved keyframes (K5) that are not there yet: cut, or only told of. Default: cut. */
  moved?: MovedStills;
  /** Also what judges and single people say of each. */
  said?: boolean | undefined;
  /** Recordings that are to look as if nobody had annotated them (store/mask.ts). */
  mask?: Mask | undefined;
};

/**
 * The tasks that a workspace exports: one for each task id, from its newest recording that may go out. A recording may
 * when its verdict is complete or recovered, and its state approved (or `all`). It goes out as it is annotated; one that
 * nobody has annotated is split where the person marked the end of a subtask, and its goal describes each part.
 * Removed steps stay behind and are reported (N5).
 * A task none of whose recordings may go out comes without subtasks, so that the exporter can say why.
 * Only the list of recordings is read here; each task is read when its turn comes.
 */
export async function collectExport(workspace: Workspace, options: CollectOptions): Promise<ExportSource> {
  const recordings: (RecordingEntry & { run?: ExportRun })[] = options.runs
    ? await runsToExport(workspace, options.runs)
    : await workspace.listRecordings();
  const software = new Map((await workspace.listSoftware()).map((one) => [one.id, one]));
  const splits = await readSplits(workspace.store);
  const wanted = recordings.filter(({ id }) => options.only?.has(id) ?? true);
  const proofs = await proofsOfIndexed(workspace, wanted);
  const candidates = wanted.map((entry) => ({
    ...entry,
    state: options.mask?.get(entry.id)?.state ?? entry.state,
    app: appOf(software.get(entry.app), entry.app),
    split: splits.get(entry.task) ?? null,
    proof: proofs.get(entry.id),
  }));
  const briefs = await readBriefs(workspace.store);
  const saidOf = options.said ? await saidReader(workspace.store) : undefined;
  const read = async ({ folder, task }: { folder: string; task: string }) => {
    const parts = await readableParts(workspace, folder, { ...options, saidOf });
    return 'unreadable' in parts ? parts : { ...parts, brief: briefs.get(task) ?? null };
  };
  const terms = await readTerms(workspace.store);
  const source = sourceOfCandidates(candidates, read, options);
  // A filter chooses recordings; without one, tasks that nobody has recorded are told, too.
  const recorded = new Set(recordings.map(({ task }) => task));
  const idle = options.only || options.runs ? [] : [...briefs.keys()].filter((id) => !recorded.has(id)).map(unrecorded);
  return {
    ...source,
    leftOut: () => [...source.leftOut(), ...idle],
    ...(hasTerms(terms) && { terms }),
    panels: () => panelsIn(workspace),
  };
}

const unrecorded = (item: string): LeftOut => ({ item, from: '*', reason: 'it has no recording' });

export function appOf(known: Software | undefined, id: string): ExportTask['app'] {
  return { id, name: known?.name ?? id, prefix: known?.prefix ?? id.toUpperCase() };
}

type ReadOptions = CollectOptions & { saidOf: Awaited<ReturnType<typeof saidReader>> | undefined };

/** One recording whose files are damaged is left out with the reason; the others go out all the same. */
async function readableParts(
  workspace: Workspace,
  folder: string,
  options: ReadOptions,
): Promise<Omit<RecordingParts, 'brief'> | { unreadable: string }> {
  try {
    return await readParts(workspace, folder, options);
  } catch (error) {
    // A picture that somebody chose and that cannot be cut ends the export: they are told which file to put back.
    const damaged = error instanceof StudioError && error.code === 'RECORDING_DAMAGED';
    if (error instanceof StudioError && OF_THE_RECORDING.has(error.code) && !damaged)
      return { unreadable: error.message };
    throw error;
  }
}

/** Everything that is said of a recording, as it is now. */
async function readParts(
  workspace: Workspace,
  folder: string,
  options: ReadOptions,
): Promise<Omit<RecordingParts, 'brief'>> {
  const closed = openFolder(folder);
  const { meta, actions } = closed;
  const isMasked = options.mask?.has(meta.id) === true;
  const records = isMasked ? beginningRecords(closed) : await recordsOf(workspace, closed);
  const index = await (options.keyframes ?? readKeyframeIndex)(folder);
  const pictures = picturesOf(folder, index);
  if (index) await movedPictures(closed, records, pictures, options.moved);
  const { video, attachments } = closed.files();
  return {
    recordedGoal: meta.task.goal,
    actions,
    records,
    pictures,
    judged: isMasked ? new Map() : await judgedIn(workspace.store, meta.id),
    ...(options.saidOf && { said: isMasked ? NOTHING_SAID : await options.saidOf({ id: meta.id, folder }) }),
    ...(options.runs
      ? { lines: readAgentLog(folder) ?? [] }
      : !isMasked && { candidates: stepCandidatesIn(folder, meta.id) }),
    // It may be in the place for large files; whoever copies it asks for its bytes.
    video: video === null ? null : placeIn(folder, video),
    platform: closed.platform,
    resolution: closed.resolution,
    attachments: attachments.map((name) => ({ path: fileIn(folder, `${ATTACHMENTS_FOLDER}/${name}`) })),
    ...(!isMasked && { marks: marksToTell(meta.id, folder) }),
    dir: workspace.dir,
  };
}

/** A mark of a subtask without words says nothing that the subtasks do not. */
const marksToTell = (recording: string, folder: string): NonNullable<ExportTask['marks']> =>
  listMarks(folder)
    .filter(({ kind, words }) => kind === 'moment' || words !== '')
    .map(({ t, kind, words }) => ({ recording, t, kind, words }));

/**
 * The annotation of a recording, with whose words it holds where they are a model's; the beginning of a document when nobody has
 * opened it. Throws BAD_FILE and FUTURE_VERSION for drafts that cannot be read.
 */
export async function recordsOf(
  { store }: Workspace,
  closed: Pick<ClosedRecording, 'meta' | 'actions' | 'marks' | 'folder'>,
): Promise<Records> {
  const { meta, folder } = closed;
  const document = await store.reading((trx) => readDocumentLog(trx, meta.id));
  if (!document) return beginningRecords(closed);
  return withDraftOrigins({ store }, { id: meta.id, folder }, meta.id, document.records);
}

function beginningRecords({ actions, marks }: Pick<ClosedRecording, 'actions' | 'marks'>): Records {
  const steps = actions.map(({ id, start: { x, y, t } }) => ({ id, start: [x, y, t] as [number, number, number] }));
  return toRecords(initialRecords(steps, marks, ''));
}
