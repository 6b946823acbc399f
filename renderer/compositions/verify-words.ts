import type { VerificationShown, VerificationStanding } from '../../schemas/api/composition-verification.ts';
import type { VerificationStage, VerificationState } from '../../schemas/composition-terms.ts';
import { tr } from '../language/tr.ts';

/** Verification in words. */

export function stageName(stage: VerificationStage): string {
  if (stage === 'design') return tr('Design');
  return stage === 'independent' ? tr('Independent verification') : tr('Blind assessment');
}

/** The work of a stage, in a sentence. */
export function stageAbout(stage: VerificationStage): string {
  if (stage === 'design') return tr('The author does every task once, and keeps a recording and the answers.');
  return stage === 'independent'
    ? tr('Two others do every task on every platform. They see neither the true answers nor those of each other.')
    : tr('Somebody who is told the top-level task alone finds the result.');
}

export function stageStateWords({ state, free }: VerificationStanding['stages'][number]): string {
  switch (state) {
    case 'open':
      return tr('Open');
    case 'waits':
      return tr('Waits for the design');
    case 'inHand':
      return free > 0 ? tr('In hand, and open for one more') : tr('In hand');
    case 'differs':
      return tr('An answer differs');
    case 'done':
      return tr('Done');
  }
}

export function verificationWords(state: VerificationState): string {
  switch (state) {
    case 'none':
      return tr('Not begun');
    case 'begun':
      return tr('Begun');
    case 'verified':
      return tr('Verified');
    case 'outOfDate':
      return tr('Out of date');
  }
}

export function standingWords({ verified, outOfDate }: VerificationStanding): string {
  if (verified) return tr('Verified');
  return outOfDate ? tr('Out of date: the composition was changed since it was verified') : tr('Not verified yet');
}

export function historyWords({ what, stage, platform, matches }: VerificationShown['history'][number]): string {
  const on = platform ?? '';
  switch (what) {
    case 'look':
      return tr('opened the composition');
    case 'claim':
      return tr('took: {stage}', { stage: stageName(stage ?? 'design') });
    case 'release':
      return tr('gave it back');
    case 'answer':
      return matches ? tr('found the result blind') : tr('did not find the result');
    case 'submit':
      if (on === '') return matches ? tr('handed in, and all matches') : tr('handed in, and something differs');
      return matches
        ? tr('handed in {platform}, and all matches', { platform: on })
        : tr('handed in {platform}, and something differs', { platform: on });
  }
}
