import type { Display } from '../../schemas/events.ts';
import { MOD_BITS } from '../../schemas/key-bits.ts';
import type { HookEvent, HookKeyEvent } from '../input/hook.ts';
import type { DeviceEvent } from './device-event.ts';

/**
 * Gives each event of a device its place. A mouse says only by how much it moved, and how far that moves the pointer is the
 * compositor's business; but the compositor tells where the pointer is with its pictures. So events wait for a moment: what
 * the pointer's places before and after an event were is known then, and how much of the way between them was done at that
 * event is told by the mouse. A key needs no place, but is told of in its order all the same.
 */
type PointerTrack = {
  /** Reports, in the order of time within one device. */
  add(event: DeviceEvent): void;
  /** The compositor: the pointer was at (x, y), px of the virtual desktop. */
  see(place: Place): void;
  /** Hands on what has waited long enough at `us`; everything with Infinity. */
  release(us: number): void;
  /** Nothing waits and no key repeats: `release` has nothing to hand on before the next `add`. */
  isIdle(): boolean;
};

/**
 * How long an event waits, µs: at 5 pictures a second a place may come 200 ms after the move, but a screen on which only
 * the pointer moves reports it sooner.
 */
const WAIT = 150_000;
/**
 * The same after a move whose place was not told yet: on a busy machine, or a large screen, it may come late. Nobody waits for
 * these lines: shortcuts are heard at once. µs.
 */
const LONGEST = 1_500_000;
/** A move reaches the pointer's place within this time; a place that is told sooner may be from before it. µs. */
const APPLIED = 4_000;
const KEPT = 3_000_000;

const MODIFIERS: Readonly<Record<string, number>> = {
  ShiftLeft: MOD_BITS.shift,
  ShiftRight: MOD_BITS.shift,
  ControlLeft: MOD_BITS.ctrl,
  ControlRight: MOD_BITS.ctrl,
  AltLeft: MOD_BITS.alt,
  AltRight: MOD_BITS.alt,
  MetaLeft: MOD_BITS.meta,
  MetaRight: MOD_BITS.meta,
};

type Parts = {
  emit(event: HookEvent): void;
  /** A key went down or up: told as it comes, before `emit` reports it in its order. For who must not wait (shortcuts). */
  onKeyAtOnce(event: HookKeyEvent): void;
  /** The whole of the displays, over which absolute devices reach. */
  area(): Pick<Display, 'x' | 'y' | 'width' | 'height'>;
  /** How the compositor repeats a key that is held down; null: as the kernel does. */
  repeats: KeyRepeats | null;
};
export type KeyRepeats = { delayUs: number; everyUs: number };
type Place = { us: number; x: number; y: number };
type DeviceKey = Extract<DeviceEvent, { kind: 'key' }>;
type Repeating = Pick<DeviceKey, 'code' | 'number' | 'made'> & { next: number };

const NEVER_REPEATED = /^(Shift|Control|Alt|Meta)(Left|Right)$|Lock$|^Fn$/;
const isRepeated = (code: string | null): boolean => code === null || !NEVER_REPEATED.test(code);

export function trackPointer({ emit, onKeyAtOnce, area, repeats }: Parts): PointerTrack {
  const held = new Set<string>();
  let repeating: Repeating | null = null;
  let waiting: DeviceEvent[] = [];
  let places: Place[] = [];
  /** Moves of relative devices, with all that was moved up to each. */
  let moves: { us: number; sum: number }[] = [];
  let sum = 0;
  /** The movement before the first of `moves`. */
  let forgotten = 0;
  /** Where an absolute device said that the pointer is, until a relative one moves it. */
  let fixed: { x: number; y: number } | null = null;

  const mods = (): number => [...held].reduce((bits, code) => bits | (MODIFIERS[code] ?? 0), 0);
  const sumAt = (us: number): number => moves.findLast((move) => move.us <= us)?.sum ?? forgotten;

  function placeAt(us: number): { x: number; y: number } {
    if (fixed) return fixed;
    // A report from just after a moment may be about the time just before it.
    let after = places.findIndex((place) => place.us >= us + APPLIED);
    // Past those that still tell of the time before the move, as long as the mouse said nothing more.
    while (after >= 0 && after + 1 < places.length && isOld(places[after], us)) {
      if (sumAt(places[after + 1]?.us ?? 0) > sumAt(us)) break;
      after++;
    }
    const next = after < 0 ? undefined : places[after];
    const before = after < 0 ? places.at(-1) : places[after - 1];
    if (!next) return before ?? middle(area());
    if (!before) return next;
    const [from, here, to] = [sumAt(before.us), sumAt(us), sumAt(next.us)];
    if (to <= from) return isOfLastMove(before, us) ? before : next;
    const way = Math.min(1, Math.max(0, (here - from) / (to - from)));
    return { x: before.x + (next.x - before.x) * way, y: before.y + (next.y - before.y) * way };
  }

  const lastMove = (us: number) => moves.findLast((move) => move.us <= us);

  /** The pointer is where it was before the last move up to `us`: the word of that move may still come. */
  function isOld(place: Place | undefined, us: number): boolean {
    const moved = lastMove(us);
    const earlier = moved && places.findLast((one) => one.us < moved.us);
    return place !== undefined && earlier !== undefined && earlier.x === place.x && earlier.y === place.y;
  }

  /**
   * The mouse said nothing between this place and the next one that was told. Where this one is already the word of what the
   * last move up to `us` did, the pointer rests there: a busy compositor may tell of a later place with a time from before the
   * move that led there.
   */
  function isOfLastMove(place: Place, us: number): boolean {
    const moved = lastMove(us);
    return moved === undefined || (place.us >= moved.us + APPLIED && !isOld(place, us));
  }

  /** Nothing more will be told of where the pointer was at `us`, as far as one knows: it was not moved since. */
  function isPlaced(us: number): boolean {
    const last = places.at(-1);
    return fixed !== null || lastMove(us) === undefined || (last !== undefined && isOfLastMove(last, us));
  }

  function key({ us, code, number, down, repeat, made }: DeviceKey): void {
    // The compositor repeats by its own clock, not by the kernel's.
    if (repeat && repeats) return;
    if (code !== null && down) held.add(code);
    if (code !== null && !down) held.delete(code);
    const event = { time: us, mods: mods(), code, hookCode: number };
    emit(down ? { type: 'keydown', ...event, ...(made && { made }) } : { type: 'keyup', ...event });
    if (!repeats) return;
    const again = { code, number, next: us + repeats.delayUs, ...(made && { made }) };
    if (down) repeating = isRepeated(code) ? again : null;
    else if (repeating?.number === number) repeating = null;
  }

  /** Makes the presses that the key that is held down gave up to `us`. */
  function repeatUpTo(us: number): void {
    for (; repeats && repeating && repeating.next < us; repeating.next += repeats.everyUs) {
      const { code, number, next, made } = repeating;
      emit({ type: 'keydown', time: next, mods: mods(), code, hookCode: number, ...(made && { made }) });
    }
  }

  function hand(event: DeviceEvent): void {
    repeatUpTo(event.us);
    const time = event.us;
    if (event.kind === 'key') {
      key(event);
      return;
    }
    if (event.kind === 'at') {
      const { x, y, width, height } = area();
      fixed = { x: x + Math.round(event.x * (width - 1)), y: y + Math.round(event.y * (height - 1)) };
    } else if (event.kind === 'moved') fixed = null;
    const place = placeAt(time);
    const at = { time, x: Math.round(place.x), y: Math.round(place.y), mods: mods() };
    if (event.kind === 'button') emit({ type: event.down ? 'down' : 'up', ...at, button: event.button });
    else if (event.kind === 'wheel') emit({ type: 'wheel', ...at, dx: event.dx, dy: event.dy });
    else emit({ type: 'move', ...at });
  }

  return {
    add(event) {
      if (event.kind === 'key' && !event.repeat) {
        const { us, code, number, down, made } = event;
        const key = { time: us, mods: 0, code, hookCode: number };
        onKeyAtOnce(down ? { type: 'keydown', ...key, ...(made && { made }) } : { type: 'keyup', ...key });
      }
      if (event.kind === 'moved') {
        sum += event.by;
        moves.push({ us: event.us, sum });
      }
      // Two devices (Shift on one, a click on the other) come one after another: put in order by their times.
      let at = waiting.length;
      while (at > 0 && (waiting[at - 1]?.us ?? 0) > event.us) at--;
      waiting.splice(at, 0, event);
    },
    see(place) {
      places.push(place);
    },
    release(us) {
      let done = 0;
      const isReady = (event: DeviceEvent): boolean =>
        event.us + LONGEST <= us || (event.us + WAIT <= us && isPlaced(event.us));
      for (const event of waiting) {
        if (!isReady(event)) break;
        done++;
      }
      const ready = waiting.slice(0, done);
      waiting = waiting.slice(done);
      for (const event of ready) hand(event);
      if (Number.isFinite(us)) repeatUpTo(us - WAIT);
      const old = us - KEPT;
      const keptPlaces = places.findLastIndex((place) => place.us < old);
      if (keptPlaces > 0) places = places.slice(keptPlaces);
      const keptMoves = moves.findLastIndex((move) => move.us < old);
      forgotten = moves[keptMoves - 1]?.sum ?? forgotten;
      if (keptMoves > 0) moves = moves.slice(keptMoves);
    },
    isIdle: () => waiting.length === 0 && repeating === null,
  };
}

function middle({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  return { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
}
