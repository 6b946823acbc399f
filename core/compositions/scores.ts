import type { CompositionRun, MemberResult } from '../../schemas/composition-run.ts';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { INSTRUCTION_LEVELS } from '../../schemas/instruction-levels.ts';
import { type ScenarioCase, summarizeScenario } from '../evaluate/scenario.ts';
import { summarizeTrajectories, type TrajectoryCase } from '../evaluate/trajectories.ts';
import { appsOf } from './levels.ts';
import { stageNameOf } from './stages.ts';
import type { Printed } from './tables.ts';

/** Scores of runs (CP21), by the formulas of core/evaluate: SR, AS and CAS of scenarios; WPSR, MATCR and p-ATSR of pathways. */

type Run = Omit<CompositionRun, 'schema' | 'version' | 'kept'>;

/** `player`, `human NAME` (ScenDroid's human row), `direct NAME`, `direct NAME + context + questions`: as tables call who did it; with questions it is the papers' active agent. */
export const actorName = ({ actor, context, ask }: Pick<Run, 'actor' | 'context' | 'ask'>): string =>
  [
    whoDid(actor),
    ...(context === 'pack' ? ['context'] : []),
    ...(ask ? [ask.played ? `questions to ${ask.played.model}` : 'questions'] : []),
  ].join(' + ');

function whoDid(actor: Run['actor']): string {
  if (actor.kind === 'player') return 'player';
  return actor.kind === 'person' ? `human ${actor.name}` : `${actor.agent} ${actor.model}`;
}

/** One that was not begun, and one that is missing, took no step and failed: the papers' sums go over all tasks. */
const casesOf = ({ composition, level, order, results }: Run): ScenarioCase[] =>
  order.map((id) => {
    const result = results.find(({ member }) => member === id);
    return {
      truth: { id, scenario: composition.id, software: '', difficulty: level },
      outcome: {
        score: result?.outcome === 'passed' ? 1 : 0,
        steps: result?.steps ?? 0,
        clarifications: result?.questions ?? 0,
      },
    };
  });

/** All attempts at one pathway are one case (Pass@k). */
function pathwayCase(runs: readonly Run[]): TrajectoryCase {
  const [{ composition, order }] = runs as [Run, ...Run[]]; // A group has one at least.
  const attempts = runs.map(({ results }) => ({
    atomic: order.map((id) => results.find(({ member }) => member === id)?.outcome === 'passed'),
    steps: results.reduce((sum, { steps }) => sum + steps, 0),
    errors: [],
  }));
  return { truth: pathwayTruth(composition), outcome: { attempts } };
}

export const pathwayTruth = (composition: Run['composition']): TrajectoryCase['truth'] => ({
  id: composition.id,
  software: '',
  task: composition.title,
  benchmark: 'naturalgaia',
  difficulty: composition.level === undefined ? null : String(composition.level),
  nodes: composition.members.length,
  applications: Math.max(1, appsOf(composition).length),
});

/** Runs that others go on with count in those alone; one that was broken off or stopped counts as it was left. */
export const countedRuns = <R extends Pick<Run, 'id' | 'resumes'>>(runs: readonly R[]): R[] => {
  const goneOn = new Set(runs.map(({ resumes }) => resumes?.run));
  return runs.filter(({ id }) => !goneOn.has(id));
};

const byActor = (runs: readonly Run[], kind: 'pathway' | 'scenario'): [string, Run[]][] =>
  [
    ...Map.groupBy(
      runs.filter(({ composition }) => composition.kind === kind),
      actorName,
    ),
  ].sort(([a], [b]) => (a < b ? -1 : 1));

const percent = (share: number | null): string => (share === null ? '–' : (share * 100).toFixed(1));
const number = (value: number | null, digits: number): string => (value === null ? '–' : value.toFixed(digits));

export const PATHWAY_HEADING = [
  'Actor',
  'Pathways',
  'Runs',
  'P@1',
  `P@${DEFAULT_OPTIONS.passAttempts}`,
  'WPSR',
  'MATCR',
  'pATSR',
  'Collapsed',
];

/** NaturalGAIA, table 1: who did pathways, by all that they did. */
function pathwayScores(runs: readonly Run[]): Printed {
  return {
    title: 'NaturalGAIA, table 1: pathways',
    rows: [
      PATHWAY_HEADING,
      ...byActor(runs, 'pathway').map(([actor, own]) => {
        const groups = [...Map.groupBy(own, ({ composition }) => composition.id).values()];
        const summary = summarizeTrajectories(
          groups.map((group) => pathwayCase(oldestFirst(group))),
          DEFAULT_OPTIONS,
        );
        const collapsed = own.filter(({ results }) => results.some(({ outcome }) => outcome === 'failed'));
        return [actor, String(groups.length), String(own.length), ...pathwayCells(summary), String(collapsed.length)];
      }),
    ],
  };
}

export const pathwayCells = ({ sr, passK, wpsr, matcr, patsr }: ReturnType<typeof summarizeTrajectories>): string[] =>
  [sr, passK, wpsr, matcr, patsr].map(percent);

const oldestFirst = (runs: readonly Run[]): Run[] => [...runs].sort((a, b) => (a.at < b.at ? -1 : 1));

/** ScenDroid, 3.4 and table 6: who did scenarios, by level. */
function scenarioScores(runs: readonly Run[]): Printed {
  return {
    title: 'ScenDroid, 3.4 and table 6: scenarios',
    rows: [
      ['Actor', 'Level', 'Runs', 'Tasks', 'SR', 'AS', 'CAS', 'Total steps', 'Blocked'],
      ...byActor(runs, 'scenario').flatMap(([actor, own]) =>
        INSTRUCTION_LEVELS.flatMap((level) => {
          const some = own.filter((run) => run.level === level);
          if (some.length === 0) return [];
          const cases = some.flatMap(casesOf);
          const { sr, steps, cas } = summarizeScenario(cases, DEFAULT_OPTIONS);
          const total = cases.reduce((sum, { outcome }) => sum + (outcome?.steps ?? 0), 0);
          const blocked = some.flatMap(({ results }) => results.filter(({ outcome }) => outcome === 'blocked'));
          return [
            [
              actor,
              level,
              String(some.length),
              String(cases.length),
              percent(sr),
              number(steps, 2),
              number(cas, 3),
              String(total),
              String(blocked.length),
            ],
          ];
        }),
      ),
    ],
  };
}

/** ScenDroid, table 7: success by scenario and level. */
function levelScores(runs: readonly Run[]): Printed {
  const scenarios = runs.filter(({ composition }) => composition.kind === 'scenario');
  const actors = [...new Set(scenarios.map(actorName))].sort();
  const rate = (some: readonly Run[]): string =>
    some.length === 0 ? '–' : percent(summarizeScenario(some.flatMap(casesOf), DEFAULT_OPTIONS).sr);
  const row = (name: string, own: readonly Run[]): string[] => [
    name,
    ...actors.flatMap((actor) =>
      INSTRUCTION_LEVELS.map((level) => rate(own.filter((run) => actorName(run) === actor && run.level === level))),
    ),
  ];
  const groups = [...Map.groupBy(scenarios, ({ composition }) => composition.id)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    title: 'ScenDroid, table 7: success rate (%) by scenario and level',
    rows: [
      ['Scenario', ...actors.flatMap((actor) => INSTRUCTION_LEVELS.map((level) => `${actor} ${level}`))],
      ...groups.map(([id, own]) => row(id, own)),
      row('Mean', scenarios),
    ],
  };
}

const BUCKETS: readonly { name: string; has(c: number): boolean }[] = [
  { name: '0', has: (c) => c === 0 },
  { name: '1', has: (c) => c === 1 },
  { name: '2', has: (c) => c === 2 },
  { name: '3 and more', has: (c) => c >= 3 },
];

/** ScenDroid, table 8: tasks by the number of questions that were asked about them. */
export function questionBuckets(tasks: readonly Pick<MemberResult, 'outcome' | 'questions'>[]): Printed {
  return {
    title: 'ScenDroid, table 8: tasks by questions asked',
    rows: [
      ['Questions', 'Tasks', 'SR', 'Mean CAS'],
      ...BUCKETS.map(({ name, has }) => {
        const cases = tasks
          .filter(({ questions }) => has(questions))
          .map(({ outcome, questions }, n): ScenarioCase => {
            return {
              truth: { id: String(n), scenario: '', software: '', difficulty: null },
              outcome: { score: outcome === 'passed' ? 1 : 0, clarifications: questions },
            };
          });
        const { sr, cas } = summarizeScenario(cases, DEFAULT_OPTIONS);
        return [name, String(cases.length), sr === null ? '–' : (sr * 100).toFixed(2), number(cas, 3)];
      }),
    ],
  };
}

/** All tables that the runs have anything for. */
export function scoreTables(runs: readonly Run[]): Printed[] {
  const counted = countedRuns(runs);
  const has = (kind: 'pathway' | 'scenario'): boolean => counted.some(({ composition }) => composition.kind === kind);
  const scenarios = counted.filter(({ composition }) => composition.kind === 'scenario');
  return [
    ...(has('pathway') ? [pathwayScores(counted)] : []),
    ...(has('scenario')
      ? [scenarioScores(counted), levelScores(counted), questionBuckets(scenarios.flatMap(({ results }) => results))]
      : []),
  ];
}

/** One run, a task a row. */
export function runTable({ id, composition, order, results, half }: Run): Printed {
  const isStaged = composition.stages !== undefined;
  const rows = order.map((id, n) => {
    const named = composition.members.find((one) => one.id === id);
    const member = isStaged && named ? `${id} (${stageNameOf(composition, named)})` : id;
    const result = results.find((one) => one.member === id);
    if (!result) {
      const broken = half?.member === id;
      return [String(n + 1), member, broken ? 'broken off' : 'not done', '', '', '', '', broken ? half.recording : ''];
    }
    const { outcome, level, steps, questions, tookMs, recording, why, values } = result;
    const gave = values.map(({ name, value }) => `${name} = ${value.replaceAll(/\s+/g, ' ').slice(0, 40)}`).join(', ');
    return [
      String(n + 1),
      member,
      outcome,
      level,
      String(steps),
      String(questions),
      (tookMs / 1000).toFixed(1),
      recording ?? '',
      gave,
      why,
    ];
  });
  const heading = ['', 'TASK', 'OUTCOME', 'LEVEL', 'STEPS', 'QUESTIONS', 'SECONDS', 'RECORDING', 'GAVE', 'WHY'];
  return {
    title: `${composition.id}, run ${id}`,
    rows: [heading, ...rows.map((row) => heading.map((_, n) => row[n] ?? ''))],
  };
}

/** `3 of 4 done, the path collapsed at “era”`: a run in one line. */
export function runWords({ composition, order, results, ended }: Run): string {
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  const words = [`${passed} of ${order.length} succeeded`];
  const failed = results.find(({ outcome }) => outcome === 'failed');
  if (composition.kind === 'pathway' && failed) words.push(`the path collapsed at “${failed.member}”`);
  const blocked = results.filter(({ outcome }) => outcome === 'blocked').length;
  if (blocked > 0) words.push(`${blocked} blocked`);
  if (ended === null) words.push('broken off');
  else if (ended.how !== 'done') words.push(`${ended.how === 'stopped' ? 'stopped' : 'broke off'}: ${ended.why}`);
  return words.join(', ');
}
