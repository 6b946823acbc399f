import type { Records } from '../../../core/annotate/document.ts';
import { stepIndex } from '../../../core/annotate/subtasks.ts';
import { type Assessment, itemRefusal } from '../../../core/review/decisions.ts';
import { disguise, isOpenCheck } from '../../../core/review/disguise.ts';
import type { Review } from '../../../core/review/project.ts';
import { replicasOf } from '../../../core/review/project.ts';
import {
  inReplicas,
  isBlind,
  mayResolve,
  NOBODY,
  ownDocument,
  replicasWanted,
  type Situation,
  unfitFor,
} from '../../../core/review/rules.ts';
import type { Step } from '../../../schemas/api/models.ts';
import type { Difference } from '../../../schemas/api/review-models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ReviewAct, ReviewActOf } from '../../../schemas/review.ts';
import { listPeople } from '../../store/people.ts';
import type { StoreTransaction } from '../../store/store.ts';
import { findLine } from '../../store/transactions.ts';

/** The conditions on an act besides being allowed: its item is there, and was looked at as it is now. */

type Seen = {
  situation: Situation;
  steps: readonly Step[];
  records: Records;
  assessment: Assessment | null;
  /** The differences between the replicas; empty while nobody adjudicates. */
  differences: readonly Difference[];
};

const usage = (message: string, details: Record<string, unknown> = {}): StudioError =>
  new StudioError('USAGE', `${message} Nothing was changed.`, details);
const conflict = (message: string, details: Record<string, unknown> = {}): StudioError =>
  new StudioError('CONFLICT', `Nothing was changed. ${message}`, details);

/** Throws USAGE, CONFLICT, UNKNOWN_STEP. */
export async function checkAct(trx: StoreTransaction, act: ReviewAct, seen: Seen): Promise<void> {
  const { situation } = seen;
  switch (act.type) {
    case 'plan':
      return checkPlan(act, situation);
    case 'assign':
      return checkAssignment(trx, act, disguise(situation));
    case 'submit':
      checkDocument(act.document, situation);
      return checkVersion(act.version, versionOfOwn(situation));
    case 'withdraw':
      return checkDocument(act.document, situation);
    case 'decide':
      return checkDecision(act, seen);
    case 'comment':
      if (act.pin.action !== null) checkStep(act.pin.action, seen.steps);
      if (act.thread !== null) threadOf(act.thread, situation);
      return;
    case 'resolve':
    case 'unresolve': {
      const refused = mayResolve(situation, threadOf(act.thread, situation));
      if (refused !== null) throw conflict(refused);
      return;
    }
    case 'settle':
      return checkSettling(trx, act, seen);
    case 'verdict':
      checkVersion(act.version, situation.main?.version ?? 0);
      if (act.verdict === 'reject') checkGrounds(act, seen);
      return;
    case 'judge':
      checkStep(act.action, seen.steps);
      if (act.error && (act.error.kind === 'execution') !== (act.error.execution !== null)) {
        throw usage('An execution error says which (operational, knowledge, perceptual); the other kinds do not.');
      }
      return;
    case 'begin':
    case 'claim':
    case 'release':
    case 'reopen':
      return;
  }
}

function checkPlan({ replicas }: ReviewActOf<'plan'>, situation: Situation): void {
  const seen = replicasOf(disguise(situation).review).length;
  // A hidden check cannot become the work of one: somebody seems to be at it.
  const begun = isOpenCheck(situation) ? Math.max(seen, 1) : seen;
  if (begun > 0 && replicas < 2) {
    throw conflict(`${begun} annotate it blind already, so at least two have to.`, { replicas });
  }
}

async function checkAssignment(trx: StoreTransaction, act: ReviewActOf<'assign'>, situation: Situation): Promise<void> {
  const { work, to, due } = act;
  if (new Set(to).size < to.length) throw usage('Somebody is named twice in it.', { to });
  if (to.length === 0 && due !== null) throw usage('A day is given to work that is assigned to somebody.', { due });
  const known = new Set((await listPeople(trx)).map(({ id }) => id));
  const stranger = to.find((person) => !known.has(person));
  if (stranger !== undefined) {
    throw usage(`"${stranger}" is nobody of this workspace. \`people add NAME\` adds somebody.`, { person: stranger });
  }
  if (work === 'review' && to.length > 1) throw usage('One person reviews a recording at a time: name one.', { to });
  const wanted = replicasWanted(situation);
  if (work === 'annotate' && inReplicas(situation) && to.length > wanted) {
    throw conflict(`${wanted} annotate it blind, so it is assigned to ${wanted} at most.`, { wanted });
  }
  for (const person of to) {
    const why = unfitFor(situation, work, person);
    if (why !== null) throw conflict(why, { person });
  }
}

function checkDocument(document: string, situation: Situation): void {
  const own = ownDocument(situation);
  if (document === own) return;
  throw conflict(`You work in "${own ?? 'no document'}" of this recording, not in "${document}".`, { document, own });
}

function versionOfOwn(situation: Situation): number {
  const now = ownDocument(situation) === situation.recording ? situation.main : situation.own;
  return now?.version ?? 0;
}

function checkVersion(looked: number, version: number): void {
  if (looked === version) return;
  throw conflict(`It was changed since you looked (version ${looked}, now ${version}). Look at it again.`, {
    looked,
    version,
  });
}

function checkDecision(act: ReviewActOf<'decide'>, { situation, steps, records }: Seen): void {
  const refused = itemRefusal(act.item, { steps, records });
  // The item of a decision that is taken back may be gone meanwhile.
  if (refused !== null && act.verdict !== null) throw usage(refused, { item: act.item });
  const version = situation.main?.version ?? 0;
  if (act.version > version) throw usage(`The document has no version ${act.version} yet; it is at ${version}.`);
  if (act.verdict === 'reject' && act.reason === null) throw usage('A rejection needs a reason.', { item: act.item });
}

function checkStep(action: string, steps: readonly Step[]): void {
  if (stepIndex(steps).has(action)) return;
  throw new StudioError('UNKNOWN_STEP', `This recording has no step "${action}". Nothing was changed.`, {
    step: action,
  });
}

function threadOf(id: string, situation: Situation) {
  const thread = situation.review.threads.get(id);
  const isTheirs = thread?.entries[0]?.person === situation.person.id;
  if (thread && (isTheirs || !isBlind(situation))) return thread;
  throw usage(`There is no comment "${id}" in this recording.`, { thread: id });
}

async function checkSettling(trx: StoreTransaction, act: ReviewActOf<'settle'>, { situation, differences }: Seen) {
  const found = differences.find(({ id }) => id === act.difference);
  if (!found) throw usage(`The replicas have no difference "${act.difference}".`, { difference: act.difference });
  const sides = found.sides.map(({ document }) => document);
  if (act.side !== null && !sides.includes(act.side)) {
    throw usage(`The difference has no side "${act.side}", but ${sides.join(', ')}.`, { side: act.side, sides });
  }
  if (act.transaction === null) return;
  const line = await findLine(trx, act.transaction);
  if (line?.document === situation.recording) return;
  throw usage(`The main document has no transaction ${act.transaction}.`, { transaction: act.transaction });
}

/** At least one rejection that stands, or reasons in words. */
function checkGrounds(act: ReviewActOf<'verdict'>, { assessment }: Seen): void {
  if ((assessment?.rejected.length ?? 0) > 0) return;
  if (act.reasons.length > 0 && act.comment.trim() !== '') return;
  throw usage('Say what is wrong: reject at least one thing, or give a reason and a comment for the whole.');
}

/** Everybody who wrote in it, as of its submission: nobody's gestures count as those of who submits it. */
export function authorsAt(review: Review, document: string, writers: readonly string[], person: string): string[] {
  const before = review.documents.get(document)?.authors ?? [];
  const named = [...before, ...writers].map((writer) => (NOBODY.has(writer) ? person : writer));
  return [...new Set([...named, person])].toSorted();
}

/** Whoever settled something, and who ends it. */
export function adjudicators({ settled }: Review, person: string): string[] {
  return [...new Set([...[...settled.values()].map((one) => one.person), person])].toSorted();
}
