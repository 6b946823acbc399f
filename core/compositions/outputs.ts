import type { Check } from '../../schemas/checks.ts';
import type { Member, MemberOutput } from '../../schemas/composition.ts';
import type { MemberResult } from '../../schemas/composition-run.ts';
import { type Found, judge } from '../play/checks.ts';

/** The result of a task: the values of its outputs, and whether it succeeded (CP19). */

type Value = MemberResult['values'][number];

/** An output's value, as it was answered or read by a check; null: there is none. */
export function outputRead(output: MemberOutput, text: string | null): Value | null {
  const value = text?.trim() ?? '';
  return value === '' ? null : { name: output.name, value, right: isRight(output, value) };
}

/** Also where it is written in another way that somebody thought of. */
function isRight({ value, tolerance, alternatives }: MemberOutput, text: string): boolean {
  const met = (equals: MemberOutput['value']): boolean =>
    judge({ id: 'answer', kind: 'answer', weight: 1, equals, tolerance }, { of: 'text', text }).score === 1;
  return met(value) || alternatives.some(met);
}

/**
 * The text that a check looks at: the first that one of its patterns finds, where it has some, by `firstMatch`, which ends a pattern that never
 * does. Null: it looks at no text.
 */
export function textFound(
  check: Check,
  found: Found,
  firstMatch: (pattern: string, flags: string, text: string) => string | null,
): string | null {
  if (found.of === 'value') return found.value === null || found.value === undefined ? null : String(found.value);
  if (found.of !== 'text') return null;
  const [pattern] = check.kind === 'text' ? (check.matches ?? []) : [];
  if (pattern === undefined) return found.text;
  const flags = check.kind === 'text' && check.ignoreCase ? 'im' : 'm';
  return firstMatch(pattern, flags, found.text.replaceAll('\r\n', '\n'));
}

/** Whether anything could say that a member was done: an output that is answered, or its task's checks. */
export const canBeSeen = ({ outputs }: Pick<Member, 'outputs'>, hasChecks: boolean): boolean =>
  hasChecks || outputs.some(({ from }) => from === 'answer');

type Seen = {
  /** Null: its task has no checks. */
  checked: { passed: boolean; score: number; why: string } | null;
  values: readonly Value[];
};

/** It succeeded when its checks passed, and every output that is answered has its true value (CP19). */
export function memberOutcome(
  { outputs }: Pick<Member, 'outputs'>,
  { checked, values }: Seen,
): Pick<MemberResult, 'outcome' | 'why' | 'score'> {
  const wrong = outputs.flatMap(({ name, from, value }) => {
    if (from !== 'answer') return [];
    const given = values.find((one) => one.name === name);
    if (given?.right) return [];
    return [
      given
        ? `“${name}” is “${given.value.slice(0, 80)}”, not “${String(value)}”`
        : `nothing was answered for “${name}”`,
    ];
  });
  const faults = [...(checked && !checked.passed ? [checked.why] : []), ...wrong];
  const score = wrong.length > 0 ? 0 : (checked?.score ?? 1);
  return { outcome: faults.length === 0 ? 'passed' : 'failed', why: faults.join('; '), score };
}
