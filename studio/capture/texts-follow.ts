import type {
  ElementWindow,
  FieldPlace,
  FieldTexts,
  KeyboardFocus,
  TextChange,
} from '../../native/elements/contract.ts';
import type { FieldChange } from './elements-protocol.ts';

/**
 * In the thread that asks for elements: what arrives in the field that has the keyboard, while somebody types. What changes by
 * itself, in another field or another program, in a window that a list leaves out, in a field for passwords or by a key that
 * went to a menu is not told.
 */
export type TextsFollow = {
  /** Many times a second, after the keyboard's. `keys`: how many keys came so far. */
  turn(keys: number, paused: boolean): void;
};

type Parts = {
  texts: FieldTexts;
  focus: Pick<KeyboardFocus, 'window'>;
  now(): number;
  mayBeAsked(window: ElementWindow): boolean;
  tell(change: { t: number } & FieldChange): void;
};

/** So long after the last key what arrives may be its work, µs: an input method looks words up. */
const AFTER_KEY = 2_000_000;
/** A program may have a key's letter before the recorder has counted the key: so long it is kept for it, µs. */
const BEFORE_KEY = 500_000;
/** A key closes a menu and something arrives before the key is counted: it went to what had the keyboard so long before, µs. */
const BEFORE_FOCUS = 50_000;
/** More than that is nobody's typing. */
const MOST_WAITING = 1000;
/** Fields that are told apart. */
const MOST_FIELDS = 10_000;

export function followTexts({ texts, focus, now, mayBeAsked, tell }: Parts): TextsFollow {
  const fields = new Map<string, number>();
  let keys = 0;
  let keyAt = Number.NEGATIVE_INFINITY;
  /** Heard, and not yet known whether somebody types. */
  let waiting: (TextChange & { t: number })[] = [];
  /** The field that had the keyboard, and since when; and the field that got the last key. */
  let focused: { t: number; place: FieldPlace | null }[] = [];
  let wentTo: FieldPlace | null = null;

  function noticeFocus(t: number): void {
    const place = texts.lastFocus();
    const last = focused.at(-1)?.place ?? null;
    if (place?.bus !== last?.bus || place?.path !== last?.path) focused.push({ t, place });
    const settled = focused.findLastIndex((one) => one.t <= t - BEFORE_FOCUS);
    if (settled > 0) focused = focused.slice(settled);
  }
  /** A text that came by a menu's letter (Paste) was not typed. */
  const isOfMenu = ({ bus, path }: FieldPlace): boolean =>
    wentTo !== null && wentTo.bus === bus && wentTo.path !== path && texts.isMenu(wentTo);

  function fieldOf(bus: string, path: string): number | null {
    const name = `${bus} ${path}`;
    const known = fields.get(name);
    if (known !== undefined) return known;
    if (fields.size >= MOST_FIELDS) return null;
    fields.set(name, fields.size);
    return fields.size - 1;
  }

  return {
    turn(count, paused) {
      const t = now();
      noticeFocus(t);
      if (count !== keys) {
        [keys, keyAt] = [count, t];
        const before = focused[0];
        wentTo = before && before.t <= t - BEFORE_FOCUS ? before.place : null;
      }
      const heard = texts.changes();
      if (heard === null || paused || waiting.length > MOST_WAITING) {
        waiting = [];
        return;
      }
      for (const one of heard) waiting.push({ ...one, t });
      const isTyping = t - keyAt <= AFTER_KEY;
      const changes = waiting.filter((one) => isTyping || t - one.t <= BEFORE_KEY);
      waiting = isTyping ? [] : changes;
      if (!isTyping || changes.length === 0) return;
      const window = focus.window();
      if (!window || !mayBeAsked(window)) return;
      const here = texts.fieldIn(window);
      if (!here || isOfMenu(here)) return;
      const field = fieldOf(here.bus, here.path);
      if (field === null) return;
      for (const { bus, path, ...change } of changes) {
        if (bus === here.bus && path === here.path) tell({ field, ...change });
      }
    },
  };
}
