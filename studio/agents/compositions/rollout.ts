import { withContext } from '../../../core/compositions/context-pack.ts';
import { clockBegins } from '../../../core/compositions/day.ts';
import { exactText, knownOf } from '../../../core/compositions/knows.ts';
import { brokenLaws } from '../../../core/compositions/laws.ts';
import { canBeSeen, memberOutcome, outputRead, textFound } from '../../../core/compositions/outputs.ts';
import { nextTurn, rolloutOrder, type Turn } from '../../../core/compositions/rollout.ts';
import { runWords } from '../../../core/compositions/scores.ts';
import { stageNameOf } from '../../../core/compositions/stages.ts';
import { oneLine } from '../../../core/words.ts';
import type { SimulatedUser } from '../../../schemas/agents.ts';
import type { Composition, Member } from '../../../schemas/composition.ts';
import type { CompositionRun, MemberResult } from '../../../schemas/composition-run.ts';
import { errorBody, StudioError, whyNot } from '../../../schemas/errors.ts';
import type { InstructionLevel } from '../../../schemas/instruction-levels.ts';
import { keepRun } from '../../documents/joined/run-files.ts';
import { hashInside } from '../../files/hash.ts';
import { type Beside, openBeside } from '../../play/beside.ts';
import { checksOfTask } from '../../play/checks/checks-file.ts';
import { lookFor } from '../../play/checks/evaluate.ts';
import { pathsOfTask } from '../../play/recipe.ts';
import { clockUnable } from '../../play/stage/clock.ts';
import { copiesOf } from '../../play/stage/copies.ts';
import type { SetStage } from '../../play/stage/set-stage.ts';
import { attachedFiles } from '../../store/attachments.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { MemberDeed } from './actor.ts';
import { beginRun, type Plan, type RolloutWishes } from './begin-run.ts';
import { type Day, needChanges, openDay } from './day.ts';
import { firstMatch } from './first-match.ts';
import { clockOf, handOver, needPlatforms, openStages, type RunStages, takeHomes } from './run-stages.ts';
import { commonRecipe, type MemberStage, type RecipeFor, stagesOfMembers } from './stage.ts';
import { takeFiles } from './taken-files.ts';

/**
 * Runs a composition: its tasks one after another, on one stage or on those that it declares, in the order and with the texts that
 * core/compositions decides. Each result is written down after its task, with a copy of the home, so that it can be gone on with.
 */

/**
 * Throws USAGE for a composition that breaks a law, has a cycle, or has a task of which nobody could say whether it was done; and
 * for a file that says what an answer was and is not there.
 */
export async function planRollout(workspace: Workspace, composition: Composition, recipeFor: RecipeFor): Promise<Plan> {
  const broken = brokenLaws(composition).filter(({ kind, law }) => kind === 'broken' && NEEDED.has(law));
  const order = rolloutOrder(composition);
  if (broken.length > 0 || order === null) {
    const [first] = broken;
    const said = first ? `${first.law}${first.member === null ? '' : ` ${first.member}`}: ${first.why}` : '';
    const help = `\`compositions check ${composition.id}\` shows all.`;
    throw new StudioError('USAGE', `“${composition.id}” cannot be run: ${said} ${help}`, {
      composition: composition.id,
    });
  }
  needPlatforms(composition, order);
  const stages = await stagesOfMembers(workspace, composition, order, recipeFor);
  for (const { member: id, task, hasChecks } of stages) {
    const member = composition.members.find((one) => one.id === id);
    if (member && !canBeSeen(member, hasChecks)) {
      const why = `nobody could say whether it was done: the task ${task} has no checks, and it has no output that is answered`;
      throw new StudioError('USAGE', `“${id}” cannot be run: ${why}.`, { member: id, task });
    }
  }
  needChanges(composition, (event) => {
    const own = stages.filter(({ stage }) => stage === stageNameOf(composition, event));
    return own.length === 0 ? [] : commonRecipe(own).recipe.services;
  });
  const unable = clockBegins(composition, order) === null ? null : clockUnable();
  if (unable) throw unable;
  return { order, stages, kept: await keptFiles(workspace, composition) };
}

/** Laws without which no order or text can be had; the others are shown by `check`, and a draft may be tried. */
const NEEDED: ReadonlySet<string> = new Set(['CP1', 'CP2', 'CP3', 'CP4', 'CP7', 'CP9', 'CP23', 'CP30', 'CP33']);

/** The files that say what answers were, with their hashes: runs that had others are not of the same truth. */
async function keptFiles(workspace: Workspace, { members }: Composition): Promise<CompositionRun['kept']> {
  const found: CompositionRun['kept'] = [];
  for (const { id: member, task, outputs } of members) {
    for (const { name: output, kept } of outputs) {
      if (!kept || task === null) continue;
      const path = (await attachedFiles(workspace.store, task)).get(kept.file);
      if (path === undefined) {
        const why = `its file “${kept.file}”, which says what it was on ${kept.date}, is not attached to ${task}`;
        throw new StudioError('USAGE', `The output “${output}” of “${member}” may change with time, and ${why}.`, {
          member,
          task,
        });
      }
      found.push({ member, output, file: kept.file, sha256: await hashInside(workspace.dir, path) });
    }
  }
  return found;
}

/**
 * Runs it to its end. Whatever happens the run is kept as far as it came, and given: that a task fails is its result; that the
 * stage or the disk gives out, or that it is stopped, ends it. Throws what setting the stage up throws.
 */
export async function rollOut(wishes: RolloutWishes, plan: Plan): Promise<CompositionRun> {
  const { workspace, progress, signal, actor, withoutCage } = wishes;
  let run = beginRun(wishes, plan);
  const left = run.order.slice(run.results.length);
  const clock = clockOf(run, clockBegins(run.composition, left));
  const { composition } = run;
  const given = { workspace, composition, members: plan.stages, run, actor, clock, withoutCage, progress, signal };
  const stages = await openStages(given);
  const keep = (more: Partial<CompositionRun>): void => {
    run = { ...run, ...more };
    keepRun(workspace, run);
  };
  /** Writing waits for the disk: where nothing happened there is nothing to write. */
  const keepEvents = (events: NonNullable<CompositionRun['events']>): boolean => {
    const changed = events.length > (run.events?.length ?? 0);
    if (changed) keep({ events });
    else run = { ...run, events };
    return changed;
  };
  /** Stages whose home may not be as it was when it was last copied. */
  const changed = new Set<string>();
  const day = openDay({
    composition,
    seed: wishes.seed,
    clock: stages.clock,
    on(id) {
      const event = composition.events?.find((one) => one.id === id);
      const name = stageNameOf(composition, event ?? {});
      const place = stages.on(name);
      changed.add(name);
      return place;
    },
    progress,
    signal,
  });
  const beside = openBeside();
  try {
    keep({});
    for (;;) {
      const turn = await nextOn(stages, run);
      if (turn.do === 'end') break;
      const { id } = turn.member;
      keep({ begun: id });
      if (turn.do === 'run') keepEvents(await day.until(id, run));
      const name = stageNameOf(composition, turn.member);
      const isNamed = composition.stages !== undefined;
      const said = `${run.results.length + 1} of ${run.order.length}: ${id}${isNamed ? ` on “${name}”` : ''}`;
      let result: MemberResult;
      if (turn.do === 'run') {
        changed.add(name);
        const { stage } = stages.on(name);
        // Written down at once: a kill leaves the link to what was recorded up to then.
        const recorded = (recording: string): void => keep({ half: { member: id, recording } });
        result = await runMember(wishes, {
          turn,
          stage,
          stages,
          plan,
          day,
          beside,
          recorded,
          said,
          before: run.results,
        });
      } else result = passedOver(turn);
      if (isNamed) result = { ...result, stage: name };
      run = withoutHalf(run);
      keep({ begun: null, results: [...run.results, result] });
      keepEvents(await day.after(id, run));
      progress(`${said}: ${result.outcome}${result.why === '' ? '' : ` (${oneLine(result.why).slice(0, 300)})`}`);
      const taken = await takeHomes(stages, [...changed], {
        root: copiesOf(workspace.dir),
        note: `run ${run.id}, after ${id}`,
        signal,
      });
      changed.clear();
      if (taken.length === 0) continue;
      // They are written to the disk while the next recording begins; nothing is acted before they are there.
      beside.begin(async () => {
        const copies: Record<string, string> = {};
        for (const home of taken) copies[home.of] = (await home.keep()).id;
        const copy = Object.values(copies)[0] ?? null;
        const made = { copy, ...(isNamed && { copies }) };
        keep({ results: run.results.map((one) => (one.member === id ? { ...one, ...made } : one)) });
      });
    }
    await beside.done();
    const [why] = stages.gone.values();
    keep({ ended: why === undefined ? { how: 'done', why: '' } : { how: 'broke', why } });
  } catch (error) {
    const isStopped = signal.aborted || (error instanceof StudioError && error.code === 'CANCELLED');
    const ended = isStopped
      ? { how: 'stopped' as const, why: 'it was stopped' }
      : { how: 'broke' as const, why: errorBody(error).message };
    run = { ...run, ended };
    for (const { member, recording } of run.half ? [run.half] : [])
      progress(`${member} was broken off: ${recording} is its recording up to there`);
    try {
      keepRun(workspace, run);
    } catch (second) {
      // It is on the disk as it was after its last task: without an end, which says the same.
      progress(`warning: the end of the run could not be written down: ${whyNot(second)}`);
    }
  } finally {
    // Why it failed is the end of the run, unless that ended before.
    await beside.done().catch(() => undefined);
    await stages.end();
  }
  progress(runWords(run));
  return run;
}

/** The next turn; that the stage of the task it would be is gone is found before the task is begun. */
async function nextOn(stages: RunStages, { composition, order, level, results }: CompositionRun): Promise<Turn> {
  const turn = nextTurn(composition, order, level, results, stages.gone);
  if (turn.do !== 'run' || !(await stages.hasGone(stageNameOf(composition, turn.member)))) return turn;
  return nextTurn(composition, order, level, results, stages.gone);
}

const withoutHalf = ({ half: _half, ...run }: CompositionRun): CompositionRun => run;

const passedOver = ({ member, level, outcome, why, stageGone }: Turn & { do: 'pass-over' }): MemberResult => ({
  member: member.id,
  outcome,
  why,
  level,
  instruction: null,
  recording: null,
  score: 0,
  steps: 0,
  questions: 0,
  tookMs: 0,
  cost: null,
  answer: null,
  values: [],
  ...(stageGone && { stageGone }),
  copy: null,
});

type MemberWork = {
  turn: Turn & { do: 'run' };
  stage: SetStage;
  stages: RunStages;
  plan: Plan;
  day: Day;
  beside: Beside;
  recorded(recording: string): void;
  said: string;
  before: readonly MemberResult[];
};

/** Does a task. That its stage gives out meanwhile is its result, where another stage is there. */
async function runMember(wishes: RolloutWishes, work: MemberWork): Promise<MemberResult> {
  const { turn, stages, before, day, said } = work;
  const { composition, signal, progress } = wishes;
  const { member, level, instruction } = turn;
  const own = work.plan.stages.find((one) => one.member === member.id);
  if (!own) throw new RangeError(`no stage of ${member.id}`);
  const from = day.time();
  progress(
    `${said}:${from === null ? '' : ` ${from.slice(0, 16).replace('T', ' ')}`} ${oneLine(instruction).slice(0, 300)}`,
  );
  for (const line of handOver(composition, turn, before)) progress(`${said}: ${line}`);
  const began = performance.now();
  let half: string | null = null;
  const recorded = (recording: string): void => {
    half = recording;
    work.recorded(recording);
  };
  const clock = (): Pick<MemberResult, 'clock'> => (from === null ? {} : { clock: { from, to: day.time() ?? from } });
  try {
    const result = { ...(await doMember(wishes, { ...work, recorded }, own)), ...clock() };
    if (result.outcome === 'passed' || !(await stages.hasGone(own.stage))) return result;
    const why = [stages.gone.get(own.stage), result.why].filter((part) => part !== undefined && part !== '').join('; ');
    return { ...result, why, stageGone: true };
  } catch (error) {
    if (signal.aborted || !(await stages.hasGone(own.stage))) throw error;
    const tookMs = Math.round(performance.now() - began);
    const kept = half === null ? 'nothing of it was recorded' : `${half} is its recording up to there`;
    const why = `${stages.gone.get(own.stage) ?? ''}: ${whyNot(error).replace(/\.$/, '')}; ${kept}`;
    const lost = passedOver({ do: 'pass-over', member, level, outcome: 'blocked', why, stageGone: true });
    return { ...lost, outcome: 'failed', instruction, recording: half, tookMs, ...clock() };
  }
}

async function doMember(
  wishes: RolloutWishes,
  { turn, stage, stages, beside, recorded, said, before }: MemberWork,
  own: MemberStage,
): Promise<MemberResult> {
  const { actor, progress, signal, timeMs, workspace, composition } = wishes;
  const { member, level, instruction } = turn;
  const tell = (text: string): void => progress(`${said}: ${text}`);
  const taken = await takeFiles({ composition, member, stages, before, tell });
  if ('why' in taken) {
    const { why, stageGone } = taken;
    return passedOver({ do: 'pass-over', member, level, outcome: 'blocked', why, ...(stageGone && { stageGone }) });
  }
  await stage.open(own.recipe, { signal });
  const told = wishes.context === 'pack' ? withContext(wishes.composition, before, instruction) : instruction;
  const began = performance.now();
  const user = wishes.ask ? userOf(wishes.composition, member, level, wishes.ask) : null;
  const deed = await actor.act({
    member,
    task: own.task,
    recipe: own.recipe,
    instruction: told,
    user,
    stage,
    timeMs,
    progress: tell,
    beside,
    recorded,
    signal,
  });
  const tookMs = Math.round(performance.now() - began);
  const values = await valuesOf(workspace, member, own.task, deed, stage);
  const { recording, answer, steps, questions, cost, stopped } = deed;
  const came = memberOutcome(member, { checked: deed.checked, values });
  const why = [came.why, came.outcome === 'failed' ? (stopped ?? '') : ''].filter((part) => part !== '').join('; ');
  return {
    member: member.id,
    ...came,
    why,
    level,
    instruction,
    recording,
    steps,
    questions: questions.length,
    ...(user && { asked: questions.map(({ question, answer: said, kind }) => ({ question, answer: said, kind })) }),
    tookMs,
    cost,
    answer,
    values,
    ...(taken.files.length > 0 && { files: taken.files }),
    copy: null,
  };
}

/** The user of one task: the same seed answers every task of a run in a way of its own. */
function userOf(
  composition: Composition,
  member: Member,
  level: InstructionLevel,
  { most, user, seed, played }: NonNullable<CompositionRun['ask']>,
): SimulatedUser {
  const at = composition.members.indexOf(member);
  const knows = knownOf(composition, member, level);
  const rule = { kind: user, most, seed: (seed + at) & 0x7fff_ffff, knows };
  return played ? { ...rule, played: { ...played, exact: exactText(composition, member) } } : rule;
}

/** What its outputs are now: what was answered, or what their checks look at on the stage. */
async function valuesOf(
  workspace: Workspace,
  { outputs }: Member,
  task: string,
  { answer }: MemberDeed,
  stage: SetStage,
): Promise<MemberResult['values']> {
  const values: MemberResult['values'] = [];
  const checks = outputs.some(({ from }) => from !== 'answer') ? await checksOfTask(workspace, task) : null;
  const files = checks ? await pathsOfTask(workspace.store, workspace.dir, task) : {};
  for (const output of outputs) {
    const { from } = output;
    let text = answer;
    if (from !== 'answer') {
      const check = checks?.checks.find(({ id }) => id === from.check);
      const place = { home: stage.home, still: null, titles: null, files, answer };
      text = check ? textFound(check, await lookFor(check, place, stage.env), firstMatch) : null;
    }
    const read = outputRead(output, text);
    if (read) values.push(read);
  }
  return values;
}
