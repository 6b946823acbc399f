import type { Records } from '../../core/annotate/document.ts';
import type { Language } from '../../core/annotate/narration.ts';
import { byTaskId, type ExportTask, type LeftOut } from '../../core/export/model.ts';
import type { Action } from '../../schemas/actions.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { annotatedSubtasks, goalOf, type Pictures } from './annotated.ts';
import type { ExportSource } from './source.ts';
import { refuseCancelled } from './target.ts';

/** Which recording of a task goes out, and as what: the same for a workspace as it is and for a frozen version. */

/** A recording that may go out. */
type Candidate = Pick<RecordingEntry, 'id' | 'task' | 'goal' | 'state' | 'verdict' | 'startedAt' | 'durationUs'> & {
  app: ExportTask['app'];
  split?: string | null;
};

/** What is read of a recording when its turn comes. */
export type RecordingParts = {
  /** As recording.json has it. */
  recordedGoal: string;
  actions: readonly Action[];
  records: Records;
  pictures: Pictures;
  video: string | null;
  platform: ExportTask['platform'];
  resolution: ExportTask['resolution'];
  attachments: { path: string }[];
};

export type CandidateOptions = {
  /** Every state, not approved alone. */
  all: boolean;
  language?: Language;
  onProgress?: (text: string) => void;
  signal?: AbortSignal | undefined;
};

/** What the list of recordings says of a task. `chosen` goes out; null when none may. */
type TaskHead<C> = { id: string; shown: C; chosen: C | null };

/**
 * A task for each task id, from the first of its recordings that may go out (the newest, when the newest stand first). A
 * recording may when its verdict is complete or recovered, and its state approved (or `all`).
 * A task none of whose recordings may go out comes without subtasks, so that the exporter can say why.
 */
export function sourceOfCandidates<C extends Candidate>(
  recordings: readonly C[],
  read: (chosen: C) => Promise<RecordingParts>,
  options: CandidateOptions,
): ExportSource {
  const leftOut = new Map<string, LeftOut[]>();
  const heads: TaskHead<C>[] = [];
  for (const [task, entries] of Map.groupBy(recordings, (entry) => entry.task)) {
    const usable = entries.filter((entry) => entry.verdict === 'complete' || entry.verdict === 'recovered');
    const allowed = usable.filter((entry) => options.all || entry.state === 'approved');
    const chosen = allowed[0] ?? null;
    const others = entries.filter((entry) => entry !== chosen);
    leftOut.set(
      task,
      others.map((entry) => reasonOf(task, entry, usable, allowed)),
    );
    const shown = chosen ?? usable[0];
    if (shown) heads.push({ id: task, shown, chosen });
  }
  heads.sort(byTaskId);
  const splits = heads.flatMap(({ shown, chosen }) => (chosen ?? shown).split ?? []);
  return {
    total: heads.length,
    splits: [...new Set(splits)].sort(),
    leftOut: () => [...leftOut.values()].flat(),
    async *tasks() {
      for (const { id, shown, chosen } of heads) {
        refuseCancelled(options.signal);
        if (chosen === null) {
          yield emptyTask(shown);
          continue;
        }
        options.onProgress?.(`Collecting ${id} from recording ${chosen.id}`);
        const collected = taskOf(chosen, await read(chosen), options.language);
        leftOut.get(id)?.push(...collected.leftOut);
        yield collected.task;
      }
    },
  };
}

/** Why a recording of a task does not go out. */
function reasonOf(task: string, entry: Candidate, usable: Candidate[], allowed: Candidate[]): LeftOut {
  const reason = allowed.includes(entry)
    ? 'a newer recording of the same task goes out'
    : usable.includes(entry)
      ? `its state is "${entry.state}"`
      : entry.verdict === null
        ? 'it was not closed: run `recover`'
        : `its verdict is "${entry.verdict}"`;
  return { item: task, from: `recording ${entry.id}`, reason };
}

function emptyTask(entry: Candidate): ExportTask {
  return {
    id: entry.task,
    app: entry.app,
    goal: entry.goal,
    split: entry.split ?? null,
    recordings: [],
    state: entry.state,
    visualQuery: { start: null, end: null },
    subtasks: [],
    answer: null,
    platform: null,
    source: null,
    resolution: { width: 0, height: 0 },
    durationUs: entry.durationUs ?? 0,
  };
}

function taskOf(
  entry: Candidate,
  { recordedGoal, actions, records, pictures, video, platform, resolution, attachments }: RecordingParts,
  language: Language | undefined,
): { task: ExportTask; leftOut: LeftOut[] } {
  const goal = goalOf(records) || recordedGoal;
  const naming = { task: entry.task, recording: entry.id, goal, language };
  const { subtasks, leftOut } = annotatedSubtasks(actions, records, pictures, naming);
  const task: ExportTask = {
    ...emptyTask(entry),
    goal: goalOf(records) || entry.goal,
    recordings: [{ id: entry.id, startedAt: entry.startedAt, video }],
    visualQuery: { start: subtasks[0]?.startImage ?? null, end: subtasks.at(-1)?.endImage ?? null },
    subtasks,
    platform,
    resolution,
    attachments,
  };
  return { task, leftOut };
}
