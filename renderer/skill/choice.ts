import type { RecordingRow } from '../../schemas/api/models.ts';

/** Which recordings a skill is made of: the one that is shown first, and all others of the task but those that are left out. */
export type SkillChoice = { shown: string | null; leftOut: ReadonlySet<string> };

type Row = Pick<RecordingRow, 'id' | 'task' | 'phase' | 'steps' | 'state'>;

/** The recordings that a skill can be made of: closed, with steps as far as they are counted; the newest first. */
export const teachable = <R extends Row>(rows: readonly R[], task: string): R[] =>
  rows.filter((row) => row.task === task && row.phase === 'closed' && row.steps !== 0);

/** All are taken; shown is the one that was asked for, else an approved one, else the newest. */
export function firstChoice(rows: readonly Row[], asked: string | null): SkillChoice {
  const shown = rows.find(({ id }) => id === asked) ?? rows.find(({ state }) => state === 'approved') ?? rows[0];
  return { shown: shown?.id ?? null, leftOut: new Set() };
}

/** In the order in which the skill takes them. One that came meanwhile is taken, too. */
export function chosenIds(rows: readonly Row[], { shown, leftOut }: SkillChoice): string[] {
  const there = rows.map(({ id }) => id).filter((id) => id === shown || !leftOut.has(id));
  return there.toSorted((a, b) => Number(b === shown) - Number(a === shown));
}

/** Takes a recording in, or leaves it out. Without the one that was shown, another is; the last one stays. */
export function toggled(rows: readonly Row[], choice: SkillChoice, id: string): SkillChoice {
  const leftOut = new Set(choice.leftOut);
  if (id !== choice.shown) {
    if (!leftOut.delete(id)) leftOut.add(id);
    return { ...choice, leftOut };
  }
  const next = chosenIds(rows, choice)[1];
  return next === undefined ? choice : { shown: next, leftOut: leftOut.add(id) };
}

/** Shows this one first; the one before stays as an example. */
export function shownFirst({ leftOut }: SkillChoice, id: string): SkillChoice {
  const left = new Set(leftOut);
  left.delete(id);
  return { shown: id, leftOut: left };
}
