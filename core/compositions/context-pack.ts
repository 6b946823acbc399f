import type { Composition } from '../../schemas/composition.ts';
import type { MemberResult } from '../../schemas/composition-run.ts';
import { oneLine } from '../words.ts';

/** ScenDroid's context (group IV): beside an instruction, what is known of the person and what was done before it. */
export function withContext(
  { context }: Pick<Composition, 'context'>,
  results: readonly Pick<MemberResult, 'member' | 'outcome' | 'instruction' | 'values'>[],
  instruction: string,
): string {
  const done = results.flatMap(({ member, outcome, instruction: told, values }, n) => {
    if (told === null) return [];
    const gave = values.map(({ name, value }) => `${name}: ${oneLine(value)}`);
    const came = outcome === 'passed' ? 'done' : 'not done';
    return [`${n + 1}. ${member} (${came}): ${oneLine(told)}${gave.length === 0 ? '' : ` (${gave.join('; ')})`}`];
  });
  const parts = [
    ...(context.persona === undefined ? [] : [`The person: ${oneLine(context.persona)}`]),
    ...(context.preferences.length === 0
      ? []
      : ['Preferences:', ...context.preferences.map((one) => `- ${oneLine(one)}`)]),
    ...(done.length === 0 ? [] : ['Tasks before this one, on the same computer:', ...done]),
  ];
  return parts.length === 0 ? instruction : [...parts, 'The task now:', instruction].join('\n');
}
