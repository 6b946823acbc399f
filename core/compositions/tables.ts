import type { Composition } from '../../schemas/composition.ts';
import { largestOf, smallestOf } from '../lists.ts';
import { appsOf, LEVEL_RULES, levelWanted } from './levels.ts';
import { bind, levelsOf, truthOf, wordsOfValue } from './slots.ts';

/** The papers' tables of compositions: rows of cells, the first one the heading. */

export type Printed = { title: string; rows: string[][] };

/** NaturalGAIA, table 3: one pathway as it was designed. */
export function designTable(composition: Composition): Printed {
  const { members } = composition;
  const steps = members.flatMap(({ way }) => way);
  const level = composition.level ?? levelOf(composition);
  return {
    title: 'Table 3: task definition',
    rows: [
      ['Task', taskOf(composition)],
      ['Level', level === null ? 'none' : String(level)],
      ['Steps (human)', numbered(steps)],
      ['Ground truth', numbered(truths(composition))],
      ['Tools', appsOf(composition).join(', ')],
      ['Number of atomic tasks', String(members.length)],
    ],
  };
}

/** An answer that somebody gave on a platform. */
export type MemberAnswer = { platform: string; member: string; matches: boolean };

/** NaturalGAIA, table 4: the same on each platform; without answers it says that nobody verified it there. */
export function platformTable(composition: Composition, answers: readonly MemberAnswer[] = []): Printed {
  const { members } = composition;
  const platforms = [...new Set(members.flatMap(({ apps }) => Object.keys(apps)))].sort();
  const mark = (platform: string, member: string): string => {
    const found = answers.filter((one) => one.platform === platform && one.member === member);
    if (found.length === 0) return 'not verified';
    return found.every(({ matches }) => matches) ? '✓' : '✗';
  };
  const tools = (platform: string): string =>
    [...new Set(members.flatMap(({ apps }) => apps[platform] ?? []))].join(', ');
  return {
    title: 'Table 4: cross-platform verification',
    rows: [
      ['Operating system', ...platforms],
      ['Tools', ...platforms.map(tools)],
      ['Ground truth', ...platforms.map(() => numbered(truths(composition)))],
      ...members.map(({ id }, n) => [`Answer of atomic task ${n + 1}`, ...platforms.map((one) => mark(one, id))]),
    ],
  };
}

/** NaturalGAIA, table 5: pathways by their level. Those of no level count in the whole alone. */
export function levelTable(compositions: readonly Composition[]): Printed {
  const pathways = compositions.filter(({ kind }) => kind === 'pathway');
  const row = (name: string, these: readonly Composition[]): string[] => {
    const counts = (of: (one: Composition) => number): [string, string] => {
      const all = these.map(of);
      if (all.length === 0) return ['–', '–'];
      const mean = all.reduce((sum, n) => sum + n, 0) / all.length;
      return [mean.toFixed(1), `${smallestOf(all)}~${largestOf(all)}`];
    };
    return [
      name,
      String(these.length),
      ...counts((one) => appsOf(one).length),
      ...counts(({ members }) => members.length),
    ];
  };
  return {
    title: 'Table 5: statistics',
    rows: [
      ['Difficulty level', 'Num', 'Tools avg', 'Tools range', 'Atomic tasks avg', 'Atomic tasks range'],
      ...LEVEL_RULES.map(({ level }) =>
        row(
          String(level),
          pathways.filter((one) => levelOf(one) === level),
        ),
      ),
      row('Overall', pathways),
    ],
  };
}

/** ScenDroid, B.1: the catalogue of a scenario, a task a row. */
export function catalogueTable(composition: Composition): Printed {
  const truth = truthOf(composition);
  return {
    title: `B.1: ${composition.title}`,
    rows: [
      ['Time', 'Place', 'Narration', 'Instruction', 'Depends on'],
      ...composition.members.map(({ id, window, place, narration, instructions }) => [
        timeWords(window),
        place ?? '',
        narration ?? '',
        bind(instructions.base, truth),
        composition.edges
          .filter(({ to }) => to === id)
          .map((edge) => `${edge.from} (${edge.kind})`)
          .join(', '),
      ]),
    ],
  };
}

/** ScenDroid, B.2: the levels of each instruction, as they are given. */
export function levelsTable(composition: Composition): Printed {
  const truth = truthOf(composition);
  return {
    title: `B.2: ${composition.title}, L0 to L2`,
    rows: [
      ['Time', 'Level', 'Instruction'],
      ...composition.members.flatMap((member) =>
        levelsOf(member).map(([level, text]) => [timeWords(member.window), level, bind(text, truth)]),
      ),
    ],
  };
}

const levelOf = (composition: Composition): number | null => levelWanted(composition).level;

const truths = ({ members }: Composition): string[] =>
  members.flatMap(({ outputs }) => outputs.map(({ value }) => wordsOfValue(value)));

const numbered = (lines: readonly string[]): string => lines.map((line, n) => `${n + 1}. ${line}`).join(' ');

/** The whole task; of one that nobody wrote for itself, its members' questions. */
const taskOf = (composition: Composition): string =>
  composition.task ??
  composition.members.map(({ instructions }) => bind(instructions.base, truthOf(composition))).join(' ');

/** `day 2 08:50 to 09:10`; empty: it has no window. */
const timeWords = (window: Composition['members'][number]['window']): string =>
  window === undefined
    ? ''
    : `${window.day > 1 ? `day ${window.day} ` : ''}${window.from}${window.to === undefined ? '' : ` to ${window.to}`}`;
