import { agentName, isSilentlyWrong, runMatcher } from '../../core/agents/choose-runs.ts';
import { meanOf, passAt, type TableRun } from '../../core/agents/run-tables.ts';
import type { AgentReport, RunFilter } from '../../schemas/agents.ts';
import type { RunTableRow } from '../../schemas/api/runs.ts';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import type { OutcomeSaid } from '../../schemas/judge.ts';
import type { TaskKind } from '../../schemas/task-terms.ts';
import { readAgentLog } from '../recordings/agent-log.ts';
import { readAgentReport } from '../recordings/agent-report.ts';
import { breathe } from '../store/breathe.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { listBriefs } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { runCounts } from './counts.ts';
import { followedIn, type RunFollowed } from './followed.ts';
import { helpIn } from './help.ts';
import { judgementsIn } from './judge/judgements.ts';

/** Runs of models as they are found again, and what they come to by task, software and agent. */

/** `how` is `broken-off` where the program was ended in the middle: its checks were not looked at. */
export type RunRow = Omit<AgentReport, 'how' | 'schema' | 'version'> & {
  how: AgentReport['how'] | 'broken-off';
  /** The run that goes on with it; null: none. It counts in its place. */
  goneOnIn: string | null;
  /** Steps of the newest demonstration of its task; null: there is none. */
  demonstrated: number | null;
  /** How far it followed the newest demonstration of its task. */
  followed: RunFollowed;
  /** The level of its task. */
  kind: TaskKind;
  /** What judges said last, and how many they were; null: none was asked. It counts nowhere. */
  judged: { verdict: OutcomeSaid; models: number; prompts: number } | null;
};

/** The newest first. Throws BAD_FILE, FUTURE_VERSION. */
export async function agentRuns(workspace: Workspace, filter: RunFilter = {}): Promise<RunRow[]> {
  const fits = runMatcher(filter);
  return (await allRuns(workspace)).filter((run) => fits(runRow(run)));
}

async function allRuns(workspace: Workspace): Promise<RunRow[]> {
  // What a person did on a stage is a demonstration.
  const entries = [...(await workspace.listPlays()), ...(await workspace.listRecordings())];
  const found: (Found & Pick<RunRow, 'judged'> & { folder: string })[] = [];
  for (const entry of entries) {
    const run = runIn(entry);
    if (run) found.push({ ...run, judged: await judgedIn(workspace, entry), folder: entry.folder });
  }
  found.sort((a, b) => (a.at < b.at ? 1 : -1));
  const later = new Map(
    found.flatMap(({ recording, head }) => (head.resumes ? [[head.resumes, recording] as const] : [])),
  );
  const shown = await demonstrationsOf(workspace);
  const kinds = new Map((await listBriefs(workspace.store)).map(({ id, kind }) => [id, kind]));
  const follows = followedIn(workspace, shown);
  const rows: RunRow[] = [];
  for (const { folder, ...run } of found) {
    await breathe();
    rows.push({
      ...run,
      goneOnIn: later.get(run.recording) ?? null,
      demonstrated: shown.get(run.head.task)?.steps ?? null,
      followed: await follows(run, folder),
      kind: kinds.get(run.head.task) ?? 'full',
    });
  }
  return rows;
}

type Found = Omit<RunRow, 'goneOnIn' | 'demonstrated' | 'judged' | 'followed' | 'kind'>;

/** The newest of this workspace's own. A log that cannot be read is said by `judgements`; the run itself is whole. */
async function judgedIn(workspace: Workspace, entry: RecordingEntry): Promise<RunRow['judged']> {
  const judgements = await judgementsIn(workspace, entry).catch(() => []);
  const newest = judgements.find(({ own }) => own);
  if (!newest) return null;
  const { verdict, panel } = newest;
  return { verdict, models: panel.models.length, prompts: panel.prompts };
}

function runIn({ folder }: RecordingEntry): Found | null {
  const whole = readAgentReport(folder);
  if (whole) {
    const { schema: _s, version: _v, ...report } = whole;
    return report;
  }
  const lines = readAgentLog(folder);
  const begun = lines?.find((line) => line.type === 'begun');
  if (!lines || !begun) return null;
  const { head, at, recording } = begun;
  const why = 'the program was ended in the middle';
  const nothing = { answer: null, tookMs: 0, checks: [], passed: false, score: 0, weak: null };
  return { recording, at, head, how: 'broken-off', why, ...runCounts(lines, head), ...helpIn(lines), ...nothing };
}

/** The newest demonstration of each task. */
async function demonstrationsOf(workspace: Workspace): Promise<Map<string, RecordingEntry>> {
  const newest = new Map<string, RecordingEntry>();
  for (const entry of await workspace.listRecordings())
    if (entry.phase === 'closed' && !newest.has(entry.task)) newest.set(entry.task, entry);
  return newest;
}

/** Figures of some runs; null: nothing to count. */
export type RunSums = {
  runs: number;
  /** Of the model alone: one that a person took over is none. */
  succeeded: number;
  helped: number;
  /** Mean of the graded scores. */
  score: number;
  /** The share of its tasks that succeeded in one of the first four attempts. */
  passAt4: number | null;
  /** Means of what is known of it (mobile-agent-v.txt A.3.3). */
  completion: number | null;
  accuracy: number | null;
  rounds: number;
  /** Mean of steps over the demonstration's, of the runs that succeeded. */
  stepsOver: number | null;
  /** Runs that said done while their checks failed; that ended otherwise although their checks passed. */
  silentWrong: number;
  overHalt: number;
  cost: number | null;
};

const mean = (values: readonly number[]): number => meanOf(values) ?? 0;

function sumsOf(runs: readonly RunRow[]): RunSums {
  const succeeded = runs.filter(({ passed, helped }) => passed && !helped);
  const ratios = succeeded.flatMap(({ steps, demonstrated }) => (demonstrated ? [steps / demonstrated] : []));
  const costs = runs.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    runs: runs.length,
    succeeded: succeeded.length,
    helped: runs.filter(({ helped }) => helped).length,
    score: mean(runs.map(({ score }) => score)),
    passAt4: passAt(runs.map(tableRun), DEFAULT_OPTIONS.passAttempts),
    completion: meanOf(runs.map(({ followed }) => followed.completion)),
    accuracy: meanOf(runs.map(({ followed }) => followed.accuracy)),
    rounds: mean(runs.map(({ rounds }) => rounds)),
    stepsOver: ratios.length === 0 ? null : mean(ratios),
    silentWrong: runs.filter(isSilentlyWrong).length,
    overHalt: runs.filter(isOverHalt).length,
    cost: costs.length === 0 ? null : costs.reduce((sum, one) => sum + one, 0),
  };
}

const isOverHalt = ({ how, passed, infeasible }: RunRow): boolean =>
  passed && !infeasible && (how === 'gave-up' || how === 'lost');

export type RunGroup = RunSums & { by: 'agent' | 'software' | 'level' | 'task'; name: string };

/** Runs that others go on with are counted in those alone. */
const countedOf = (runs: readonly RunRow[]): RunRow[] => runs.filter(({ goneOnIn }) => goneOnIn === null);

export function groupsOf(runs: readonly RunRow[]): RunGroup[] {
  const counted = countedOf(runs);
  const keys: readonly (readonly [RunGroup['by'], (run: RunRow) => string])[] = [
    ['agent', ({ head }) => `${agentName(head)} ${head.model}`],
    ['software', ({ head }) => head.software],
    ['level', ({ kind }) => kind],
    ['task', ({ head }) => head.task],
  ];
  return keys.flatMap(([by, nameOf]) => {
    const groups = Map.groupBy(counted, nameOf);
    return [...groups]
      .map(([name, some]) => ({ by, name, ...sumsOf(some) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  });
}

/** A run as lists show it. */
export const runRow = (run: RunRow): RunTableRow => ({
  recording: run.recording,
  at: run.at,
  task: run.head.task,
  software: run.head.software,
  agent: agentName(run.head),
  model: run.head.model,
  temperature: run.head.agent === 'human' ? null : (run.head.temperature ?? null),
  how: run.how,
  why: run.why,
  passed: run.passed,
  score: run.score,
  rounds: run.rounds,
  steps: run.steps,
  demonstrated: run.demonstrated,
  completion: run.followed.completion,
  accuracy: run.followed.accuracy,
  level: run.kind,
  cost: run.cost,
  tookMs: run.tookMs,
  helped: run.helped?.times ?? 0,
  silentWrong: isSilentlyWrong(run),
  goneOnIn: run.goneOnIn,
  judged: run.judged,
});

/** For the papers' tables (core/agents/run-tables.ts). */
export const runsForTables = (runs: readonly RunRow[]): TableRun[] => countedOf(runs).map(tableRun);

function tableRun(run: RunRow): TableRun {
  const { head, kind, at, passed, score, rounds, steps, helped, followed } = run;
  const video = head.agent === 'human' ? undefined : head.video;
  return {
    task: head.task,
    kind,
    agent: agentName(head),
    model: head.model,
    at,
    passed,
    score,
    rounds,
    steps,
    silentWrong: isSilentlyWrong(run),
    overHalt: isOverHalt(run),
    helped: helped !== undefined,
    ...followed,
    film: video ? { isOfItsTask: video.task === head.goal, reflects: video.reflects, window: video.window } : null,
  };
}
