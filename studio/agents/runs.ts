import { agentName, isSilentlyWrong, runMatcher } from '../../core/agents/choose-runs.ts';
import type { AgentReport, RunFilter } from '../../schemas/agents.ts';
import type { RunTableRow } from '../../schemas/api/runs.ts';
import type { OutcomeSaid } from '../../schemas/judge.ts';
import { readAgentLog } from '../recordings/agent-log.ts';
import { readAgentReport } from '../recordings/agent-report.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { runCounts } from './counts.ts';
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
  const found: (Found & Pick<RunRow, 'judged'>)[] = [];
  for (const entry of entries) {
    const run = runIn(entry);
    if (run) found.push({ ...run, judged: await judgedIn(workspace, entry) });
  }
  found.sort((a, b) => (a.at < b.at ? 1 : -1));
  const later = new Map(
    found.flatMap(({ recording, head }) => (head.resumes ? [[head.resumes, recording] as const] : [])),
  );
  const steps = await demonstratedSteps(workspace);
  return found.map((run) => ({
    ...run,
    goneOnIn: later.get(run.recording) ?? null,
    demonstrated: steps.get(run.head.task) ?? null,
  }));
}

type Found = Omit<RunRow, 'goneOnIn' | 'demonstrated' | 'judged'>;

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

async function demonstratedSteps(workspace: Workspace): Promise<Map<string, number>> {
  const steps = new Map<string, number>();
  for (const { task, steps: count } of await workspace.listRecordings())
    if (count !== null && !steps.has(task)) steps.set(task, count);
  return steps;
}

/** Figures of some runs; null: nothing to count. */
export type RunSums = {
  runs: number;
  /** Of the model alone: one that a person took over is none. */
  succeeded: number;
  helped: number;
  /** Mean of the graded scores. */
  score: number;
  rounds: number;
  /** Mean of steps over the demonstration's, of the runs that succeeded. */
  stepsOver: number | null;
  /** Runs that said done while their checks failed; that ended otherwise although their checks passed. */
  silentWrong: number;
  overHalt: number;
  cost: number | null;
};

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;

function sumsOf(runs: readonly RunRow[]): RunSums {
  const succeeded = runs.filter(({ passed, helped }) => passed && !helped);
  const ratios = succeeded.flatMap(({ steps, demonstrated }) => (demonstrated ? [steps / demonstrated] : []));
  const costs = runs.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    runs: runs.length,
    succeeded: succeeded.length,
    helped: runs.filter(({ helped }) => helped).length,
    score: mean(runs.map(({ score }) => score)),
    rounds: mean(runs.map(({ rounds }) => rounds)),
    stepsOver: ratios.length === 0 ? null : mean(ratios),
    silentWrong: runs.filter(isSilentlyWrong).length,
    overHalt: runs.filter(isOverHalt).length,
    cost: costs.length === 0 ? null : costs.reduce((sum, one) => sum + one, 0),
  };
}

const isOverHalt = ({ how, passed, infeasible }: RunRow): boolean =>
  passed && !infeasible && (how === 'gave-up' || how === 'lost');

export type RunGroup = RunSums & { by: 'agent' | 'software' | 'task'; name: string };

/** Runs that others go on with are counted in those alone. */
export function groupsOf(runs: readonly RunRow[]): RunGroup[] {
  const counted = runs.filter(({ goneOnIn }) => goneOnIn === null);
  const keys: readonly (readonly [RunGroup['by'], (run: RunRow) => string])[] = [
    ['agent', ({ head }) => `${agentName(head)} ${head.model}`],
    ['software', ({ head }) => head.software],
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
  how: run.how,
  why: run.why,
  passed: run.passed,
  score: run.score,
  rounds: run.rounds,
  steps: run.steps,
  demonstrated: run.demonstrated,
  cost: run.cost,
  tookMs: run.tookMs,
  helped: run.helped?.times ?? 0,
  silentWrong: isSilentlyWrong(run),
  goneOnIn: run.goneOnIn,
  judged: run.judged,
});
