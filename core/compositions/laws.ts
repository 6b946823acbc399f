import type { BrokenLaw, Composition, Member } from '../../schemas/composition.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { judge } from '../play/checks.ts';
import { asksAt } from './asks.ts';
import { membersBefore, orderOf } from './graph.ts';
import { levelWanted } from './levels.ts';
import { bind, GIVEN, levelsOf, oddSlotsIn, slotKey, slotsIn, slotsOfMember, truthOf } from './slots.ts';
import { type SaidValue, valuesBeside } from './values.ts';
import { windowsInTheWay } from './windows.ts';

/** The laws of compositions (RULES.md), each by itself, so that what is broken is shown at its place while it is written. */

/** Every broken law, and every note that breaks nothing; in the order of the laws. */
export function brokenLaws(composition: Composition): BrokenLaw[] {
  return LAWS.flatMap((law) => law(composition)).sort((a, b) => numberOf(a.law) - numberOf(b.law));
}

const numberOf = (law: string): number => Number(law.slice(2));

type Law = (composition: Composition) => BrokenLaw[];
type Place = { member?: string; level?: InstructionLevel; kind?: BrokenLaw['kind'] };

const broken = (law: string, why: string, { member, level, kind = 'broken' }: Place = {}): BrokenLaw => ({
  law,
  kind,
  member: member ?? null,
  level: level ?? null,
  why,
});

/** CP1 */
const edgesNameMembers: Law = ({ members, edges }) =>
  edges.flatMap((edge) => {
    const ends = [edge.from, edge.to].filter((end) => !members.some(({ id }) => id === end));
    const missing = ends.map((end) => broken('CP1', `An edge names “${end}”, which is no member.`));
    const from = members.find(({ id }) => id === edge.from);
    if (edge.kind === 'data' && from && !from.outputs.some(({ name }) => name === edge.output)) {
      const why = `An edge to “${edge.to}” takes “${edge.output}” of “${edge.from}”, which has no such output.`;
      missing.push(broken('CP1', why, { member: edge.from }));
    }
    return missing;
  });

/** CP2 */
const hasNoCycle: Law = (composition) => {
  const found = orderOf(composition);
  if ('order' in found) return [];
  const [first = ''] = found.cycle;
  const way = [...found.cycle, first].map((id) => `“${id}”`).join(' before ');
  return [broken('CP2', `There is no order: ${way}.`, { member: first })];
};

/** CP3 */
const slotsHaveSources: Law = (composition) => {
  const truth = truthOf(composition);
  return composition.members.flatMap((member) =>
    levelsOf(member).flatMap(([level, text]) => [
      ...oddSlotsIn(text).map((odd) =>
        broken('CP3', `“${odd}” is no slot; write {{member.output}}.`, { member: member.id, level }),
      ),
      ...slotsIn(text)
        .filter((slot) => truth(slot) === null)
        .map((slot) => broken('CP3', `Nothing gives {{${slotKey(slot)}}}.`, { member: member.id, level })),
    ]),
  );
};

/** CP4 */
const sourcesComeBefore: Law = (composition) => {
  const before = membersBefore(composition);
  const members = new Set(composition.members.map(({ id }) => id));
  return composition.members.flatMap((member) => {
    const slots = [...slotsOfMember(member).values()];
    const late = slots.filter(({ of }) => of !== GIVEN && members.has(of) && !before.get(member.id)?.has(of));
    return late.map((slot) =>
      broken('CP4', `{{${slotKey(slot)}}} may not be known yet: no edge puts “${slot.of}” before it.`, {
        member: member.id,
      }),
    );
  });
};

/** CP5 */
const outputsAreUsed: Law = ({ kind, members, edges }) => {
  const slots = members.flatMap((member) => [...slotsOfMember(member).keys()]);
  const used = new Set([
    ...slots,
    ...edges.flatMap((edge) => (edge.kind === 'data' ? [`${edge.from}.${edge.output}`] : [])),
  ]);
  const sources = new Set(edges.map(({ from }) => from));
  const isLast = (id: string): boolean => kind === 'pathway' && !sources.has(id);
  return members.flatMap(({ id, outputs }) =>
    outputs
      .filter(({ name }) => !used.has(`${id}.${name}`) && !isLast(id))
      .map(({ name }) => broken('CP5', `Nobody uses its output “${name}”.`, { member: id, kind: 'note' })),
  );
};

/** CP6 */
const answersAreUnique: Law = ({ members }) =>
  members.flatMap(({ id, outputs }) =>
    outputs.flatMap(({ name, value, tolerance, alternatives }) => {
      const check = { id: 'answer', kind: 'answer', weight: 1, equals: value, tolerance } as const;
      const say = (why: string): BrokenLaw => broken('CP6', `Its output “${name}” ${why}`, { member: id });
      const other = alternatives
        .filter((text) => judge(check, { of: 'text', text }).score < 1)
        .map((text) =>
          say(`would have two answers: “${text}” is another one than the true one. Write one way to say it.`),
        );
      if (typeof value === 'number' && tolerance > 0 && tolerance >= Math.abs(value))
        other.push(say(`is met by nothing as well: its tolerance ${tolerance} reaches from ${value} to 0.`));
      if (Array.isArray(value) && new Set(value.map((one) => one.trim().toLowerCase())).size < value.length)
        other.push(say('names one thing twice in its list.'));
      return other;
    }),
  );

/** CP7 */
const answersStay: Law = ({ members }) =>
  members.flatMap(({ id, outputs }) =>
    outputs
      .filter(({ stable, kept }) => !stable && kept === undefined)
      .map(({ name }) =>
        broken('CP7', `Its output “${name}” may change with time, and no file says what it was, and when.`, {
          member: id,
        }),
      ),
  );

/** CP8 */
const levelFollows: Law = (composition) => {
  if (composition.kind !== 'pathway') return [];
  const wanted = levelWanted(composition);
  if ('why' in wanted) return [broken('CP8', wanted.why)];
  if (composition.level === undefined || composition.level === wanted.level) return [];
  return [
    broken('CP8', `It is called level ${composition.level}, and is of level ${wanted.level} (${wanted.counts}).`),
  ];
};

/** CP9 */
const windowsCanBeMet: Law = (composition) => {
  if ('cycle' in orderOf(composition)) return []; // No order at all: CP2.
  const inTheWay = windowsInTheWay(composition);
  if (inTheWay === null) return [];
  const backwards = composition.members.find(({ id }) => inTheWay.length === 1 && id === inTheWay[0]);
  const why = backwards
    ? `Its window ends (${backwards.window?.to}) before it begins (${backwards.window?.from}).`
    : `The times of ${inTheWay.map((id) => `“${id}”`).join(', ')} cannot all be met in the order of their edges.`;
  return [broken('CP9', why, { ...(inTheWay[0] !== undefined && { member: inTheWay[0] }) })];
};

/** CP10 */
const levelsAgree: Law = (composition) => {
  const truth = truthOf(composition);
  return composition.members.flatMap((member) => {
    const bound = new Map(levelsOf(member).map(([level, text]) => [level, bind(text, truth)]));
    const exact = bound.get('L0');
    if (exact === undefined) return [];
    return (['base', 'L1', 'L2'] as const).flatMap((level) =>
      valuesBeside(bound.get(level) ?? '', exact).map(({ said, instead }) =>
        broken('CP10', otherValue(level, said, instead), { member: member.id, level }),
      ),
    );
  });
};

function otherValue(level: InstructionLevel, { kind, words }: SaidValue, instead: readonly string[]): string {
  const says = `${level} says ${words}`;
  if (instead.length > 0) return `${says}, where L0 says ${instead.slice(0, 3).join(', ')}.`;
  return `${says}, and L0 says no ${KINDS[kind]} like it.`;
}
const KINDS: Readonly<Record<SaidValue['kind'], string>> = {
  time: 'time',
  minutes: 'duration',
  money: 'amount',
  quoted: 'words',
  name: 'name',
};

/** CP11 */
const exactLevelSaysAll: Law = ({ members }) =>
  members.flatMap((member) => {
    const exact = member.instructions.L0;
    const others = levelsOf(member).filter(([level]) => level === 'L1' || level === 'L2');
    if (exact === undefined)
      return others.length === 0
        ? []
        : [broken('CP11', 'L1 and L2 leave out what L0 says, and there is no L0.', { member: member.id })];
    const said = new Set(slotsIn(exact).map(slotKey));
    return levelsOf(member).flatMap(([level, text]) =>
      [...new Set(slotsIn(text).map(slotKey))]
        .filter((key) => !said.has(key))
        .map((key) => broken('CP11', `${level} says {{${key}}}, which L0 does not.`, { member: member.id, level })),
    );
  });

/** CP12 */
const vagueLevelsLeaveOut: Law = (composition) =>
  composition.members.flatMap((member) =>
    (['L1', 'L2'] as const).flatMap((level) => {
      const { [level]: text, L0: exact } = member.instructions;
      if (text === undefined || exact === undefined || slotsIn(exact).length === 0) return [];
      if (asksAt(composition, member, level).length > 0) return [];
      const why = `${level} leaves out nothing that L0 says, so there is nothing to ask.`;
      return [broken('CP12', why, { member: member.id, level, kind: 'note' })];
    }),
  );

/** CP13 */
const pathwayHasAnswers: Law = ({ kind, members, edges }) => {
  if (kind !== 'pathway') return [];
  const answers = ({ outputs }: Member): number => outputs.filter(({ from }) => from === 'answer').length;
  const wrong = members
    .filter((member) => answers(member) !== 1 || member.outputs.length !== 1)
    .map(({ id, outputs }) =>
      broken('CP13', `A member of a pathway has one answer; this one has ${outputs.length} outputs.`, { member: id }),
    );
  const others = edges.filter((edge) => edge.kind !== 'data');
  return [
    ...wrong,
    ...others.map(({ from, to, kind: of }) =>
      broken('CP13', `In a pathway only answers join members; “${from}” and “${to}” have an edge of the kind ${of}.`, {
        member: to,
      }),
    ),
  ];
};

/** CP23 */
const eventsCanHappen: Law = ({ members, events = [], context }) => {
  const last = members.reduce((most, { window }) => Math.max(most, window ? dayAndTime(window) : 0), 0);
  return events.flatMap(({ id, at }): BrokenLaw[] => {
    if ('after' in at) {
      if (members.some((member) => member.id === at.after)) return [];
      return [broken('CP23', `The event “${id}” comes after “${at.after}”, which is no member.`)];
    }
    if (context.begins === undefined)
      return [broken('CP23', `The event “${id}” comes at a time, and no day is said on which the scenario begins.`)];
    if (at.to !== undefined && at.to < at.from)
      return [broken('CP23', `The time of the event “${id}” ends (${at.to}) before it begins (${at.from}).`)];
    if (dayAndTime(at) <= last) return [];
    const why = `The event “${id}” comes when the last task has begun, so that it never happens.`;
    return [broken('CP23', why, { kind: 'note' })];
  });
};

const dayAndTime = ({ day, from }: { day: number; from: string }): number =>
  day * 10_000 + Number(from.replace(':', ''));

/** CP14; `known`: the tasks of a workspace, each with the ids of its checks, null where it has none that can be read. */
export const tasksAreThere = (
  { members }: Composition,
  known: ReadonlyMap<string, ReadonlySet<string> | null>,
): BrokenLaw[] =>
  members.flatMap(({ id, task, outputs }) => {
    if (task === null) return [broken('CP14', 'It is no task of the library yet.', { member: id, kind: 'note' })];
    if (!known.has(task)) return [broken('CP14', `The task ${task} is not in this workspace.`, { member: id })];
    const checks = known.get(task) ?? null;
    return outputs.flatMap(({ name, from }) =>
      from === 'answer' || checks?.has(from.check)
        ? []
        : [
            broken('CP14', `Its output “${name}” is read by the check “${from.check}”, which ${task} does not have.`, {
              member: id,
            }),
          ],
    );
  });

const LAWS: readonly Law[] = [
  edgesNameMembers,
  hasNoCycle,
  slotsHaveSources,
  sourcesComeBefore,
  outputsAreUsed,
  answersAreUnique,
  answersStay,
  levelFollows,
  windowsCanBeMet,
  levelsAgree,
  exactLevelSaysAll,
  vagueLevelsLeaveOut,
  pathwayHasAnswers,
  eventsCanHappen,
];
