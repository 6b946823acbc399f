import type { FoundElement } from '../../native/elements/contract.ts';
import type { HeardPress } from './element-timing.ts';
import type { FrontLists } from './front.ts';
import type { FocusLook } from './key-judge.ts';
import type { KeyboardsLook } from './screen-keyboards.ts';
import type { ShownChange } from './shown-follow.ts';

/** Between the capture process and the thread that asks for elements. */
export type ElementsSetup = {
  startNs: bigint;
  startedAtMs: number;
  /** Where the pointer is, since when (ms on the session's clock), and how often something moved or was pressed: see `PLACE`. */
  place: Int32Array<SharedArrayBuffer>;
  lists: FrontLists;
  /** What is typed into windows with one of these words is a secret. */
  secretPrograms: readonly string[];
};
/** See the `text` line of schemas/events.ts. */
export type FieldChange = { field: number; at: number; removed: number; inserted: string };
export const PLACE = { x: 0, y: 1, moves: 2, stirs: 3, paused: 4, keys: 5, movedMs: 6 } as const;

/** `asked`, `done`: µs. */
export type ElementAnswer = { asked: number; done: number; found: FoundElement; when: 'before' | 'press' };
export type ElementsCommand = ({ type: 'press' } & HeardPress) | { type: 'clear' } | { type: 'close' };
/** To each press its answers, the best first; what has the keyboard; and once whether there is somebody to ask. */
export type ElementsReport =
  | { type: 'press'; t: number; x: number; y: number; answers: ElementAnswer[] }
  /** `missing`: why programs cannot be asked by now; it is looked for them again as windows come. */
  | { type: 'ready'; why: string | null; missing: string | null }
  /** Letters of a field for passwords can be read on the screen, or no longer. */
  | ({ type: 'shown' } & ShownChange)
  | { type: 'focus'; look: FocusLook }
  /** On-screen keyboards came, went or moved. */
  | { type: 'keyboards'; look: KeyboardsLook }
  /** The text in the field that has the keyboard changed. `t`: when it was heard, µs. */
  | ({ type: 'text'; t: number } & FieldChange)
  /** The bus is gone. */
  | { type: 'lost' }
  | { type: 'closed' };
