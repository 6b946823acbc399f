import type { Action } from '../../schemas/actions.ts';
import type { CheckReport, Checks } from '../../schemas/checks.ts';
import type { VerifiedPlay, VerifyReport, WithoutStep } from '../../schemas/verify.ts';
import { plural } from '../words.ts';
import { looksAtScreen } from './checks.ts';

/** So many steps are left out, one a play, before checks are said to be unable to fail. */
export const MOST_LEFT_OUT = 3;

/** Kinds by how likely they change something: typing and shortcuts, then drags, then clicks. */
const RANK: Partial<Record<Action['kind'], number>> = { type: 0, press: 0, drag: 1, click: 2, scroll: 3 };

/**
 * The steps that are left out, as indices, the most decisive first (PL13): what comes last among those that change something.
 * Steps that only wait or hover are none.
 */
export function decisiveSteps(actions: readonly Pick<Action, 'kind'>[]): number[] {
  return actions
    .flatMap(({ kind }, index) => {
      const rank = RANK[kind];
      return rank === undefined ? [] : [{ index, rank }];
    })
    .sort((a, b) => a.rank - b.rank || b.index - a.index)
    .slice(0, MOST_LEFT_OUT)
    .map(({ index }) => index);
}

export type Evidence = {
  checks: Checks;
  /** The checks on a new stage before anything was done. */
  untouched: CheckReport;
  plays: readonly VerifiedPlay[];
  without: readonly WithoutStep[];
};

export const isGoodPlay = ({ agreed, of, passed }: VerifiedPlay): boolean => agreed === of && passed;

/** The next attempt for a proof: a play, or one with a step left out. */
export type Trial = { do: 'play'; number: number } | { do: 'leave-out'; index: number };

/**
 * The next trial of a demonstration that is to be played `times` times; null: what is known is enough for a verdict. Steps are
 * left out one after the other until the checks fail without one (PL13).
 */
export function nextTrial(
  actions: readonly Pick<Action, 'kind'>[],
  times: number,
  { untouched, plays, without }: Omit<Evidence, 'checks'>,
): Trial | null {
  if (plays.length < times) return { do: 'play', number: plays.length + 1 };
  // Checks that pass on an untouched stage would pass without any step, too.
  if (untouched.passed || !plays.some(isGoodPlay) || without.some(({ passed }) => !passed)) return null;
  const index = decisiveSteps(actions)[without.length];
  return index === undefined ? null : { do: 'leave-out', index };
}

/** The verdict (PL14): proven when every play was good, and nothing but doing the task makes its checks pass. */
export function verdictOf({
  checks,
  untouched,
  plays,
  without,
}: Evidence): Pick<VerifyReport, 'proven' | 'problems' | 'weak'> {
  const problems: string[] = [];
  const good = plays.filter(isGoodPlay).length;
  const first = plays.find((one) => !isGoodPlay(one));
  if (plays.length === 0) problems.push('It was not played.');
  else if (first) {
    const why = first.why ?? (first.passed ? 'it agreed in some steps only' : 'its checks failed');
    problems.push(`${good} of ${plural(plays.length, 'play')} good; the first that was not: ${why}.`);
  }
  if (untouched.passed)
    problems.push('The checks pass before anything was done, so they say nothing. Check what the task changes.');
  if (untouched.weak !== null) problems.push(untouched.weak);
  if (good > 0 && !untouched.passed && without.every(({ passed }) => passed))
    problems.push(
      without.length === 0
        ? 'It has no step that could be left out, so nobody knows whether its checks can fail.'
        : `The checks also pass without ${without.length === 1 ? 'step' : 'each of the steps'} ${without.map(({ number }) => number).join(', ')}. Check what they change.`,
    );
  return { proven: problems.length === 0, problems, weak: weakOf(checks, untouched) };
}

function weakOf({ checks }: Checks, untouched: CheckReport): VerifyReport['weak'] {
  return checks.flatMap((check) => {
    const before = untouched.checks.find(({ id }) => id === check.id);
    const reasons = [
      ...(before && before.score >= 1 ? ['passes before anything was done'] : []),
      ...(looksAtScreen(check) ? ['looks at the screen alone'] : []),
    ];
    return reasons.length === 0 ? [] : [{ id: check.id, why: reasons.join(', and ') }];
  });
}
