import { memberOf, type RawValue } from './raw.ts';

/** The pictures that a run names: in messages and observations of its steps, and of the runs of its subagents. */
export function imagesIn(run: RawValue): { path: RawValue; step: number }[] {
  const found: { path: RawValue; step: number }[] = [];
  const look = (content: RawValue | undefined, step: number): void => {
    for (const part of content?.items ?? []) {
      const path = memberOf(memberOf(part, 'source'), 'path');
      if (path) found.push({ path, step });
    }
  };
  for (const [at, step] of (memberOf(run, 'steps')?.items ?? []).entries()) {
    look(memberOf(step, 'message'), at + 1);
    for (const result of memberOf(memberOf(step, 'observation'), 'results')?.items ?? [])
      look(memberOf(result, 'content'), at + 1);
  }
  for (const inner of memberOf(run, 'subagent_trajectories')?.items ?? [])
    for (const { path } of imagesIn(inner)) found.push({ path, step: 0 });
  return found;
}
