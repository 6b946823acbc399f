import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstSubtaskId, GOAL_ID, labelId } from '../../../core/annotate/ids.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import type { Action } from '../../../schemas/actions.ts';
import { ANNOTATION_VERSION, type AnnotationRecord } from '../../../schemas/annotation.ts';
import { reducedEventSchema } from '../../../schemas/import.ts';
import { TEXT_LIMITS as WORDS } from '../../../schemas/limits.ts';
import { openFolder } from '../../recordings/closed.ts';
import { ANNOTATION_FILE } from '../annotation-file.ts';
import type { ImportLimits } from '../limits.ts';
import { readBoundedLines } from '../lines.ts';

/** Element names of AgentNet's annotators, for an imported recording. */

/** A name of theirs; `t` on the session clock, µs. */
export type TargetName = { t: number; name: string };

/** Their times are of the press itself, which their tool and ours read from the same events. */
const NEAR_US = 250_000;

export async function readTargetNames(
  file: string,
  time: (seconds: number) => number,
  limits: ImportLimits,
  signal: AbortSignal,
): Promise<TargetName[]> {
  const names: TargetName[] = [];
  await readBoundedLines(file, reducedEventSchema, limits, signal, ({ start_time, time_stamp, target }) => {
    const seconds = start_time ?? time_stamp;
    const name = nameOf(target);
    if (seconds !== undefined && name !== '') names.push({ t: time(seconds), name: name.slice(0, WORDS.name) });
  });
  return names.sort((a, b) => a.t - b.t);
}

/** A text, or an object that holds one. */
function nameOf(target: unknown): string {
  if (typeof target === 'string') return target.replace(/\s+/g, ' ').trim();
  if (typeof target !== 'object' || target === null) return '';
  const fields = ['name', 'text', 'title'].map((field): unknown => Reflect.get(target, field));
  return nameOf(fields.find((field) => typeof field === 'string' && field.trim() !== '') ?? '');
}

/**
 * Writes annotation.json into the finished `folder`: each name stands at the nearest action of the pointer, none twice. Gives
 * how many found theirs.
 */
export function writeTargetNames(folder: string, names: readonly TargetName[], goal: string): number {
  const { meta, actions } = openFolder(folder);
  const [first] = actions;
  const named = first ? match(actions, names) : new Map<string, string>();
  if (!first || named.size === 0) return 0;
  const records: AnnotationRecord[] = [
    { kind: 'goal', id: GOAL_ID, text: goal.slice(0, WORDS.text) },
    { kind: 'subtask', id: firstSubtaskId(first.id), first: first.id, title: '' },
    ...[...named].map(([action, element]): AnnotationRecord => {
      return { ...emptyLabel(action), id: labelId(action), element, elementSource: 'import' };
    }),
  ];
  const file = {
    schema: 'trajectory-studio/annotation',
    version: ANNOTATION_VERSION,
    recording: meta.id,
    records,
  };
  writeFileSync(join(folder, ANNOTATION_FILE), `${JSON.stringify(file, null, 1)}\n`);
  return named.size;
}

const POINTER: ReadonlySet<Action['kind']> = new Set(['click', 'drag', 'scroll']);

/** Both in the order of time, so one walk finds the nearest. */
function match(actions: readonly Action[], names: readonly TargetName[]): Map<string, string> {
  const pointed = actions.filter(({ kind }) => POINTER.has(kind));
  const named = new Map<string, string>();
  let at = 0;
  for (const { t, name } of names) {
    while (at + 1 < pointed.length && Math.abs(pointed[at + 1]!.start.t - t) <= Math.abs(pointed[at]!.start.t - t))
      at++;
    const action = pointed[at];
    if (!action || Math.abs(action.start.t - t) > NEAR_US || named.has(action.id)) continue;
    named.set(action.id, name);
  }
  return named;
}
