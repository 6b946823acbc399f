import type { PlayedStep } from '../../schemas/play.ts';
import { calledWords } from './element.ts';

/**
 * The player, without hands and eyes: it decides when to look, to act and to stop. It acts at most once a step, in order,
 * and never after a stop (PL1), because nothing but an answer to the step before brings it to the next.
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
};

/** The target of a step: how far it has moved, and the element that it was found by where its look was not found. */
type Target = { shift: Shift; element?: NonNullable<PlayedStep['element']> };
/** The screen before a step: its target is there, or not. */
export type SightBefore =
  | ({ there: true } & Target)
  /** `unlike`: the squares that look other, with the shift at which they are fewest, where the whole step is compared. */
  | { there: false; why: string; unlike?: { blocks: readonly number[]; shift: Shift } };
/**
 * The screen after a step: what the step changed is there, or not (yet). `doubt`: it also changed what the next step acts on,
 * which it did not in the demonstration; a program may put that right by itself. `but`: what is other and means nothing, in words.
 */
export type SightAfter =
  | { same: true; doubt?: string; but?: string }
  /** `unlike`: the squares that the step changes and that look other. */
  | { same: false; why: string; unlike?: readonly number[] };

export type PlayerOptions = {
  pace: 'recorded' | 'ready';
  /** How long a target, and what a step changes, may be late, ms. */
  patienceMs: number;
};

type Phase =
  | { name: 'before'; since: number; doubt?: string | undefined }
  | { name: 'acting'; target: Target; waited: number }
  | { name: 'after'; target: Target; waited: number; since: number }
  | { name: 'ended' };

export type Player = {
  readonly steps: readonly PlayStep[];
  readonly options: PlayerOptions;
  /** Index of the step in hand; as many as there are steps when all are done. */
  readonly at: number;
  readonly phase: Phase;
  readonly played: readonly PlayedStep[];
  /** When the step before ended, ms; the play's beginning for the first. */
  readonly endedAt: number;
  readonly stopped: { step: string; why: string } | null;
};

/** The player's next wish. `look`: at the screen before or after step `at`, not earlier than `notBefore` (ms). */
export type Command =
  | { do: 'look'; at: number; when: 'before' | 'after'; notBefore: number }
  | { do: 'act'; at: number; shift: Shift }
  | { do: 'end' };

/** An event that the player is told of, with its time (ms on any clock that only goes forward). */
export type Input =
  | { type: 'before'; now: number; sight: SightBefore }
  | { type: 'acted'; now: number }
  | { type: 'after'; now: number; sight: SightAfter }
  /** Somebody stopped it, or the stage is gone. */
  | { type: 'stop'; now: number; why: string };

/** Between two looks at a screen that is not there yet, ms. */
const LOOK_AGAIN_MS = 60;

export function newPlayer(steps: readonly PlayStep[], options: PlayerOptions, now: number): Player {
  const phase: Phase = steps.length === 0 ? { name: 'ended' } : { name: 'before', since: now };
  return { steps, options, at: 0, phase, played: [], endedAt: now, stopped: null };
}

/** The player's wish at this moment. */
export function commandOf(player: Player, now: number): Command {
  const { phase, at } = player;
  if (phase.name === 'acting') return { do: 'act', at, shift: phase.target.shift };
  if (phase.name === 'after')
    return { do: 'look', at, when: 'after', notBefore: phase.since === now ? now : now + LOOK_AGAIN_MS };
  if (phase.name === 'before')
    return { do: 'look', at, when: 'before', notBefore: phase.since === now ? now : now + LOOK_AGAIN_MS };
  return { do: 'end' };
}

/** The player after something happened. What does not fit its phase changes nothing. */
export function advance(player: Player, input: Input): Player {
  const { phase } = player;
  if (phase.name === 'ended') return player;
  if (input.type === 'stop') return stop(player, input.why);
  if (input.type === 'before' && phase.name === 'before') return seenBefore(player, phase, input.now, input.sight);
  if (input.type === 'acted' && phase.name === 'acting') {
    return { ...player, phase: { name: 'after', target: phase.target, waited: phase.waited, since: input.now } };
  }
  if (input.type === 'after' && phase.name === 'after') return seenAfter(player, phase, input.now, input.sight);
  return player;
}

function seenBefore(player: Player, phase: Phase & { name: 'before' }, now: number, sight: SightBefore): Player {
  const step = player.steps[player.at];
  if (!step) return player;
  const { since, doubt } = phase;
  const due = player.options.pace === 'recorded' ? player.endedAt + step.gapMs : since;
  if (sight.there) {
    if (now < due) return player;
    const { there: _, ...target } = sight;
    return { ...player, phase: { name: 'acting', target, waited: Math.max(0, now - since) } };
  }
  if (now < Math.max(due, since) + player.options.patienceMs) return player;
  if (doubt !== undefined) return stop(withDoubt(player, doubt), doubt);
  const verdict = step.aimed ? 'missing' : 'different';
  return stop(record(player, verdict, { shift: { x: 0, y: 0 } }, now - since, sight.why), sight.why);
}

function seenAfter(player: Player, phase: Phase & { name: 'after' }, now: number, sight: SightAfter): Player {
  const step = player.steps[player.at];
  if (!step) return player;
  const waited = phase.waited + Math.max(0, now - phase.since);
  const { target } = phase;
  if (sight.same) {
    const { shift } = target;
    const moved = shift.x !== 0 || shift.y !== 0;
    const why = [howFound(target, moved), sight.but ?? ''].filter((one) => one !== '').join(', ');
    const next = record(player, moved ? 'moved' : 'same', target, waited, why);
    const at = player.at + 1;
    if (at >= player.steps.length) return { ...next, at, phase: { name: 'ended' }, endedAt: now };
    return { ...next, at, phase: { name: 'before', since: now, doubt: sight.doubt }, endedAt: now };
  }
  if (now - phase.since < player.options.patienceMs + 2 * step.settleMs) return player;
  return stop(record(player, 'different', target, waited, sight.why), sight.why);
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
