import type { Composition, Member } from '../../schemas/composition.ts';
import type { CompositionRun, MemberResult } from '../../schemas/composition-run.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { plural } from '../words.ts';
import { edgesOf, orderOf } from './graph.ts';
import { bind, GIVEN, slotKey, slotsIn, truthOf } from './slots.ts';
import { stageNameOf } from './stages.ts';
import { minutesOf } from './time-of-day.ts';

/** The next task of a composition's run (CP15 to CP20): pure, so that a run can be gone on with from what it wrote down. */

type Done = Pick<MemberResult, 'member' | 'outcome' | 'values'>;
/** Why stages are gone, in words, by their names (CP32). */
type StagesGone = ReadonlyMap<string, string>;
const NONE_GONE: StagesGone = new Map();

/** A member is done; or it is passed over, which is its result. */
export type Turn =
  | { do: 'run'; member: Member; level: InstructionLevel; instruction: string }
  | {
      do: 'pass-over';
      member: Member;
      level: InstructionLevel;
      outcome: 'blocked' | 'collapsed';
      why: string;
      stageGone?: true;
    }
  | { do: 'end' };

/**
 * The order in which members are done (CP15): one that all edges allow. Of those that may come next it is the one whose window of
 * time begins first; a member without one keeps its place behind the one that is written before it. Null where there is a cycle.
 */
export function rolloutOrder(composition: Pick<Composition, 'members' | 'edges'>): string[] | null {
  const { members, edges } = composition;
  let last = 0;
  const timed = members.map((member) => {
    const { window } = member;
    if (window) last = (window.day - 1) * 24 * 60 + minutesOf(window.from);
    return { member, begins: last };
  });
  // `orderOf` takes those that may come next in the order in which they are written.
  const sorted = timed.sort((a, b) => a.begins - b.begins).map(({ member }) => member);
  const found = orderOf({ members: sorted, edges });
  return 'order' in found ? found.order : null;
}

/** The next turn of a run of which `results` are there: what hangs on a failure is passed over (CP17), or all that follows (CP18). */
export function nextTurn(
  composition: Composition,
  order: readonly string[],
  level: InstructionLevel,
  results: readonly Done[],
  gone: StagesGone = NONE_GONE,
): Turn {
  const has = new Map(results.map((result) => [result.member, result]));
  const id = order.find((one) => !has.has(one));
  const member = composition.members.find((one) => one.id === id);
  if (!member) return { do: 'end' };
  const given = levelGiven(member, level);
  const passOver = (outcome: 'blocked' | 'collapsed', why: string, more: { stageGone?: true } = {}): Turn => {
    return { do: 'pass-over', member, level: given, outcome, why, ...more };
  };
  if (composition.kind === 'pathway') {
    const wrong = results.find(({ outcome }) => outcome !== 'passed');
    if (wrong) return passOver('collapsed', `the path ended at “${wrong.member}”`);
  }
  const why = gone.get(stageNameOf(composition, member));
  if (why !== undefined) return passOver('blocked', why, { stageGone: true });
  const missing = edgesOf(composition).find(
    (edge) => edge.kind === 'hard' && edge.to === member.id && has.get(edge.from)?.outcome !== 'passed',
  );
  if (missing) return passOver('blocked', `it can be done only after “${missing.from}”, which did not succeed`);
  const text = member.instructions[given] ?? member.instructions.base;
  const values = valuesFor(composition, given, results);
  const empty = slotsIn(text).find((slot) => values(slot) === null);
  if (empty) return passOver('blocked', `nothing gave {{${slotKey(empty)}}}`);
  return { do: 'run', member, level: given, instruction: bind(text, values) };
}

/** The level that a member is told: `base` where it has none of that level. */
const levelGiven = ({ instructions }: Member, level: InstructionLevel): InstructionLevel =>
  instructions[level] === undefined ? 'base' : level;

/** Slots are filled from what happened, in L0 from the truth (CP16). */
function valuesFor(
  composition: Composition,
  level: InstructionLevel,
  results: readonly Done[],
): ReturnType<typeof truthOf> {
  const truth = truthOf(composition);
  if (level === 'L0') return truth;
  const came = new Map(
    results.flatMap(({ member, values }) =>
      values.map(({ name, value }) => [slotKey({ of: member, output: name }), value] as const),
    ),
  );
  return (slot) => (slot.of === GIVEN ? truth(slot) : (came.get(slotKey(slot)) ?? null));
}

/** Where a run is gone on with (CP20): the results before `from`, the number of a task from 1 in the run's order. */
export function resultsBefore<T extends Pick<MemberResult, 'member'>>(
  order: readonly string[],
  results: readonly T[],
  from: number,
): T[] | { why: string } {
  const before = order.slice(0, from - 1);
  const found = before.flatMap((id) => results.find(({ member }) => member === id) ?? []);
  if (from > order.length) return { why: `it has ${plural(order.length, 'task')}` };
  if (found.length === before.length) return found;
  return { why: `only ${results.length} of the ${plural(before.length, 'task')} before it have a result` };
}

/**
 * How many of a run's tasks another one need not do again: those up to the last whose home was copied, and what was passed over
 * after it. One that was killed, or whose disk gave out, before the copy was whole is done again; so is all from the first whose
 * stage gave out (CP32).
 */
export function keptTasks({ results: all, events = [] }: Pick<CompositionRun, 'results' | 'events'>): number {
  const gone = all.findIndex(({ stageGone }) => stageGone === true);
  const results = gone < 0 ? all : all.slice(0, gone);
  const copied = results.findLastIndex(({ copy }) => copy !== null) + 1;
  const left = results.slice(copied);
  const done = left.findIndex(
    ({ member, recording }) => recording !== null || events.some(({ after }) => after === member),
  );
  return done < 0 ? results.length : copied + done;
}
