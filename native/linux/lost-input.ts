import type { Held, KeyState } from './keyboard-state.ts';
import type { RawInput } from './raw-input.ts';
import type { Recorded } from './record.ts';

/**
 * RECORD loses keys and buttons without a word when some 280 pieces of its data lie unread in its socket: a busy machine and a
 * program that types hundreds of keys at once are enough. XInput 2, on another connection, loses none. What RECORD lacks is filled
 * in from there, in its order between the changes of the keymap; what cannot be is told as lost.
 */
export type LostInput = {
  /** Takes XInput 2's events in their order: a key or a button with the keyboard's state before it, or a change of the keymap. */
  told(item: { raw: RawInput; held: KeyState } | 'keymap'): void;
  /** Takes an event of RECORD. */
  recorded(piece: Recorded): void;
  /** RECORD's socket was emptied, which was begun at this moment of `now`: all that it had sent by then is taken, or is next. */
  emptied(at: number): void;
  /** Says that so much of RECORD's data lay unread that some may be lost. Without that, an event that RECORD lacks did not happen. */
  mayLose(): void;
  /** All that came up to now has been handed over. */
  turn(): void;
  /** Something that may be lost, or that the other way has still to tell of, is waited for. */
  isWaiting(): boolean;
};
type Pressed = Exclude<Recorded, { type: 'mapping' | 'keymap' }>;
type Waiting = { raw: RawInput; held: KeyState; mayBeLost: boolean; since: number };
type Parts = {
  /** Any clock, ms. */
  now(): number;
  /** The server does something else with it than to hand it to programs: RECORD never tells of it. */
  isKept(raw: RawInput, held: KeyState): boolean;
  /** `held` null: not told (yet). */
  take(piece: Recorded, held: Held | null): void;
  /** It was pressed, and nobody knows what it did. */
  lost(raw: RawInput): void;
};

/** With as much unread the server may have lost something: it does beyond some 280 pieces, of 44 bytes and more. */
const UNREAD_BYTES = 8000;

/** A later movement of the pointer shows that RECORD has nothing more of the time before; devices' times may differ by less. */
const MOVE_LATER_MS = 50;
/**
 * RECORD tells of it within so long, or never. Only a look into its socket so much later shows that it did not: a thread that got
 * no turn for so long, between the other's word and the next look, would take in twice what RECORD has long told.
 */
const LONGEST_MS = 1500;
/** While something may be lost RECORD waits for what the other tells of the same time, so long after it told something. */
const HOLD_MS = 500;
/** So long after much lay unread there may still be something on its way of which RECORD lost its part. */
const MAY_LOSE_MS = 2000;
/** Keys that repeat by themselves are told by RECORD alone. */
const MOST_EARLY = 64;

export function fillLost({ now, isKept, take, lost }: Parts): LostInput {
  let waiting: (Waiting | 'keymap')[] = [];
  /** Told by RECORD, and not yet by the other; with the number of changes of the keymap before it. */
  let early: { piece: Pressed; changes: number }[] = [];
  let changes = 0;
  /** Changes of the keymap that the other has still to tell of. */
  let owed = 0;
  let mayLoseTo = Number.NEGATIVE_INFINITY;
  let lastRecorded = Number.NEGATIVE_INFINITY;
  let lastTold = Number.NEGATIVE_INFINITY;
  let lastEmptied = Number.NEGATIVE_INFINITY;
  let held: Recorded[] = [];
  let place: { x: number; y: number } | null = null;

  /**
   * Whether RECORD, which has told of `piece`, tells no more of an event that the other told of before it. A program that grabs the
   * pointer at a press (window managers do) holds it until it answers: the other tells of the release only then, behind keys that came
   * later, and RECORD at once. So only keys are in one order among each other, and only buttons.
   */
  const isPast = (raw: RawInput, piece: Pressed): boolean =>
    isKey(raw) === isKey(piece) || ((piece.time - raw.time) | 0) > 0;
  const isOf = (raw: RawInput, { type, time, detail }: Pressed): boolean =>
    raw.type === type && raw.time === time && raw.detail === detail;

  /** What of these RECORD lacks is lost or filled in. `next`: where the pointer was after them. */
  function settle(items: readonly (Waiting | 'keymap')[], next: { x: number; y: number } | null): void {
    for (const item of items) {
      if (item === 'keymap' || !item.mayBeLost || isKept(item.raw, item.held)) continue;
      const isResting = place !== null && place.x === next?.x && place.y === next.y;
      // Where a button was pressed is known only of a pointer that rests.
      if (!isKey(item.raw) && !isResting) lost(item.raw);
      else take({ ...item.raw, ...(place ?? { x: 0, y: 0 }), mods: item.held.mods, group: item.held.group }, item.held);
    }
  }

  /** Settles those of the first `end` that are due, and gives the others. A change of the keymap stays behind a key that stays. */
  function settleDue(end: number, isDue: (raw: RawInput) => boolean, next: { x: number; y: number }): typeof waiting {
    const due: typeof waiting = [];
    const kept: typeof waiting = [];
    for (const item of waiting.slice(0, end)) {
      const goes = item === 'keymap' ? kept.length === 0 : isDue(item.raw);
      (goes ? due : kept).push(item);
    }
    settle(due, next);
    return kept;
  }

  function pressed(piece: Pressed): void {
    const at = waiting.findIndex((item) => item !== 'keymap' && isOf(item.raw, piece));
    const found = waiting[at];
    if (found && found !== 'keymap') {
      waiting = [...settleDue(at, (raw) => isPast(raw, piece), piece), ...waiting.slice(at + 1)];
      early = early.filter((one) => isKey(one.piece) !== isKey(piece));
      if (isKey(piece)) owed = 0;
      take(piece, found.held);
    } else {
      early = [...early.slice(-MOST_EARLY), { piece, changes }];
      take(piece, null);
    }
  }

  function changed(piece: Recorded): void {
    changes++;
    const at = waiting.indexOf('keymap');
    if (at < 0) owed++;
    else {
      settle(waiting.slice(0, at), null);
      waiting = waiting.slice(at + 1);
    }
    take(piece, null);
  }

  function moved(piece: Pressed): void {
    const isBefore = (raw: RawInput): boolean => ((piece.time - raw.time) | 0) > MOVE_LATER_MS;
    const upTo = waiting.findLastIndex((item) => item !== 'keymap' && isBefore(item.raw)) + 1;
    if (upTo > 0) waiting = [...settleDue(upTo, isBefore, piece), ...waiting.slice(upTo)];
    take(piece, null);
  }

  /** The other has told of the same, or will not. */
  function isTold(piece: Recorded): boolean {
    if (piece.type === 'move' || now() > mayLoseTo || now() - Math.max(lastTold, lastRecorded) > HOLD_MS) return true;
    return waiting.some((item) => (isChange(piece) ? item === 'keymap' : item !== 'keymap' && isOf(item.raw, piece)));
  }

  function handOver(): void {
    let done = 0;
    for (const piece of held) {
      if (!isTold(piece)) break;
      done++;
      if (isChange(piece)) changed(piece);
      else {
        if (piece.type === 'move') moved(piece);
        else pressed(piece);
        place = { x: piece.x, y: piece.y };
      }
    }
    held = held.slice(done);
  }

  return {
    told(item) {
      lastTold = now();
      if (item === 'keymap') {
        if (owed > 0) owed--;
        else waiting.push(item);
        return;
      }
      const at = early.findIndex(({ piece }) => isOf(item.raw, piece));
      const found = early[at];
      if (!found) return void waiting.push({ ...item, mayBeLost: now() < mayLoseTo, since: now() });
      if (isKey(item.raw)) owed = changes - found.changes;
      early = early.filter(({ piece }, n) => n > at || isKey(piece) !== isKey(item.raw));
    },
    recorded(piece) {
      lastRecorded = now();
      held.push(piece);
    },
    emptied(at) {
      lastEmptied = at;
    },
    mayLose() {
      mayLoseTo = now() + MAY_LOSE_MS;
      for (const item of waiting) if (item !== 'keymap') item.mayBeLost = true;
    },
    isWaiting: () => held.length > 0 || waiting.some((item) => item !== 'keymap' && item.mayBeLost),
    turn() {
      handOver();
      const isOld = (item: Waiting | 'keymap'): boolean =>
        item !== 'keymap' && lastEmptied - Math.max(item.since, lastRecorded) > LONGEST_MS;
      const upTo = held.length > 0 ? 0 : waiting.findLastIndex(isOld) + 1;
      if (upTo === 0) return;
      settle(waiting.slice(0, upTo), null);
      waiting = waiting.slice(upTo);
    },
  };
}

/**
 * Reads what RECORD has told. `mayLose` hears of it when that was much: as it was looked at, or once it was read, since a busy machine
 * may take its time away between the two.
 */
export function turnRecord(record: { unread(): number; turn(): number }, mayLose: () => void): void {
  const isMuch = record.unread() > UNREAD_BYTES;
  if (record.turn() > UNREAD_BYTES || isMuch) mayLose();
}

const isKey = ({ type }: Pick<RawInput | Pressed, 'type'>): boolean => type === 'keydown' || type === 'keyup';
const isChange = (piece: Recorded): piece is Exclude<Recorded, Pressed> =>
  piece.type === 'mapping' || piece.type === 'keymap';
