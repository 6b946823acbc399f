import type { LineShown, RunListed } from '../../schemas/api/compositions.ts';
import type { MemberResult } from '../../schemas/composition-run.ts';
import { tr } from '../language/tr.ts';

/** Compositions in words. */

export const compositionKind = (kind: 'pathway' | 'scenario'): string =>
  kind === 'pathway' ? tr('Pathway') : tr('Scenario');

export function memberOutcomeWords(outcome: MemberResult['outcome']): string {
  switch (outcome) {
    case 'passed':
      return tr('Succeeded');
    case 'failed':
      return tr('Failed');
    case 'blocked':
      return tr('Blocked');
    case 'collapsed':
      return tr('Not begun: the path had ended');
  }
}

/** What a line means to a member that it leads to. */
export function takesWords({ kind, from, output }: LineShown): string {
  if (kind === 'data') return tr('takes {value}', { value: `${from}.${output ?? ''}` });
  return kind === 'hard'
    ? tr('only after {task} succeeded', { task: from })
    : tr('begins after {task}', { task: from });
}

/** Whether a question to the simulated user was one. */
export function questionWords(kind: 'valid' | 'redundant' | 'irrelevant'): string {
  if (kind === 'valid') return tr('valid question');
  return kind === 'redundant' ? tr('redundant question') : tr('irrelevant question');
}

export const whoWords = (actor: string): string => (actor === 'player' ? tr('the player') : actor);

export function endedWords({ ended, passed, tasks }: RunListed): string {
  if (ended === null) return tr('Broken off, or going on');
  if (ended.how === 'stopped') return tr('Stopped');
  if (ended.how === 'broke') return tr('Broke off: {why}', { why: ended.why });
  return passed === tasks ? tr('Whole') : tr('To its end');
}
