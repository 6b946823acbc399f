import { randomUUID } from 'node:crypto';
import { humanTables, type Verified, verifiedNow, verifiedTable } from '../../../core/compositions/human.ts';
import { wordsOfValue } from '../../../core/compositions/slots.ts';
import {
  endsClaim,
  isKeptFrom,
  judgeAnswers,
  judgeSubmit,
  membersOn,
  platformsLeft,
  platformsOf,
  stageDoneBy,
  type Verification,
  verificationOf,
  verificationStanding,
  whyNotVerify,
} from '../../../core/compositions/verification.ts';
import { passedOver } from '../../../native/log/log.ts';
import type {
  VerificationItem,
  VerificationShown,
  VerificationStanding,
  VerificationWork,
} from '../../../schemas/api/composition-verification.ts';
import type { Composition } from '../../../schemas/composition.ts';
import {
  VERIFICATION_STAGES,
  type VerificationStage,
  type VerificationState,
} from '../../../schemas/composition-terms.ts';
import type { VerificationAct, VerificationEvent } from '../../../schemas/composition-verification.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { compositionIds, compositionOf, readListed } from '../../documents/joined/composition-files.ts';
import { compositionHeads } from '../../documents/joined/composition-heads.ts';
import { addingTo, readVerification, verifiedIds, versionOfContent } from '../../documents/joined/verification-log.ts';
import { breathe } from '../../store/breathe.ts';
import { findPerson, listPeople } from '../../store/people.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';

/** Verification of compositions by people, as each of them may see it. */

/** The person who asks, of the workspace; null: somebody who does not say, or a name that nobody here has. */
async function knownPerson(workspace: Workspace, person: string | undefined): Promise<string | null> {
  return person === undefined ? null : ((await findPerson(workspace.store, person))?.id ?? null);
}

/**
 * The compositions of which this person may see the top-level task alone, since they, or somebody who does not say who they are, do
 * them blind; and those of one family with them: a template and its instances ask for the same by other values.
 */
export async function keptCompositions(workspace: Workspace, person: string | undefined): Promise<Set<string>> {
  const ids = verifiedIds(workspace);
  if (ids.length === 0) return new Set();
  const own = ownKept(workspace, ids, await knownPerson(workspace, person));
  if (own.length === 0) return new Set();
  const templates = new Set(own.map((id) => templateOf(workspace, id)));
  const family = (await compositionHeads(workspace)).filter(({ id, origin }) => templates.has(origin?.template ?? id));
  return new Set([...own, ...family.map(({ id }) => id)]);
}

const ownKept = (workspace: Workspace, ids: readonly string[], who: string | null): string[] =>
  ids.filter((id) => isKeptFrom(verificationOf(readVerification(workspace, id)), who));

/** The template that a composition is an instance of; itself where it is none, or cannot be read. */
function templateOf(workspace: Pick<Workspace, 'dir'>, id: string): string {
  try {
    return compositionOf(workspace, id).origin?.template ?? id;
  } catch {
    return id;
  }
}

/** The people who have opened or verified one of a family, by its template: none of them does another one of it blind. */
function seenInFamilies(workspace: Workspace): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  for (const id of verifiedIds(workspace)) {
    const verification = verificationOf(readVerification(workspace, id));
    const template = templateOf(workspace, id);
    const handed = verification.handed.map(({ person }) => person);
    seen.set(template, new Set([...(seen.get(template) ?? []), ...verification.seen, ...handed]));
  }
  return seen;
}

/** The same verification, by which those who know another one of the family have seen this one. */
function withFamily(
  verification: Verification,
  { id, origin }: Composition,
  families: ReturnType<typeof seenInFamilies>,
): Verification {
  const others = families.get(origin?.template ?? id);
  return others === undefined ? verification : { ...verification, seen: new Set([...verification.seen, ...others]) };
}

/** Throws CONFLICT where all but the top-level task is kept from this person. */
export async function refuseKept(
  workspace: Workspace,
  id: string,
  person: string | undefined,
): Promise<{ who: string | null; verification: Verification }> {
  const verification = verificationOf(readVerification(workspace, id));
  const who = await knownPerson(workspace, person);
  if (isKeptFrom(verification, who)) throw keptWords(id, who);
  const template = templateOf(workspace, id);
  const other = ownKept(workspace, verifiedIds(workspace), who).find((one) => templateOf(workspace, one) === template);
  if (other !== undefined) throw keptWords(other, who);
  return { who, verification };
}

/** The same, and notes that they have opened it (CV3). */
export async function openAs(workspace: Workspace, id: string, person: string | undefined): Promise<void> {
  const { who, verification } = await refuseKept(workspace, id, person);
  if (who === null || verification.seen.has(who) || stageDoneBy(verification, who) !== null) return;
  const composition = compositionOf(workspace, id);
  const name = await nameOf(workspace, who);
  const look = {
    id: randomUUID(),
    person: who,
    name,
    of: versionOfContent(composition),
    act: { type: 'look' as const },
  };
  // In a workspace that can only be read nobody can claim anything either.
  await addingTo(workspace, id, async (events) => (verificationOf(events).seen.has(who) ? null : look)).catch(
    passedOver('look at a composition not noted'),
  );
}

const keptWords = (id: string, who: string | null): StudioError =>
  new StudioError(
    'CONFLICT',
    who === null
      ? `Somebody does “${id}” blind now, so it is shown to people who say who they are. Choose your name.`
      : `You do “${id}” blind: until you have handed in your answers, you see its top-level task alone.`,
    { composition: id },
  );

const nameOf = async (workspace: Workspace, id: string): Promise<string> =>
  (await listPeople(workspace.store)).find((one) => one.id === id)?.name ?? id;

type Wishes = { person: string | undefined };

/** Everything that this person may see of it. Throws what `compositionOf` throws, and reading the log. */
export async function verificationShown(
  workspace: Workspace,
  id: string,
  { person }: Wishes,
): Promise<VerificationShown> {
  const composition = compositionOf(workspace, id);
  const events = readVerification(workspace, id);
  const verification = verificationOf(events);
  const of = versionOfContent(composition);
  const who = await knownPerson(workspace, person);
  const names = await namesOf(workspace, events);
  const claim = who === null ? undefined : verification.claims.get(who);
  const isKept = (await keptCompositions(workspace, person)).has(id);
  // A person who may still do it blind is shown no more than that before they open it.
  const isClosed = isKept || (who !== null && !verification.seen.has(who) && stageDoneBy(verification, who) === null);
  const families = seenInFamilies(workspace);
  const independent = claim?.stage === 'independent';
  const now = verifiedNow(composition, verification, of);
  return {
    id,
    title: composition.title,
    kind: composition.kind,
    task: composition.task ?? null,
    version: of,
    n: verification.n,
    standing: standingShown(verification, { composition, of, names }),
    mine: claim
      ? {
          stage: claim.stage,
          since: claim.at,
          isCurrent: claim.of === of,
          platforms: platformsNow(verification, { who: who ?? '', composition, of, stage: claim.stage }),
        }
      : null,
    claims: VERIFICATION_STAGES.map((stage) => ({
      stage,
      why:
        who === null
          ? 'Choose your name first.'
          : whyNotClaim(withFamily(verification, composition, families), { person: who, stage, composition, of }),
    })),
    isClosed,
    work: isClosed || claim === undefined ? [] : workOf(composition),
    truth: isClosed || independent ? [] : truthOf(composition),
    handed: isClosed
      ? []
      : now.handed
          .filter((one) => !independent || one.person === who)
          .map(({ name, of: _of, judged, recordings, ...one }) => {
            return { ...one, name: names.get(one.person) ?? name, judged: [...judged], recordings: [...recordings] };
          }),
    tables: isClosed || claim ? [] : [verifiedTable(now), ...humanTables([now])],
    history: isClosed || independent ? [] : events.map((event) => historyLine(event, names, of)),
  };
}

const platformsNow = (
  verification: Verification,
  { who, composition, of, stage }: { who: string; composition: Composition; of: string; stage: VerificationStage },
): string[] => (stage === 'blind' ? [''] : platformsLeft(verification, { person: who, composition, of }));

function whyNotClaim(
  verification: Verification,
  { stage, composition, ...rest }: { person: string; stage: VerificationStage; composition: Composition; of: string },
): string | null {
  const why = whyNotVerify(verification, { ...rest, composition, act: { type: 'claim', stage } });
  if (why !== null || stage !== 'blind' || composition.task !== undefined) return why;
  return 'It has no top-level task yet, which is all that somebody who does it blind is told. Write one first.';
}

async function namesOf(workspace: Workspace, events: readonly VerificationEvent[]): Promise<Map<string, string>> {
  const here = (await listPeople(workspace.store)).map(({ id, name }): [string, string] => [id, name]);
  return new Map([...events.map(({ person, name }): [string, string] => [person, name]), ...here]);
}

type Of = { composition: Composition; of: string; names: ReadonlyMap<string, string> };

function standingShown(verification: Verification, { composition, of, names }: Of): VerificationStanding {
  const { stages, verified, outOfDate } = verificationStanding(verification, composition, of);
  const named = (people: readonly string[]): string[] => people.map((one) => names.get(one) ?? one);
  return {
    verified,
    outOfDate,
    stages: stages.map(({ done, inHand, ...one }) => ({ ...one, done: named(done), inHand: named(inHand) })),
  };
}

const workOf = (composition: Composition): VerificationWork[] =>
  composition.members.map((member) => ({
    member: member.id,
    task: member.task,
    question: member.instructions.base,
    way: member.way,
    apps: member.apps,
    platforms: platformsOf(composition).filter((platform) => membersOn(composition, platform).includes(member)),
    outputs: member.outputs.map(({ name }) => name),
  }));

const truthOf = ({ members }: Composition): VerificationShown['truth'] =>
  members.flatMap(({ id, outputs }) =>
    outputs.map(({ name, value }) => ({ member: id, output: name, value: wordsOfValue(value) })),
  );

function historyLine(
  { n, at, person, name, act, facts, of }: VerificationEvent,
  names: ReadonlyMap<string, string>,
  now: string,
): VerificationShown['history'][number] {
  return {
    n,
    at,
    name: names.get(person) ?? name,
    what: act.type,
    stage: act.type === 'claim' ? act.stage : null,
    platform: act.type === 'submit' && act.platform !== '' ? act.platform : null,
    matches: facts?.matches ?? null,
    isOld: of !== now,
  };
}

/** Where each composition stands, for lists. One whose log cannot be read stands nowhere. */
export function standingIn(workspace: Pick<Workspace, 'dir'>, composition: Composition): VerificationState {
  const verification = verificationOf(readVerification(workspace, composition.id));
  const { verified, outOfDate } = verificationStanding(verification, composition, versionOfContent(composition));
  if (verified) return 'verified';
  if (outOfDate) return 'outOfDate';
  return verification.handed.length > 0 || verification.claims.size > 0 ? 'begun' : 'none';
}

/** The work that this person can verify: stages in hand first, then the others. Throws USAGE for somebody who is not of the workspace. */
export async function verificationQueue(workspace: Workspace, { person }: Wishes): Promise<VerificationItem[]> {
  const who = await needPerson(workspace, person);
  const items: VerificationItem[] = [];
  const families = seenInFamilies(workspace);
  for (const one of compositionIds(workspace)) {
    await breathe();
    const { composition } = readListed(workspace, one);
    if (!composition) continue;
    const { id, title } = composition;
    const verification = withFamily(verificationOf(readVerification(workspace, id)), composition, families);
    const of = versionOfContent(composition);
    const mine = verification.claims.get(who);
    for (const stage of VERIFICATION_STAGES) {
      const isMine = mine?.stage === stage;
      if (!isMine && (mine || whyNotClaim(verification, { person: who, stage, composition, of }) !== null)) continue;
      const left = platformsNow(verification, { who, composition, of, stage });
      items.push({ composition: id, title, stage, mine: isMine, platforms: left.filter((one) => one !== '') });
    }
  }
  const place = ({ mine, stage }: VerificationItem): number => (mine ? -1 : VERIFICATION_STAGES.indexOf(stage));
  return items.sort((a, b) => place(a) - place(b));
}

async function needPerson(workspace: Workspace, person: string | undefined): Promise<string> {
  const who = await knownPerson(workspace, person);
  if (who !== null) return who;
  throw new StudioError(
    'USAGE',
    person === undefined
      ? 'Say who verifies it.'
      : `Nobody here is called “${person.slice(0, 80)}”. \`people list\` shows them.`,
    {},
  );
}

/**
 * Does what somebody wants to; an act with an id that is there was done already. Throws CONFLICT in a sentence where they cannot
 * now, USAGE for a recording that shows something else, UNKNOWN_RECORDING, UNKNOWN_COMPOSITION, and what writing throws.
 */
export async function doVerification(
  workspace: Workspace,
  id: string,
  { person, event, act: given }: Wishes & { event: string; act: VerificationAct },
): Promise<void> {
  const who = await needPerson(workspace, person);
  const name = await nameOf(workspace, who);
  const act = await withWholeIds(workspace, given);
  await addingTo(workspace, id, async (events) => {
    if (events.some((one) => one.id === event)) return null;
    const composition = compositionOf(workspace, id);
    const of = versionOfContent(composition);
    const verification = verificationOf(events);
    const wanted = { person: who, act, composition, of };
    const why =
      act.type === 'claim'
        ? whyNotClaim(withFamily(verification, composition, seenInFamilies(workspace)), { ...wanted, stage: act.stage })
        : whyNotVerify(verification, wanted);
    if (why !== null) throw new StudioError('CONFLICT', why, { composition: id });
    const facts = await factsOf(workspace, { verification, name, ...wanted });
    return { id: event, person: who, name, of, act, ...(facts && { facts }) };
  });
}

/** The beginning of a recording's id is enough. Throws UNKNOWN_RECORDING, AMBIGUOUS_ID. */
async function withWholeIds(workspace: Workspace, act: VerificationAct): Promise<VerificationAct> {
  const whole = async (recording: string | null): Promise<string | null> =>
    recording && (await workspace.resolveRecording(recording)).id;
  if (act.type === 'answer') return { ...act, recording: await whole(act.recording) };
  if (act.type !== 'submit') return act;
  const members: (typeof act)['members'] = [];
  for (const one of act.members) members.push({ ...one, recording: await whole(one.recording) });
  return { ...act, members };
}

type Doing = {
  verification: Verification;
  person: string;
  name: string;
  act: VerificationAct;
  composition: Composition;
  of: string;
};

async function factsOf(workspace: Workspace, doing: Doing): Promise<VerificationEvent['facts'] | null> {
  const { verification, person, act, composition } = doing;
  if (act.type !== 'submit' && act.type !== 'answer') return null;
  const given =
    act.type === 'answer'
      ? [{ member: null, recording: act.recording }]
      : act.members.map(({ member, recording }) => ({ member, recording }));
  let us = 0;
  for (const { member, recording } of given) {
    if (recording === null) continue;
    us += (await recordingOf(workspace, doing, { member, recording })).durationUs ?? 0;
  }
  const since = Date.parse(verification.claims.get(person)?.at ?? '');
  const seconds = us > 0 ? us / 1e6 : Math.max(0, (Date.now() - since) / 1000);
  const ends = endsClaim(verification, doing);
  if (act.type === 'answer') return { ...judgeAnswers(composition, act), seconds, ends };
  const judged = judgeSubmit(composition, act);
  return { judged, matches: judged.every(({ matches }) => matches), seconds, ends };
}

/** A whole recording of the member's task that is nobody else's. */
async function recordingOf(
  workspace: Workspace,
  { verification, person, name, composition }: Doing,
  { member, recording }: { member: string | null; recording: string },
): Promise<RecordingEntry> {
  const entry = await workspace.getRecording(recording);
  const refuse = (why: string): never => {
    throw new StudioError('USAGE', `The recording ${entry.id} ${why}. Choose another one.`, { recording: entry.id });
  };
  if (entry.phase !== 'closed') refuse('is not finished yet');
  if (entry.verdict === 'damaged') refuse('is damaged');
  const task = composition.members.find(({ id }) => id === member)?.task ?? null;
  if (task !== null && entry.task !== task) refuse(`is of ${entry.task}, not of ${task}`);
  const other = verification.handed.find(
    (one) => one.person !== person && one.recordings.some((used) => used.recording === entry.id),
  );
  if (other) refuse(`was handed in by ${other.name}`);
  const by = entry.person === null ? undefined : await findPerson(workspace.store, entry.person);
  if (by && by.id !== person) refuse(`was made by ${by.name}, not by ${name}`);
  return entry;
}

/** The work that was handed in for a composition as it is now, of which tables are made. */
export const verifiedIn = (workspace: Pick<Workspace, 'dir'>, composition: Composition): Verified =>
  verifiedNow(composition, verificationOf(readVerification(workspace, composition.id)), versionOfContent(composition));
