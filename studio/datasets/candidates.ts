import type { KnownCandidate } from '../../core/agents/candidates/fold.ts';
import type { Records } from '../../core/annotate/document.ts';
import type { Language } from '../../core/annotate/narration.ts';
import { byTaskId, type ExportRun, type ExportSaid, type ExportTask, type LeftOut } from '../../core/export/model.ts';
import { onlyStepsOf, stepsOfRun, type Whose } from '../../core/export/runs.ts';
import { append } from '../../core/lists.ts';
import type { JudgedStep } from '../../core/review/judged.ts';
import type { Action } from '../../schemas/actions.ts';
import type { AgentLine } from '../../schemas/agents.ts';
import type { ProofState } from '../../schemas/dataset.ts';
import { withoutDeviceName } from '../../schemas/device-names.ts';
import type { Pictures } from '../recordings/stills.ts';
import { refuseCancelled } from '../store/jobs/cancelled.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { annotatedSubtasks, goalOf } from './annotated.ts';
import { filesOf, heldBy, type TaskBrief } from './brief.ts';
import type { ExportSource } from './export-source.ts';
import { withCandidates } from './step-candidates.ts';

/** Which recording of a task goes out, and as what: the same for a workspace as it is and for a frozen version. */

/** A recording that may go out. */
type Candidate = Pick<RecordingEntry, 'id' | 'task' | 'goal' | 'state' | 'verdict' | 'startedAt' | 'durationUs'> & {
  app: ExportTask['app'];
  split?: string | null;
  /** Absent: untried. */
  proof?: ProofState | undefined;
  /** The model's run that it is. */
  run?: ExportRun | undefined;
};

/** The part of a recording that is read when its turn comes. */
export type RecordingParts = {
  /** From recording.json. */
  recordedGoal: string;
  actions: readonly Action[];
  records: Records;
  pictures: Pictures;
  /** Judgements of its steps, by action. */
  judged: ReadonlyMap<string, JudgedStep>;
  /** Words of judges and of single people on it; absent: nobody wants them, or it is a version, which holds none. */
  said?: ExportSaid;
  /** Models' answers to its steps. Absent: there are none, or it is a version, which holds none. */
  candidates?: readonly KnownCandidate[];
  /** The log of the model's run that it is; absent: a person's. */
  lines?: readonly AgentLine[];
  video: string | null;
  platform: ExportTask['platform'];
  resolution: ExportTask['resolution'];
  /** Kept with the recording. */
  attachments: { path: string }[];
  /** Marks of its own; absent: none, or an older program froze it. */
  marks?: ExportTask['marks'];
  /** The content of its task; null where it is unknown, and why if something is lost by that. */
  brief: TaskBrief | null;
  /** The workspace's folder: the task's files are in it. */
  dir: string;
};

export type RecordingsWish = 'one' | 'every';

export type CandidateOptions = {
  /** Every state, not approved alone. */
  all: boolean;
  /** Which of a task's recordings: the one whose work is furthest (the default), or every one. */
  recordings?: RecordingsWish | undefined;
  /** Words of `verify` that may go out; absent: every one. */
  proof?: readonly ProofState[] | undefined;
  /** Whose steps; absent: everybody's. */
  steps?: Whose | undefined;
  language?: Language;
  onProgress?: (text: string) => void;
  signal?: AbortSignal | undefined;
};

/** A task in the list of recordings. `chosen` goes out; null when none may. */
type TaskHead<C> = { id: string; shown: C; chosen: C | null; place: number };

/**
 * A task for each task id, from the one of its recordings that may go out on which the work is furthest; of several, the first
 * (the newest, when the newest stand first). A
 * recording may when its verdict is complete or recovered, and its state approved (or `all`).
 * A task none of whose recordings may go out comes without subtasks, so that the exporter can say why.
 */
export function sourceOfCandidates<C extends Candidate>(
  given: readonly C[],
  /** Its parts; or why it cannot be read, when the others are to go out without it. */
  read: (chosen: C) => Promise<RecordingParts | { unreadable: string }>,
  options: CandidateOptions,
): ExportSource {
  const recordings = given.map((one): C => ({ ...one, split: writtenSplit(one.split ?? null) }));
  const leftOut = new Map<string, LeftOut[]>();
  const heads: TaskHead<C>[] = [];
  for (const [task, entries] of Map.groupBy(recordings, (entry) => entry.task)) {
    const usable = entries.filter((entry) => entry.verdict === 'complete' || entry.verdict === 'recovered');
    const allowed = usable.filter(
      (entry) =>
        (options.all || entry.state === 'approved') && (options.proof?.includes(entry.proof ?? 'untried') ?? true),
    );
    const ranked = allowed.toSorted((a, b) => rankOf(a) - rankOf(b));
    const going = options.recordings === 'every' ? ranked : ranked.slice(0, 1);
    const [chosen = null] = going;
    const others = entries.filter((entry) => !going.includes(entry));
    leftOut.set(
      task,
      others.map((entry) => reasonOf(task, entry, { usable, allowed, chosen, all: options.all })),
    );
    const shown = chosen ?? usable[0];
    if (shown) heads.push({ id: task, shown, chosen, place: 1 });
    for (const [at, other] of going.slice(1).entries()) {
      const place = at + 2;
      const id = `${task}-${place}`;
      leftOut.set(id, []);
      heads.push({ id, shown: other, chosen: other, place });
    }
  }
  heads.sort(byTaskId);
  const splits = heads.flatMap(({ shown, chosen }) => (chosen ?? shown).split ?? []);
  return {
    total: heads.length,
    splits: [...new Set(splits)].sort(),
    leftOut: () => [...leftOut.values()].flat(),
    async *tasks() {
      for (const { id, shown, chosen, place } of heads) {
        refuseCancelled(options.signal);
        if (chosen === null) {
          yield emptyTask(shown);
          continue;
        }
        options.onProgress?.(`Collecting ${id} from recording ${chosen.id}`);
        const parts = await read(chosen);
        if ('unreadable' in parts) {
          leftOut.get(id)?.push({ item: id, from: `recording ${chosen.id}`, reason: parts.unreadable });
          continue;
        }
        const collected = taskOf({ ...chosen, task: id }, parts, options);
        append(leftOut.get(id) ?? [], collected.leftOut);
        yield place > 1 ? { ...collected.task, another: chosen.task } : collected.task;
      }
    },
  };
}

/** A split names files and folders of an export: one from an older or a foreign database may not be fit for that. */
const writtenSplit = (split: string | null): string | null =>
  split === null ? null : withoutDeviceName(split.replace(/[^A-Za-z0-9_-]/g, '_'));

/**
 * How far the work on a recording is: the lower, the further. Where every state goes out (`all`), what people have said of a
 * task is worth more than a newer recording of which nobody has said anything.
 */
const rankOf = ({ state }: Pick<Candidate, 'state'>): number => WORTH.indexOf(state);
const WORTH: readonly Candidate['state'][] = [
  'approved',
  'in-review',
  'annotated',
  'rejected',
  'annotating',
  'recorded',
];

/** The recording of each task that goes out; the first of equal ones. */
export function furthestOfEach<R extends Pick<Candidate, 'task' | 'state'>>(rows: readonly R[]): R[] {
  const groups = [...Map.groupBy(rows, ({ task }) => task).values()];
  return groups.flatMap((of) => of.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, 1));
}

/** Why a recording of a task does not go out. */
function reasonOf(
  task: string,
  entry: Candidate,
  {
    usable,
    allowed,
    chosen,
    all,
  }: { usable: Candidate[]; allowed: Candidate[]; chosen: Candidate | null; all: boolean },
): LeftOut {
  const reason = allowed.includes(entry)
    ? chosen && rankOf(chosen) < rankOf(entry)
      ? `another recording of the same task goes out, whose state is "${chosen.state}"`
      : 'a newer recording of the same task goes out'
    : usable.includes(entry)
      ? all || entry.state === 'approved'
        ? `its proof is "${entry.proof ?? 'untried'}"`
        : `in state "${entry.state}"`
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
    ...(entry.proof && { proof: entry.proof }),
    ...(entry.run && { run: entry.run }),
    recordings: [],
    state: entry.state,
    visualQuery: { start: null, end: null },
    subtasks: [],
    ...heldBy(null),
    answer: null,
    platform: null,
    source: null,
    resolution: { width: 0, height: 0 },
    durationUs: entry.durationUs ?? 0,
  };
}

function taskOf(
  entry: Candidate,
  {
    recordedGoal,
    actions,
    records,
    pictures,
    judged,
    said: words,
    candidates = [],
    lines,
    video,
    platform,
    resolution,
    attachments,
    marks = [],
    brief,
    dir,
  }: RecordingParts,
  { language, steps }: Pick<CandidateOptions, 'language' | 'steps'>,
): { task: ExportTask; leftOut: LeftOut[] } {
  const goal = goalOf(records) || recordedGoal;
  const naming = { task: entry.task, recording: entry.id, goal, language };
  const annotated = annotatedSubtasks(actions, records, pictures, naming, judged);
  const said = lines ? stepsOfRun(annotated.subtasks, lines) : withCandidates(annotated.subtasks, candidates);
  const wanted = steps ? onlyStepsOf(entry.task, said, steps) : { subtasks: said, leftOut: [] };
  const { subtasks } = wanted;
  const leftOut = [...annotated.leftOut, ...wanted.leftOut];
  const stills = { start: subtasks[0]?.startImage ?? null, end: subtasks.at(-1)?.endImage ?? null };
  const { query, files } = filesOf(brief ?? { files: [] }, dir);
  const task: ExportTask = {
    ...emptyTask(entry),
    ...heldBy(brief),
    app: { ...entry.app, category: brief?.category.trim() ?? '' },
    goal: goalOf(records) || entry.goal,
    recordings: [{ id: entry.id, startedAt: entry.startedAt, video }],
    // With an end that was given, the recording's own beginning is none of the query's (K3).
    visualQuery: query.end ? query : { start: query.start ?? stills.start, end: stills.end },
    subtasks,
    platform,
    resolution,
    attachments: [...files, ...attachments],
    ...(marks.length > 0 && { marks }),
    ...(words && { said: words }),
  };
  if (brief === null) {
    const reason = 'the version was frozen by an older program, which kept no answer, source, kind and files of tasks';
    leftOut.push({ item: entry.task, from: 'task', reason });
  }
  return { task, leftOut };
}
