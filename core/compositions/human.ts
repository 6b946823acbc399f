import type { Composition } from '../../schemas/composition.ts';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { summarizeScenario } from '../evaluate/scenario.ts';
import { summarizeTrajectories } from '../evaluate/trajectories.ts';
import { PATHWAY_HEADING, pathwayCells, pathwayTruth } from './scores.ts';
import { type MemberAnswer, type Printed, platformTable } from './tables.ts';
import type { Handed, Verification } from './verification.ts';

/** Tables of verification: NaturalGAIA's table 4, and the human row of the blind assessment (naturalgaia.txt D.2). */

/** A composition with what was handed in for it as it is now. */
export type Verified = { composition: Composition; handed: readonly Handed[] };

export const verifiedNow = (composition: Composition, { handed }: Verification, of: string): Verified => ({
  composition,
  handed: handed.filter((one) => one.of === of),
});

/** Table 4 of what the independent verifiers answered. */
export function verifiedTable({ composition, handed }: Verified): Printed {
  const answers = handed
    .filter(({ stage }) => stage === 'independent')
    .flatMap(({ platform, judged }) =>
      judged.map(({ member, matches }): MemberAnswer => ({ platform, member, matches })),
    );
  return platformTable(composition, answers);
}

const blindOf = ({ handed }: Verified): Handed[] => handed.filter(({ stage }) => stage === 'blind');

/** A member of a blind assessment is found when all its outputs are; one without outputs goes by the result. */
const foundMembers = ({ members }: Composition, { judged, matches }: Handed): boolean[] =>
  members.map(({ id, outputs }) =>
    outputs.length === 0
      ? matches
      : outputs.every(({ name }) => judged.some((one) => one.member === id && one.output === name && one.matches)),
  );

/** Nothing where nobody did any blind. */
export function humanTables(all: readonly Verified[]): Printed[] {
  const done = all.filter((one) => blindOf(one).length > 0);
  if (done.length === 0) return [];
  const rows = done.flatMap((one) =>
    blindOf(one).map((handed) => {
      const found = foundMembers(one.composition, handed);
      const right = `${found.filter(Boolean).length} of ${found.length}`;
      return [one.composition.id, handed.name, handed.matches ? 'yes' : 'no', right, handed.seconds.toFixed(0)];
    }),
  );
  const head = ['Composition', 'Person', 'Success', 'Tasks found', 'Seconds'];
  return [
    { title: 'Blind assessment by people', rows: [head, ...rows] },
    ...humanPathways(done.filter(({ composition }) => composition.kind === 'pathway')),
    ...humanScenarios(done.filter(({ composition }) => composition.kind === 'scenario')),
  ];
}

/** The human row of NaturalGAIA's table 1, by the formulas of the others. */
function humanPathways(done: readonly Verified[]): Printed[] {
  if (done.length === 0) return [];
  const cases = done.map((one) => ({
    truth: pathwayTruth(one.composition),
    outcome: {
      attempts: blindOf(one).map((handed) => ({ atomic: foundMembers(one.composition, handed), steps: 0, errors: [] })),
    },
  }));
  const attempts = done.flatMap(blindOf);
  const row = [
    'human',
    String(done.length),
    String(attempts.length),
    ...pathwayCells(summarizeTrajectories(cases, DEFAULT_OPTIONS)),
    String(attempts.filter(({ matches }) => !matches).length),
  ];
  return [{ title: 'NaturalGAIA, table 1: the human row', rows: [PATHWAY_HEADING, row] }];
}

function humanScenarios(done: readonly Verified[]): Printed[] {
  if (done.length === 0) return [];
  const cases = done.flatMap((one) =>
    blindOf(one).flatMap((handed) =>
      foundMembers(one.composition, handed).map((isFound, n) => ({
        truth: { id: String(n), scenario: one.composition.id, software: '', difficulty: null },
        outcome: { score: isFound ? 1 : 0, clarifications: 0 },
      })),
    ),
  );
  const { sr } = summarizeScenario(cases, DEFAULT_OPTIONS);
  const row = ['human', String(cases.length), sr === null ? '–' : (sr * 100).toFixed(1)];
  return [{ title: 'ScenDroid, 3.4: the human row', rows: [['Actor', 'Tasks', 'SR'], row] }];
}
