import type { LiveLine, LiveRunState, RunTableRow } from '../../schemas/api/runs.ts';
import type { OutcomeSaid } from '../../schemas/judge.ts';
import { tr } from '../language/tr.ts';

/** Runs in words. */

export function agentWords(agent: string, model: string): string {
  if (agent !== 'human') return model === '' ? agent : `${agent} · ${model}`;
  return model === '' ? tr('a person') : tr('{person}, a person', { person: model });
}

/** What goes on with a run that is looked at. */
export function phaseWords({ phase, hand, agent, outcome, error }: LiveRunState): string {
  if (phase === 'setting') return tr('The stage is being set up');
  if (phase === 'checking') return tr('The outcome is being looked at');
  if (phase === 'over') {
    if (error !== null || !outcome) return tr('Over');
    return outcome.passed ? tr('Over: succeeded') : tr('Over: failed');
  }
  if (agent === 'human') return tr('You have the mouse and the keyboard; everything is recorded as yours.');
  if (hand === 'person')
    return tr('You have the mouse and the keyboard; the agent waits, and your steps are recorded as yours.');
  return hand === 'taking' ? tr('The agent ends what it is at …') : tr('The agent has the mouse and the keyboard.');
}

export function lineWords(kind: LiveLine['kind']): string {
  switch (kind) {
    case 'plan':
      return tr('Plan');
    case 'thought':
      return tr('Thought');
    case 'acted':
      return tr('Action');
    case 'problem':
      return tr('Not done');
    case 'unclear':
      return tr('Unclear');
    case 'refused':
      return tr('Refused');
    case 'hand':
      return tr('Person');
  }
}

export function handWords(what: string): string {
  if (what === 'took-over') return tr('took the mouse and the keyboard');
  return what === 'gave-back' ? tr('gave them back to the agent') : tr('ended the run');
}

/** How a run ended. */
export function endWords(how: string): string {
  switch (how) {
    case 'done':
      return tr('It says that the goal is reached.');
    case 'gave-up':
      return tr('It says that the goal cannot be reached.');
    case 'lost':
      return tr('Nothing could be read of its last answers.');
    case 'rounds':
      return tr('All its requests were used up.');
    case 'time':
      return tr('Its time was over.');
    case 'budget':
      return tr('Its budget was used up.');
    case 'uncounted':
      return tr('The endpoint did not count its tokens, so the budget could not be held.');
    case 'endpoint':
      return tr('The endpoint failed.');
    case 'stopped':
      return tr('It was stopped.');
    case 'broken-off':
      return tr('It was broken off in the middle.');
    default:
      return tr('It could not go on.');
  }
}

/** An outcome in two words, for a row. */
export function runOutcomeWords({ passed, goneOnIn, helped, silentWrong }: RunTableRow): string {
  if (goneOnIn !== null) return tr('Gone on with later');
  if (passed) return helped > 0 ? tr('Succeeded, with a person') : tr('Succeeded');
  return silentWrong ? tr('Failed, says done') : tr('Failed');
}

/** What judges say came out. */
export function verdictWords(verdict: OutcomeSaid): string {
  if (verdict === 'succeeded') return tr('It came out');
  return verdict === 'failed' ? tr('It did not come out') : tr('Unsure');
}

/** Money has no unit here: prices are given without one. */
export const costText = (cost: number | null): string => (cost === null ? '–' : cost.toFixed(4));

/** A share of one as a percentage. */
export const shareText = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(0)} %`);
