import type { Composition, Member } from '../../schemas/composition.ts';
import { STAGE_PLACES, VERIFICATION_STAGES, type VerificationStage } from '../../schemas/composition-terms.ts';
import type { JudgedAnswer, VerificationAct, VerificationEvent } from '../../schemas/composition-verification.ts';
import { outputRead } from './outputs.ts';

/** Verification in three stages by four people (CV1 to CV6), as a log of what each of them did. */

type Claim = { stage: VerificationStage; of: string; at: string };
export type Handed = {
  person: string;
  name: string;
  at: string;
  stage: VerificationStage;
  of: string;
  platform: string;
  judged: readonly JudgedAnswer[];
  matches: boolean;
  seconds: number;
  /** By member; of blind work that of the whole, under ''. */
  recordings: readonly { member: string; recording: string }[];
};

export type Verification = {
  /** The number of the last event. */
  n: number;
  /** Open ones, by who has them. */
  claims: ReadonlyMap<string, Claim>;
  handed: readonly Handed[];
  /** Persons who opened the composition, or a stage that shows all of it. */
  seen: ReadonlySet<string>;
};

export function verificationOf(events: readonly VerificationEvent[]): Verification {
  const claims = new Map<string, Claim>();
  const handed: Handed[] = [];
  const seen = new Set<string>();
  for (const { person, name, at, of, act, facts } of events) {
    const claim = claims.get(person);
    if (act.type === 'look') seen.add(person);
    else if (act.type === 'release') claims.delete(person);
    else if (act.type === 'claim') {
      claims.set(person, { stage: act.stage, of, at });
      if (act.stage !== 'blind') seen.add(person);
    } else if (claim && facts) {
      const { judged, matches, seconds, ends } = facts;
      const platform = act.type === 'submit' ? act.platform : '';
      const recordings = recordingsOf(act);
      handed.push({ person, name, at, stage: claim.stage, of, platform, judged, matches, seconds, recordings });
      if (ends) claims.delete(person);
    }
  }
  return { n: events.at(-1)?.n ?? 0, claims, handed, seen };
}

function recordingsOf(act: Extract<VerificationAct, { type: 'submit' | 'answer' }>): Handed['recordings'] {
  if (act.type === 'answer') return act.recording === null ? [] : [{ member: '', recording: act.recording }];
  return act.members.flatMap(({ member, recording }) => (recording === null ? [] : [{ member, recording }]));
}

/** The stage that somebody does or did, of whatever version; null: none. */
export const stageDoneBy = ({ claims, handed }: Verification, person: string): VerificationStage | null =>
  claims.get(person)?.stage ?? handed.find((one) => one.person === person)?.stage ?? null;

/** Whether all but the top-level task is kept from them; null: somebody who does not say who they are. */
export const isKeptFrom = ({ claims }: Verification, person: string | null): boolean =>
  person === null ? [...claims.values()].some(({ stage }) => stage === 'blind') : claims.get(person)?.stage === 'blind';

/** The platforms on which it is to be verified; '' alone where it names none. */
export function platformsOf({ members }: Pick<Composition, 'members'>): string[] {
  const named = [...new Set(members.flatMap(({ apps }) => Object.keys(apps)))].sort();
  return named.length === 0 ? [''] : named;
}

/** The members that are done on a platform: those with applications there, and those that name none anywhere. */
export const membersOn = ({ members }: Pick<Composition, 'members'>, platform: string): Member[] =>
  members.filter(({ apps }) => apps[platform] !== undefined || Object.keys(apps).length === 0);

/** The answers of one platform as the comparisons of their outputs find them; a member that nobody recorded does not match. */
export function judgeSubmit(
  composition: Pick<Composition, 'members'>,
  { platform, members }: Extract<VerificationAct, { type: 'submit' }>,
): JudgedAnswer[] {
  return membersOn(composition, platform).flatMap(({ id, outputs }) => {
    const given = members.find(({ member }) => member === id);
    const own = { member: id, output: null, text: '', matches: given?.recording != null };
    const answers = outputs.map((output) => {
      const text = given?.answers.find((one) => one.output === output.name)?.text.trim() ?? '';
      return { member: id, output: output.name, text, matches: outputRead(output, text)?.right === true };
    });
    return [own, ...answers];
  });
}

/**
 * Blind answers are given for the whole task: an output is found where one of them has its value, and one that a later right
 * answer was made of counts as found. The result is right when all is found that nothing else is made of; where there is no output, when
 * the work was recorded.
 */
export function judgeAnswers(
  { members, edges }: Pick<Composition, 'members' | 'edges'>,
  { answers, recording }: Extract<VerificationAct, { type: 'answer' }>,
): { judged: JudgedAnswer[]; matches: boolean } {
  const all = members.flatMap(({ id, outputs }) =>
    outputs.map((output) => {
      const text = answers.find((one) => outputRead(output, one)?.right === true) ?? '';
      const takers = edges.flatMap((edge) =>
        edge.kind === 'data' && edge.from === id && edge.output === output.name ? [edge.to] : [],
      );
      return { member: id, output: output.name, text, takers };
    }),
  );
  const found = new Set(all.flatMap(({ member, text }) => (text === '' ? [] : [member])));
  // From the last ones back; a set that is walked while it grows gives what is added.
  for (const member of found) for (const one of all) if (one.takers.includes(member)) found.add(one.member);
  const results = all.filter(({ takers }) => takers.length === 0);
  return {
    judged: all.map(({ member, output, text, takers }) => {
      return { member, output, text, matches: text !== '' || takers.some((taker) => found.has(taker)) };
    }),
    matches: results.length > 0 ? results.every(({ text }) => text !== '') : recording !== null,
  };
}

type StageState = 'open' | 'waits' | 'inHand' | 'differs' | 'done';
type StageStanding = {
  stage: VerificationStage;
  /** `waits`: for the design. `differs`: something that was handed in does not match, and nobody did it anew yet. */
  state: StageState;
  /** Persons who have done it, so that it counts. */
  done: string[];
  inHand: string[];
  /** How many more can take it. */
  free: number;
};
type Standing = {
  stages: StageStanding[];
  verified: boolean;
  /** Something was handed in for another version than the one that is there now. */
  outOfDate: boolean;
};

/** Where a version of the composition stands (CV4, CV5). */
export function verificationStanding(
  verification: Verification,
  composition: Pick<Composition, 'members'>,
  of: string,
): Standing {
  const { claims, handed } = verification;
  const own = handed.filter((one) => one.of === of);
  const platforms = platformsOf(composition);
  let isDesigned = false;
  const stages = VERIFICATION_STAGES.map((stage): StageStanding => {
    const some = own.filter((one) => one.stage === stage);
    const people = [...new Set(some.map(({ person }) => person))];
    const done = people.filter((person) => {
      const theirs = some.filter((one) => one.person === person);
      const isWhole =
        stage === 'independent'
          ? platforms.every((platform) => theirs.some((one) => one.platform === platform))
          : theirs.length > 0;
      return isWhole && theirs.every(({ matches }) => matches) && isOfOneStage(verification, person);
    });
    const inHand = [...claims].flatMap(([person, claim]) => (claim.stage === stage && claim.of === of ? [person] : []));
    const isDone = done.length >= STAGE_PLACES[stage];
    if (stage === 'design') isDesigned = isDone;
    const waits = !isDesigned && stage !== 'design';
    const free = waits ? 0 : Math.max(0, STAGE_PLACES[stage] - new Set([...done, ...inHand]).size);
    const differs = some.some(({ matches }) => !matches);
    const state = isDone ? 'done' : waits ? 'waits' : differs ? 'differs' : inHand.length > 0 ? 'inHand' : 'open';
    return { stage, state, done, inHand, free };
  });
  const verified = stages.every(({ state }) => state === 'done');
  return { stages, verified, outOfDate: !verified && handed.some((one) => one.of !== of) };
}

/** Logs of two workspaces may come together; whoever did two stages then has done none. */
const isOfOneStage = ({ handed }: Verification, person: string): boolean =>
  new Set(handed.filter((one) => one.person === person).map(({ stage }) => stage)).size === 1;

const STAGE_WORDS: Readonly<Record<VerificationStage, string>> = {
  design: 'the design',
  independent: 'the independent verification',
  blind: 'the blind assessment',
};

type Wanted = { person: string; act: VerificationAct; composition: Pick<Composition, 'members'>; of: string };

/** Why somebody cannot do this now, in a sentence (CV1 to CV3); null: they can. */
export function whyNotVerify(verification: Verification, { person, act, composition, of }: Wanted): string | null {
  const claim = verification.claims.get(person);
  if (act.type === 'claim') return whyNotClaim(verification, { person, stage: act.stage, composition, of });
  if (!claim) return 'You have nothing of it in hand. Claim a stage first.';
  if (act.type === 'release') return null;
  if (claim.of !== of)
    return 'The composition was changed since you claimed it, so that this is not what you verified. Claim it again.';
  if ((act.type === 'answer') !== (claim.stage === 'blind'))
    return `You have ${STAGE_WORDS[claim.stage]} in hand, which is handed in another way.`;
  if (act.type === 'answer') return null;
  if (!platformsOf(composition).includes(act.platform))
    return `It names no platform “${act.platform}”. It is verified on: ${platformsOf(composition).join(', ')}.`;
  const unknown = act.members.find(
    ({ member }) => !membersOn(composition, act.platform).some(({ id }) => id === member),
  );
  if (unknown) return `It has no task “${unknown.member}” on ${act.platform || 'this platform'}.`;
  const again = ownHanded(verification, person, of).some(({ platform }) => platform === act.platform);
  return again ? `You have handed in ${act.platform || 'it'} already.` : null;
}

function whyNotClaim(
  verification: Verification,
  { person, stage, composition, of }: Omit<Wanted, 'act'> & { stage: VerificationStage },
): string | null {
  const claim = verification.claims.get(person);
  if (claim && claim.stage === stage && claim.of === of) return 'You have it in hand already.';
  const other = stageDoneBy(verification, person);
  if (other !== null && other !== stage)
    return `You did ${STAGE_WORDS[other]} of it, or have it in hand. Each stage is done by others.`;
  if (stage === 'blind' && verification.seen.has(person))
    return 'You have opened this composition or another one of its template, so that you cannot do it blind. Somebody who never did can.';
  const own = ownHanded(verification, person, of);
  const isLeft = stage === 'independent' && own.length < platformsOf(composition).length;
  if (own.length > 0 && !(isLeft && own.every(({ matches }) => matches)))
    return `You have done ${STAGE_WORDS[stage]} of it.`;
  const standing = verificationStanding(verification, composition, of).stages.find((one) => one.stage === stage);
  if (standing?.state === 'waits') return `${capital(STAGE_WORDS[stage])} begins once the design is there and matches.`;
  return standing && standing.free > 0 ? null : `Somebody else has ${STAGE_WORDS[stage]} of it, or did it.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ownHanded = ({ handed }: Verification, person: string, of: string): Handed[] =>
  handed.filter((one) => one.person === person && one.of === of);

/** Whether nothing is left of a claim once this platform is handed in. */
export const endsClaim = (verification: Verification, { person, act, composition, of }: Wanted): boolean => {
  if (act.type !== 'submit' || verification.claims.get(person)?.stage !== 'independent') return true;
  const done = new Set(ownHanded(verification, person, of).map(({ platform }) => platform));
  return platformsOf(composition).every((one) => one === act.platform || done.has(one));
};

/** The platforms that somebody who has it in hand still is to do. */
export function platformsLeft(verification: Verification, { person, composition, of }: Omit<Wanted, 'act'>): string[] {
  const done = new Set(ownHanded(verification, person, of).map(({ platform }) => platform));
  return platformsOf(composition).filter((one) => !done.has(one));
}
