import type { BrokenLaw, Composition, LawSentence, Member } from '../../schemas/composition.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { judge } from '../play/checks.ts';
import { asksAt } from './asks.ts';
import { comesBefore, orderOf } from './graph.ts';
import { broken, type Said } from './law-sentences.ts';
import { LEVEL_RULES_TEXT, levelWanted } from './levels.ts';
import { bind, GIVEN, levelsOf, oddSlotsIn, slotKey, slotsIn, slotsOfMember, truthOf } from './slots.ts';
import { stageNameOf, stagesOf } from './stages.ts';
import { filesComeBefore, filesGoOver } from './taken-files.ts';
import { instancesKeepLaws, parametersAreUsed, parametersGiveValues, placesAreThere } from './template-laws.ts';
import { type SaidValue, valuesBeside } from './values.ts';
import { windowsInTheWay } from './windows.ts';

/** The laws of compositions (RULES.md), each by itself, so that what is broken is shown at its place while it is written. */

/** Every broken law, and every note that breaks nothing; in the order of the laws. */
export function brokenLaws(composition: Composition): BrokenLaw[] {
  const laws = [...LAWS.flatMap((law) => law(composition)), ...instancesKeepLaws(composition, lawsAlone)];
  return laws.sort((a, b) => numberOf(a.law) - numberOf(b.law));
}

/** Without those of the instances that it makes. */
const lawsAlone = (composition: Composition): BrokenLaw[] => LAWS.flatMap((law) => law(composition));

const numberOf = (law: string): number => Number(law.slice(2));

type Law = (composition: Composition) => BrokenLaw[];
const inBraces = (slot: string): string => `{{${slot}}}`;

/** CP1 */
const edgesNameMembers: Law = ({ members, edges }) => {
  const there = new Map(members.map((member) => [member.id, member]));
  return edges.flatMap((edge) => {
    const ends = [edge.from, edge.to].filter((end) => !there.has(end));
    const missing = ends.map((end) => broken('CP1', 'edgeToNobody', { end }));
    const from = there.get(edge.from);
    if (edge.kind === 'data' && from && !from.outputs.some(({ name }) => name === edge.output)) {
      const { to, from: of, output } = edge;
      missing.push(broken('CP1', 'edgeOfNothing', { to, output, from: of }, { member: of }));
    }
    return missing;
  });
};

/** CP2 */
const hasNoCycle: Law = (composition) => {
  const found = orderOf(composition);
  if ('order' in found) return [];
  const [first = ''] = found.cycle;
  const way = [...found.cycle, first].map((id) => `“${id}”`).join(' → ');
  return [broken('CP2', 'noOrder', { way }, { member: first })];
};

/** CP3 */
const slotsHaveSources: Law = (composition) => {
  const truth = truthOf(composition);
  return composition.members.flatMap((member) =>
    levelsOf(member).flatMap(([level, text]) => [
      ...oddSlotsIn(text).map((odd) =>
        broken('CP3', 'noSlot', { odd, slot: inBraces('member.output') }, { member: member.id, level }),
      ),
      ...slotsIn(text)
        .filter((slot) => truth(slot) === null)
        .map((slot) => broken('CP3', 'slotOfNothing', { slot: inBraces(slotKey(slot)) }, { member: member.id, level })),
    ]),
  );
};

/** CP4 */
const sourcesComeBefore: Law = (composition) => {
  const isBefore = comesBefore(composition);
  const members = new Set(composition.members.map(({ id }) => id));
  return composition.members.flatMap((member) => {
    const slots = [...slotsOfMember(member).values()];
    const late = slots.filter(({ of }) => of !== GIVEN && members.has(of) && !isBefore(of, member.id));
    return late.map((slot) =>
      broken('CP4', 'slotTooEarly', { slot: inBraces(slotKey(slot)), source: slot.of }, { member: member.id }),
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
      .map(({ name }) => broken('CP5', 'unusedOutput', { output: name }, { member: id, kind: 'note' })),
  );
};

/** CP6 */
const answersAreUnique: Law = ({ members }) =>
  members.flatMap(({ id, outputs }) =>
    outputs.flatMap(({ name, value, tolerance, alternatives }) => {
      const check = { id: 'answer', kind: 'answer', weight: 1, equals: value, tolerance } as const;
      const say = (said: Said, values: LawSentence['values'] = {}): BrokenLaw =>
        broken('CP6', said, { output: name, ...values }, { member: id });
      const other = alternatives
        .filter((text) => judge(check, { of: 'text', text }).score < 1)
        .map((text) => say('twoAnswers', { other: text }));
      if (typeof value === 'number' && tolerance > 0 && tolerance >= Math.abs(value))
        other.push(say('metByNothing', { tolerance: `${tolerance}`, value: `${value}` }));
      if (Array.isArray(value) && new Set(value.map((one) => one.trim().toLowerCase())).size < value.length)
        other.push(say('twiceInList'));
      return other;
    }),
  );

/** CP7 */
const answersStay: Law = ({ members }) =>
  members.flatMap(({ id, outputs }) =>
    outputs
      .filter(({ stable, kept }) => !stable && kept === undefined)
      .map(({ name }) => broken('CP7', 'unkept', { output: name }, { member: id })),
  );

/** CP8 */
const levelFollows: Law = (composition) => {
  if (composition.kind !== 'pathway') return [];
  const wanted = levelWanted(composition);
  const { level, members, apps } = wanted;
  if (level === null) return [broken('CP8', 'ofNoLevel', { members, apps, rules: LEVEL_RULES_TEXT })];
  if (composition.level === undefined || composition.level === level) return [];
  return [broken('CP8', 'otherLevel', { called: composition.level, level, members, apps })];
};

/** CP9 */
const windowsCanBeMet: Law = (composition) => {
  if ('cycle' in orderOf(composition)) return []; // No order at all: CP2.
  const inTheWay = windowsInTheWay(composition);
  if (inTheWay === null) return [];
  const backwards = composition.members.find(({ id }) => inTheWay.length === 1 && id === inTheWay[0]);
  const place = { ...(inTheWay[0] !== undefined && { member: inTheWay[0] }) };
  if (backwards) {
    const { from = '', to = '' } = backwards.window ?? {};
    return [broken('CP9', 'windowBackwards', { to, from }, place)];
  }
  return [broken('CP9', 'windowsInTheWay', { members: inTheWay.map((id) => `“${id}”`).join(', ') }, place)];
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
        otherValue(member.id, level, said, instead),
      ),
    );
  });
};

function otherValue(
  member: string,
  level: InstructionLevel,
  { kind, words }: SaidValue,
  instead: readonly string[],
): BrokenLaw {
  const place = { member, level };
  if (instead.length > 0)
    return broken('CP10', 'otherValue', { level, words, instead: instead.slice(0, 3).join(', ') }, place);
  return broken('CP10', NONE_LIKE_IT[kind], { level, words }, place);
}
const NONE_LIKE_IT: Readonly<Record<SaidValue['kind'], Said>> = {
  time: 'noSuchTime',
  minutes: 'noSuchDuration',
  money: 'noSuchAmount',
  quoted: 'noSuchWords',
  name: 'noSuchName',
};

/** CP11 */
const exactLevelSaysAll: Law = ({ members }) =>
  members.flatMap((member) => {
    const exact = member.instructions.L0;
    const others = levelsOf(member).filter(([level]) => level === 'L1' || level === 'L2');
    if (exact === undefined)
      return others.length === 0 ? [] : [broken('CP11', 'noExactLevel', {}, { member: member.id })];
    const said = new Set(slotsIn(exact).map(slotKey));
    return levelsOf(member).flatMap(([level, text]) =>
      [...new Set(slotsIn(text).map(slotKey))]
        .filter((key) => !said.has(key))
        .map((key) => broken('CP11', 'notInExactLevel', { level, slot: inBraces(key) }, { member: member.id, level })),
    );
  });

/** CP12 */
const vagueLevelsLeaveOut: Law = (composition) => {
  const truth = truthOf(composition);
  return composition.members.flatMap((member) =>
    (['L1', 'L2'] as const).flatMap((level) => {
      const { [level]: text, L0: exact } = member.instructions;
      if (text === undefined || exact === undefined || slotsIn(exact).length === 0) return [];
      if (asksAt(composition, member, level, truth).length > 0) return [];
      return [broken('CP12', 'nothingToAsk', { level }, { member: member.id, level, kind: 'note' })];
    }),
  );
};

/** CP13 */
const pathwayHasAnswers: Law = ({ kind, members, edges }) => {
  if (kind !== 'pathway') return [];
  const answers = ({ outputs }: Member): number => outputs.filter(({ from }) => from === 'answer').length;
  const wrong = members
    .filter((member) => answers(member) !== 1 || member.outputs.length !== 1)
    .map(({ id, outputs }) => broken('CP13', 'notOneAnswer', { count: outputs.length }, { member: id }));
  const others = edges.filter((edge) => edge.kind !== 'data');
  return [
    ...wrong,
    ...others.map(({ from, to, kind: of }) =>
      broken('CP13', 'onlyAnswersJoin', { from, to, kind: of }, { member: to }),
    ),
  ];
};

/** CP23 */
const eventsCanHappen: Law = ({ members, events = [], context }) => {
  const last = members.reduce((most, { window }) => Math.max(most, window ? dayAndTime(window) : 0), 0);
  return events.flatMap(({ id, at }): BrokenLaw[] => {
    if ('after' in at) {
      if (members.some((member) => member.id === at.after)) return [];
      return [broken('CP23', 'eventAfterNobody', { event: id, after: at.after })];
    }
    if (context.begins === undefined) return [broken('CP23', 'eventWithoutDay', { event: id })];
    if (at.to !== undefined && at.to < at.from)
      return [broken('CP23', 'eventBackwards', { event: id, to: at.to, from: at.from })];
    if (dayAndTime(at) <= last) return [];
    return [broken('CP23', 'eventTooLate', { event: id }, { kind: 'note' })];
  });
};

const dayAndTime = ({ day, from }: { day: number; from: string }): number =>
  day * 10_000 + Number(from.replace(':', ''));

/** CP30 */
const stagesAreDeclared: Law = (composition) => {
  const { members, events = [] } = composition;
  const declared = new Set(stagesOf(composition).map(({ name }) => name));
  const missing = (stage: string | undefined): stage is string => stage !== undefined && !declared.has(stage);
  return [
    ...members.flatMap(({ id, stage }) =>
      missing(stage) ? [broken('CP30', 'stageOfNothing', { stage }, { member: id })] : [],
    ),
    ...events.flatMap(({ id, stage }) =>
      missing(stage) ? [broken('CP30', 'eventOnNoStage', { event: id, stage })] : [],
    ),
  ];
};

/** CP31 */
const stagesAreUsed: Law = (composition) => {
  const used = new Set(composition.members.map((member) => stageNameOf(composition, member)));
  return (composition.stages ?? [])
    .filter(({ name }) => !used.has(name))
    .map(({ name }) => broken('CP31', 'unusedStage', { stage: name }, { kind: 'note' }));
};

/** CP14; `known`: the tasks of a workspace, each with the ids of its checks, null where it has none that can be read. */
export const tasksAreThere = (
  { members }: Composition,
  known: ReadonlyMap<string, ReadonlySet<string> | null>,
): BrokenLaw[] =>
  members.flatMap(({ id, task, outputs }) => {
    if (task === null) return [broken('CP14', 'noTaskYet', {}, { member: id, kind: 'note' })];
    if (!known.has(task)) return [broken('CP14', 'taskNotHere', { task }, { member: id })];
    const checks = known.get(task) ?? null;
    return outputs.flatMap(({ name, from }) =>
      from === 'answer' || checks?.has(from.check)
        ? []
        : [broken('CP14', 'noSuchCheck', { output: name, check: from.check, task }, { member: id })],
    );
  });

/** Services that the recipe of a task starts, each with the changes of its data that it names. */
export type NamedServices = readonly { name: string; changes: readonly string[] }[];

/**
 * CP23 of what events change; `known`: the tasks of a workspace, each with its services, null where its recipe cannot be read.
 * Nothing is said while one of its tasks is not known: the change may be that one's.
 */
export function changesAreNamed(
  { members, events = [] }: Pick<Composition, 'members' | 'events'>,
  known: ReadonlyMap<string, NamedServices | null>,
): BrokenLaw[] {
  const recipes = members.map(({ task }) => (task === null ? null : (known.get(task) ?? null)));
  if (recipes.includes(null)) return [];
  const isNamed = (service: string, change: string): boolean =>
    recipes.some((all) => all?.some(({ name, changes }) => name === service && changes.includes(change)));
  return events.flatMap(({ id, happens }) =>
    happens.flatMap((one) => {
      if (one.kind !== 'service' || one.service === '' || one.change === '') return [];
      const { service, change } = one;
      return isNamed(service, change) ? [] : [broken('CP23', 'eventChangesNothing', { event: id, change, service })];
    }),
  );
}

/** CP36 */
const namesAreOne: Law = ({ context, members }) => {
  const twice = (all: readonly { name: string }[]): Set<string> =>
    new Set(all.flatMap(({ name }, at) => (all.findIndex((one) => one.name === name) < at ? [name] : [])));
  return [
    ...[...twice(context.given)].map((given) => broken('CP36', 'givenTwice', { given })),
    ...members.flatMap(({ id, outputs }) =>
      [...twice(outputs)].map((output) => broken('CP36', 'outputTwice', { output }, { member: id })),
    ),
  ];
};

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
  parametersAreUsed,
  placesAreThere,
  parametersGiveValues,
  stagesAreDeclared,
  stagesAreUsed,
  filesComeBefore,
  filesGoOver,
  namesAreOne,
];
