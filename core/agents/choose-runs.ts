import type { AgentHead, AgentReport, RunFilter } from '../../schemas/agents.ts';

/** Which runs are wanted: for the page, the command line and exports alike. */

export type RunFacts = { task: string; agent: string; model: string; how: string; passed: boolean; helped: number };

/** A test made once for many runs. Without fields, every run fits. */
export function runMatcher({ help, outcome, tasks, agents, models }: RunFilter): (run: RunFacts) => boolean {
  const isIn = (wanted: readonly string[] | undefined, ...names: string[]): boolean =>
    wanted === undefined || names.some((name) => wanted.includes(name));
  return (run) =>
    // A person's own run is neither.
    (help === undefined || (run.agent !== 'human' && run.helped > 0 === (help === 'helped'))) &&
    (outcome === undefined || OUTCOMES[outcome](run)) &&
    isIn(tasks, run.task) &&
    isIn(agents, run.agent, run.agent.split('+')[0] ?? '') &&
    isIn(models, run.model);
}

const OUTCOMES: Readonly<Record<NonNullable<RunFilter['outcome']>, (run: RunFacts) => boolean>> = {
  succeeded: ({ passed }) => passed,
  failed: ({ passed }) => !passed,
  'silent-wrong': isSilentlyWrong,
};

export function isSilentlyWrong({ how, passed }: { how: string; passed: boolean }): boolean {
  return how === 'done' && !passed;
}

/** `minimal+high,mid,shots2`: with the plans that were given it, and how many demonstrations it was shown. */
export function agentName(head: AgentReport['head'] | AgentHead): string {
  const { agent, plan } = head;
  const shots = 'shots' in head ? (head.shots?.length ?? 0) : 0;
  const given = [plan.high ? 'high' : '', plan.mid ? 'mid' : '', shots > 0 ? `shots${shots}` : ''].filter(
    (one) => one !== '',
  );
  return given.length === 0 ? agent : `${agent}+${given.join(',')}`;
}
