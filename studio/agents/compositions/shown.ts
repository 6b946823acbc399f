import { asksAt } from '../../../core/compositions/asks.ts';
import { humanTables, verifiedTable } from '../../../core/compositions/human.ts';
import { linesBeside } from '../../../core/compositions/lanes.ts';
import { rolloutOrder } from '../../../core/compositions/rollout.ts';
import { actorName, scoreTables } from '../../../core/compositions/scores.ts';
import { levelsOf, textPieces, truthOf, wordsOfValue } from '../../../core/compositions/slots.ts';
import { stageNameOf } from '../../../core/compositions/stages.ts';
import { catalogueTable, designTable, levelsTable, type Printed } from '../../../core/compositions/tables.ts';
import { filesTaken } from '../../../core/compositions/taken-files.ts';
import type {
  CompositionListed,
  CompositionShown,
  EventShown,
  InstanceListed,
  RunListed,
} from '../../../schemas/api/compositions.ts';
import type { BrokenLaw, Composition, Happening, Member, ScenarioEvent } from '../../../schemas/composition.ts';
import type { CompositionRun, MemberResult, RanEvent } from '../../../schemas/composition-run.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { compositionOf, hasComposition, readListed } from '../../documents/joined/composition-files.ts';
import { compositionHeads } from '../../documents/joined/composition-heads.ts';
import { findRun, listCompositionRuns } from '../../documents/joined/run-files.ts';
import { verifiedIds } from '../../documents/joined/verification-log.ts';
import { brokenIn } from '../../play/compositions.ts';
import { breathe } from '../../store/breathe.ts';
import type { Workspace } from '../../store/workspace.ts';
import { keptCompositions, standingIn, verifiedIn } from './verification.ts';

/** Compositions and their runs as a page shows them. */

const NOTHING_SHOWN = { level: null, members: 0, laws: null, runs: 0 } as const;

/** All of the workspace, by their names; one that cannot be read says why. */
export async function compositionsListed(workspace: Workspace, person?: string): Promise<CompositionListed[]> {
  const { runs } = listCompositionRuns(workspace);
  const keptFrom = await keptCompositions(workspace, person);
  const listed: CompositionListed[] = [];
  const verified = new Set(verifiedIds(workspace));
  const ran = Map.groupBy(runs, (run) => run.composition.id);
  for (const { id, why, kind, title, level, members, origin } of await compositionHeads(workspace)) {
    const kept = keptFrom.has(id);
    if (kept && why === null) {
      listed.push({ id, why, kind, title, ...NOTHING_SHOWN, template: null, verification: 'begun', kept });
      continue;
    }
    // An instance kept all laws when it was made: those of all of them are looked at where one is opened.
    const composition = origin === null || verified.has(id) ? readListed(workspace, id).composition : null;
    listed.push({
      id,
      why,
      kind,
      title,
      level,
      members,
      laws: composition && origin === null ? lawCounts(await brokenIn(workspace, composition)) : null,
      runs: ran.get(id)?.length ?? 0,
      template: origin?.template ?? null,
      verification: composition && verified.has(id) ? standingIn(workspace, composition) : 'none',
      kept,
    });
    await breathe();
  }
  return listed;
}

function lawCounts(laws: readonly BrokenLaw[]): { broken: number; notes: number } {
  const broken = laws.filter(({ kind }) => kind === 'broken').length;
  return { broken, notes: laws.length - broken };
}

type Opened = {
  composition: CompositionShown;
  laws: BrokenLaw[];
  instances: InstanceListed[];
  runs: RunListed[];
  unread: { id: string; why: string }[];
  tables: Printed[];
  scores: Printed[];
};

/** Throws what `compositionOf` throws. */
export async function compositionOpened(workspace: Workspace, id: string, person?: string): Promise<Opened> {
  const composition = compositionOf(workspace, id);
  const { runs, unread } = listCompositionRuns(workspace);
  const own = runs.filter((run) => run.composition.id === id);
  const verified = verifiedIn(workspace, composition);
  return {
    composition: shown(workspace, composition, rolloutOrder(composition)),
    instances: await instancesOf(workspace, id, await keptCompositions(workspace, person)),
    laws: await brokenIn(workspace, composition),
    runs: own.map(runListed),
    unread,
    tables:
      composition.kind === 'pathway'
        ? [designTable(composition), verifiedTable(verified)]
        : [catalogueTable(composition), levelsTable(composition)],
    scores: [...scoreTables(own), ...humanTables([verified])],
  };
}

type OpenedRun = {
  run: RunListed;
  results: MemberResult[];
  begun: string | null;
  half: NonNullable<CompositionRun['half']> | null;
  composition: CompositionShown;
  events: RanEvent[];
};

/** Throws USAGE for a run of another composition, and what `findRun` throws. */
export function runOpened(workspace: Workspace, id: string, run: string): OpenedRun {
  const found = findRun(workspace, run);
  const { composition, order, results, begun, half = null, events = [] } = found;
  if (composition.id !== id)
    throw new StudioError('USAGE', `The run ${found.id} is one of “${composition.id}”, not of “${id.slice(0, 80)}”.`, {
      run: found.id,
    });
  return { run: runListed(found), results, begun, half, composition: shown(workspace, composition, order), events };
}

/** Those of a template that are here, without those that are kept from whoever asks. */
async function instancesOf(
  workspace: Workspace,
  template: string,
  kept: ReadonlySet<string>,
): Promise<InstanceListed[]> {
  const found = (await compositionHeads(workspace)).flatMap(({ id, origin }): InstanceListed[] => {
    return origin?.template === template && !kept.has(id)
      ? [{ id, seed: origin.seed, number: origin.number, values: origin.values }]
      : [];
  });
  return found.sort((a, b) => a.seed - b.seed || a.number - b.number);
}

function shown(workspace: Workspace, composition: Composition, order: readonly string[] | null): CompositionShown {
  const { id, kind, title, task, level, context, members, origin } = composition;
  const rows = order ?? members.map((member) => member.id);
  const truth = truthOf(composition);
  return {
    id,
    kind,
    title,
    task: task ?? null,
    level: level ?? null,
    persona: context.persona ?? null,
    preferences: context.preferences,
    given: context.given.map(({ name, value, varies = null }) => ({ name, value, varies })),
    origin: origin === undefined ? null : { ...origin, isHere: hasComposition(workspace, origin.template) },
    members: rows.flatMap((row) => {
      const member = members.find((one) => one.id === row);
      return member ? [memberShown(composition, member, truth)] : [];
    }),
    lines: linesBeside(composition, rows),
    begins: context.begins ?? null,
    events: (composition.events ?? []).map((event) => eventShown(composition, event)),
    stages: composition.stages ?? [],
  };
}

const stageShown = (composition: Composition, named: Pick<Member, 'stage'>): string | null =>
  composition.stages === undefined ? null : stageNameOf(composition, named);

function eventShown(composition: Composition, event: ScenarioEvent): EventShown {
  const { id, at, happens } = event;
  const isAfter = 'after' in at;
  return {
    id,
    after: isAfter ? at.after : null,
    stage: stageShown(composition, event),
    window: isAfter ? null : windowShown(at),
    happens: happens.map((one) => ({ kind: one.kind, about: aboutOf(one) })),
  };
}

function aboutOf(happens: Happening): string {
  switch (happens.kind) {
    case 'file':
      return happens.to;
    case 'mail':
      return `${happens.from}: ${happens.subject}`;
    case 'notification':
      return happens.text === '' ? happens.title : `${happens.title}: ${happens.text}`;
    case 'service':
      return `${happens.service}: ${happens.change}`;
    case 'window':
      return happens.title;
  }
}

function windowShown({ day, from, to }: NonNullable<Member['window']>): NonNullable<EventShown['window']> {
  return { day, from, to: to ?? null };
}

function memberShown(
  composition: Composition,
  member: Member,
  truth: ReturnType<typeof truthOf>,
): CompositionShown['members'][number] {
  const trueValue = (slot: string): string | null => {
    const [of = '', output = ''] = slot.split('.');
    return truth({ of, output });
  };
  return {
    id: member.id,
    task: member.task,
    stage: stageShown(composition, member),
    window: member.window === undefined ? null : windowShown(member.window),
    place: member.place ?? null,
    narration: member.narration ?? null,
    levels: levelsOf(member).map(([level, text]) => {
      const pieces = textPieces(text).map((piece) => {
        return { ...piece, value: piece.slot === null ? null : trueValue(piece.slot) };
      });
      return { level, pieces, asks: level === 'L1' || level === 'L2' ? asksAt(composition, member, level, truth) : [] };
    }),
    outputs: member.outputs.map(({ name, value }) => ({ name, value: wordsOfValue(value) })),
    files: filesTaken(member),
  };
}

function runListed(run: CompositionRun): RunListed {
  const { id, at, level, order, results, ended } = run;
  const count = (...outcomes: readonly MemberResult['outcome'][]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const sum = (of: (one: MemberResult) => number): number => results.reduce((all, one) => all + of(one), 0);
  return {
    id,
    at,
    actor: actorName(run),
    level,
    tasks: order.length,
    passed: count('passed'),
    failed: count('failed'),
    passedOver: count('blocked', 'collapsed'),
    steps: sum(({ steps }) => steps),
    questions: sum(({ questions }) => questions),
    ended,
  };
}
