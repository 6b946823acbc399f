import type { PlayedStep } from '../../schemas/play.ts';
import { calledWords } from './element.ts';

/**
 * The player, without hands and eyes: it decides when to look, to act, to let the screen come to rest and to stop. It acts at
 * most once a step, in order, and never after a stop (PL1), because nothing but an answer to the step before brings it to the
 * next. It has no clock: every event says its time.
 */

export type Shift = { x: number; y: number };

/** A step as the player sees it. */
export type PlayStep = {
  id: string;
  /** Has a place on the screen: it is looked for, and what is not found is `missing`. */
  aimed: boolean;
  /** From the end of the step before to the beginning of this one in the demonstration, ms. */
  gapMs: number;
  /** How long the demonstration took to show what the step did, ms. */
  settleMs: number;
  /** So long after the step the screen before the next one, or at the demonstration's end, counts at the earliest, ms. */
  laterMs: number;
};

/** The target of a step: how far it has moved, and the element that it was found by where its look was not found. */
type Target = { shift: Shift; element?: NonNullable<PlayedStep['element']> };
/** The screen before a step: its target is there, or not. */
export type SightBefore =
  | ({ there: true } & Target)
  /**
   * `unlike`: the squares that look other, with the shift at which they are fewest, where the whole step is compared.
   * `foundOnce`: a search has found its element, and is to find it there again.
   */
  | { there: false; why: string; unlike?: { blocks: readonly number[]; shift: Shift }; foundOnce?: true };
/**
 * The screen after a step: what the step changed is there, or not (yet). `doubt`: it also changed what the next step acts on,
 * which it did not in the demonstration; a program may put that right by itself. `followed`: whether what came by itself then
 * is there too; absent where nothing did. `but`: what is other and means nothing, in words.
 */
export type SightAfter =
  | { same: true; doubt?: string; followed?: boolean; but?: string }
  /** `unlike`: the squares that the step changes and that look other. */
  | { same: false; why: string; unlike?: readonly number[] };

export type PlayerOptions = {
  pace: 'recorded' | 'ready';
  /** How long a target, and what a step changes, may be late, ms. */
  patienceMs: number;
};

/** After an act. `since`: when it was done, ms. `waited`: for its target, ms. */
type Acted = {
  target: Target;
  waited: number;
  since: number;
  /** From when on the screen before the next step counts, and until when what follows by itself is waited for, ms. */
  laterFrom: number;
  followedBy: number;
};
/** `lookFrom`: no look is earlier, ms. */
type Phase =
  | { name: 'before'; since: number; lookFrom: number; doubt?: string | undefined }
  | { name: 'acting'; target: Target; waited: number }
  | ({ name: 'after'; lookFrom: number } & Acted)
  | ({ name: 'resting' } & Acted)
  | { name: 'ended' };

export type Player = {
  readonly steps: readonly PlayStep[];
  readonly options: PlayerOptions;
  /** Index of the step in hand; as many as there are steps when all are done. */
  readonly at: number;
  readonly phase: Phase;
  readonly played: readonly PlayedStep[];
  /** When the play began, and when the step before ended, ms. */
  readonly beganAt: number;
  readonly endedAt: number;
  /** How far the screen had moved at the step before; at the play's beginning as far as the windows tell. */
  readonly shift: Shift;
  /** When the last step was first seen to look as in the demonstration, ms. */
  readonly lastSeenAt: number | null;
  readonly stopped: { step: string; why: string } | null;
};

/** The player's next wish. Nothing is done earlier than `notBefore` (ms). */
export type Command =
  /** `shift`: the screen has most likely moved so far. */
  | { do: 'look'; at: number; when: 'before'; notBefore: number; shift: Shift }
  /** `laterFrom`: from then on the screen may also look as before the next step, ms. */
  | { do: 'look'; at: number; when: 'after'; notBefore: number; shift: Shift; laterFrom: number }
  | { do: 'act'; at: number; shift: Shift }
  /** Until the screen is at rest, `atMostMs` long. */
  | { do: 'rest'; at: number; notBefore: number; atMostMs: number }
  | { do: 'end' };

/** An event that the player is told of, with its time (ms on any clock that only goes forward). */
export type Input =
  | { type: 'before'; now: number; sight: SightBefore }
  | { type: 'acted'; now: number }
  | { type: 'after'; now: number; sight: SightAfter }
  | { type: 'rested'; now: number }
  /** Somebody stopped it, or the stage is gone. */
  | { type: 'stop'; now: number; why: string };

/** Between an act, or a look at a screen that is not there yet, and the next look, ms. */
const LOOK_AGAIN_MS = 60;
/** Changes that follow a step by themselves are waited for at most so long, ms. */
const FOLLOW_MS = 1000;

/** `shift`: how far the window of the first step has moved since the demonstration. */
export function newPlayer(
  steps: readonly PlayStep[],
  options: PlayerOptions,
  now: number,
  shift: Shift = { x: 0, y: 0 },
): Player {
  const phase: Phase = steps.length === 0 ? { name: 'ended' } : { name: 'before', since: now, lookFrom: now };
  return {
    steps,
    options,
    at: 0,
    phase,
    played: [],
    beganAt: now,
    endedAt: now,
    shift,
    lastSeenAt: null,
    stopped: null,
  };
}

/** The player's wish. */
export function commandOf({ phase, at, shift, options }: Player): Command {
  switch (phase.name) {
    case 'before':
      return { do: 'look', at, when: 'before', notBefore: phase.lookFrom, shift };
    case 'acting':
      return { do: 'act', at, shift: phase.target.shift };
    case 'after':
      return { do: 'look', at, when: 'after', notBefore: phase.lookFrom, shift, laterFrom: phase.laterFrom };
    case 'resting':
      return { do: 'rest', at, notBefore: phase.laterFrom, atMostMs: options.patienceMs };
    case 'ended':
      return { do: 'end' };
  }
}

/** The player after something happened. What does not fit its phase changes nothing. */
export function advance(player: Player, input: Input): Player {
  const { phase } = player;
  if (phase.name === 'ended') return player;
  if (input.type === 'stop') return stop(player, input.why);
  if (input.type === 'before' && phase.name === 'before') return seenBefore(player, phase, input.now, input.sight);
  if (input.type === 'acted' && phase.name === 'acting') return acted(player, phase, input.now);
  if (input.type === 'after' && phase.name === 'after') return seenAfter(player, phase, input.now, input.sight);
  if (input.type === 'rested' && phase.name === 'resting')
    return { ...player, phase: { ...phase, name: 'after', lookFrom: input.now } };
  return player;
}

/** How long the play took, ms: up to when its last step was done, without the wait until the screen was at rest. */
export const tookOf = ({ beganAt, lastSeenAt }: Player, now: number): number =>
  Math.round((lastSeenAt ?? now) - beganAt);

function seenBefore(player: Player, phase: Phase & { name: 'before' }, now: number, sight: SightBefore): Player {
  const step = player.steps[player.at];
  if (!step) return player;
  const { since, doubt } = phase;
  const due = player.options.pace === 'recorded' ? player.endedAt + step.gapMs : since;
  const again: Player = { ...player, phase: { ...phase, lookFrom: now + LOOK_AGAIN_MS } };
  if (sight.there) {
    if (now < due) return again;
    const { there: _, ...target } = sight;
    return { ...player, phase: { name: 'acting', target, waited: Math.max(0, now - since) } };
  }
  // On a busy machine one search takes as long as the patience.
  if (now < Math.max(due, since) + player.options.patienceMs || sight.foundOnce) return again;
  if (doubt !== undefined) return stop(withDoubt(player, doubt), doubt);
  const verdict = step.aimed ? 'missing' : 'different';
  return stop(record(player, verdict, { shift: { x: 0, y: 0 } }, now - since, sight.why), sight.why);
}

function acted(player: Player, { target, waited }: Phase & { name: 'acting' }, now: number): Player {
  const { steps, at, options } = player;
  const laterFrom = now + Math.min(steps[at]?.laterMs ?? 0, options.patienceMs);
  const followedBy = now + Math.min(steps[at + 1]?.gapMs ?? 0, FOLLOW_MS);
  const phase: Phase = {
    name: 'after',
    target,
    waited,
    since: now,
    lookFrom: now + LOOK_AGAIN_MS,
    laterFrom,
    followedBy,
  };
  return { ...player, shift: target.shift, phase };
}

function seenAfter(player: Player, phase: Phase & { name: 'after' }, now: number, sight: SightAfter): Player {
  const step = player.steps[player.at];
  if (!step) return player;
  const { target, since } = phase;
  const waited = phase.waited + Math.max(0, now - since);
  const again: Player = { ...player, phase: { ...phase, lookFrom: now + LOOK_AGAIN_MS } };
  const isLast = player.at + 1 >= player.steps.length;
  if (!sight.same) {
    if (now - since < player.options.patienceMs + 2 * step.settleMs) return again;
    return stop(record(player, 'different', target, waited, sight.why), sight.why);
  }
  // A message may still come, such as that the file could not be written: the last step is judged after it.
  if (isLast && player.lastSeenAt === null) return { ...player, lastSeenAt: now, phase: { ...phase, name: 'resting' } };
  if (!isLast && sight.followed === false && player.options.pace === 'ready' && now < phase.followedBy) return again;
  const { shift } = target;
  const moved = shift.x !== 0 || shift.y !== 0;
  const why = [howFound(target, moved), sight.but ?? ''].filter((one) => one !== '').join(', ');
  const next = { ...record(player, moved ? 'moved' : 'same', target, waited, why), at: player.at + 1, endedAt: now };
  if (isLast) return { ...next, phase: { name: 'ended' } };
  return { ...next, phase: { name: 'before', since: now, lookFrom: now + LOOK_AGAIN_MS, doubt: sight.doubt } };
}

function howFound({ shift, element }: Target, moved: boolean): string {
  const place = moved ? `found ${shift.x}, ${shift.y} px from its place` : '';
  if (!element) return place;
  const by = `by its element (${calledWords(element)})`;
  return moved ? `${place} ${by}` : `found ${by}, since it looks other than before the step`;
}

function record(player: Player, verdict: PlayedStep['verdict'], target: Target, waited: number, why: string): Player {
  const step = player.steps[player.at];
  if (!step) return player;
  const played = { step: step.id, verdict, ...target, waited: Math.round(waited), why };
  return { ...player, played: [...player.played, played] };
}

/** The step before was what went wrong: its verdict is another, and the play stops at it. */
function withDoubt(player: Player, why: string): Player {
  const last = player.played.at(-1);
  if (!last) return player;
  return {
    ...player,
    played: [...player.played.slice(0, -1), { ...last, verdict: 'different', why }],
    at: player.at - 1,
  };
}

function stop(player: Player, why: string): Player {
  const step = player.steps[player.at]?.id ?? '';
  return { ...player, phase: { name: 'ended' }, stopped: { step, why } };
}
