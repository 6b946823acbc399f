import type {
  Action,
  ActionKind,
  ActionPoint,
  ReduceContext,
  ReduceOptions,
  ReduceWarning,
} from '../../schemas/actions.ts';
import type { Button, Display, InputSettings, StateEvent, WithheldWhy } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { distanceSquared, placeless, pointAt } from './geometry.ts';
import type { DeadKey } from './keys.ts';
import type { Path } from './path.ts';
import { addRuns, type Runs } from './runs.ts';

/** A change of the text in the field that has the keyboard, as its program told it. */
export type ArrivedText = Extract<StateEvent, { type: 'text' }>;

/** An action in the making. The pairs and names of an `Action` stand here as flat runs and bits. */
export type DraftAction = {
  kind: ActionKind;
  button: Button | null;
  modifiers: number;
  start: ActionPoint;
  end: ActionPoint;
  path: Action['path'];
  text: string | null;
  keystrokes: string[] | null;
  keys: string[] | null;
  count: number;
  autoRepeat: boolean;
  scroll: Action['scroll'];
  duringDrag: boolean;
  holdMs: number | null;
  events: Runs;
  travel: Runs;
  incomplete: boolean;
  /** type: raw index of the line that says that it was withheld (A17); null otherwise. */
  withheldAt: number | null;
  /** How many keys of it were withheld, and why. */
  withheldKeys: number;
  withheldWhy: WithheldWhy[];
  /** type: the text is the field's (A18); null: that of the keys. */
  textFrom: 'field' | null;
  /** The last press that `count` counts, µs (A4, A7, A9). */
  pressedAt: number;
  /** type: the one lock key that is all it holds so far (RULES, A8); null otherwise. */
  lockKey: string | null;
  /** press: the modifiers that are all it holds, as bits of `MOD`; 0 otherwise. */
  tapped: number;
  /** click: how far its pointer may travel, and a further click's from it, px (A3, A4). */
  threshold: number;
};

/** A button that is down. */
export type Press = {
  button: Button;
  draft: DraftAction;
  /** Where it went down. */
  x: number;
  y: number;
  /** Raw index of its `down`. */
  index: number;
  path: Path;
  farthestSquared: number;
  /** The click that this one repeats, should it become a click (A4). */
  repeats: DraftAction | null;
  /** Modifiers pressed while it was down: a drag's join (A5). */
  joined: number;
};

/** A modifier key that is down. `owner` is the first action that it modified; until there is one, it keeps its events. */
export type HeldModifier = {
  code: string;
  bit: number;
  t: number;
  index: number;
  runs: Runs;
  owner: DraftAction | null;
};

/** Modifier keys from the first one down until none is (A6). */
type ModifierCluster = { start: ActionPoint; bits: number; runs: Runs; used: boolean };

type HeldKey = { draft: DraftAction; index: number; t: number };

/** Where a key or button went down that is not the demonstration's: its release goes there too (A12). */
type Outside = { where: 'own' | 'paused'; t: number };

/** `composing`: a sequence of keys waits for its last one. */
export type TypeRun = { draft: DraftAction; lastT: number; dead: DeadKey | null; composing: boolean };
export type ScrollRun = {
  draft: DraftAction;
  lastT: number;
  axis: 'x' | 'y';
  sign: number;
};

/** A rest of the pointer that may become `hover` (A11). */
type Rest = { active: boolean; x: number; y: number; t: number; runs: Runs };
/** A stretch without input that may become `wait`. */
export type Silence = { from: ActionPoint; to: number; index: number };
/** A stretch in which something was done without recorded input (A16). */
type UnseenStep = { from: number; to: number; index: number };

const KEY_EVENTS = { down: 0, wheel: 1, keydown: 2 } as const;
export type ModEvent = keyof typeof KEY_EVENTS;

export type State = ReturnType<typeof createState>;

/** µs and px that the rules compare with. */
function limitsOf(options: ReduceOptions) {
  const us = (ms: number | undefined, otherwise: number) => (ms === undefined ? otherwise : ms * 1000);
  return {
    hoverUs: us(options.hoverMs, Number.POSITIVE_INFINITY),
    waitUs: us(options.waitMs, Number.POSITIVE_INFINITY),
    typeGapUs: us(options.typeGapMs, 3_000_000),
    scrollGapUs: us(options.scrollGapMs, 1_000_000),
    scrollRadiusPx: options.scrollRadiusPx ?? 32,
    holdUs: us(options.holdMs, 500_000),
  };
}

export function createState(context: ReduceContext, options: ReduceOptions) {
  return {
    context,
    limits: limitsOf(options),
    drafts: [] as DraftAction[],
    /** The action that started last: only it can go on (A4, A7 to A10). */
    last: null as DraftAction | null,
    warnings: [] as ReduceWarning[],
    warned: new Map<string, number>(),

    displays: (context.displays ?? []) as readonly Display[],
    settings: (context.settings ?? {}) as InputSettings,
    layout: (context.layout ?? null) as KeyboardLayout | null,
    caps: false,
    num: true,

    /** Time of the line at hand, µs, and the pointer's last known place. */
    now: 0,
    x: 0,
    y: 0,
    /** The recorder said that the place is not known, and no pointer event told it since (A13). */
    placeless: false,
    travel: [] as Runs,
    presses: [] as Press[],
    scroll: null as ScrollRun | null,
    rest: { active: false, x: 0, y: 0, t: 0, runs: [] } as Rest,
    hovers: [] as DraftAction[],
    silences: [] as Silence[],
    unseen: [] as UnseenStep[],
    /** The stream says what the system made of each key (A19). */
    made: false,
    /** Changes of the text in fields (A18). */
    texts: [] as ArrivedText[],
    /** The last input of the demonstration; NaN when a silence cannot be measured from it. */
    inputAt: Number.NaN,
    inputIndex: -1,

    held: new Map<string, HeldKey>(),
    modifiers: [] as HeldModifier[],
    cluster: null as ModifierCluster | null,
    /** Modifiers whose own key was seen since the start or the last pause: from then on the keys tell, not the bits. */
    seenModifiers: 0,
    /** Bits that this kind of event was seen to carry while the key was down: there, a missing bit tells something. */
    trustedBits: [0, 0, 0] as [number, number, number],
    run: null as TypeRun | null,
    /** The last key that went down and the last that went up: what auto-repeat shows by. */
    lastDown: '',
    lastUp: { code: '', t: Number.NaN, where: 'action' as 'action' | 'own' | 'paused' },

    /** Why nothing counts now (A12): reasons of open pauses. */
    pauses: new Set<string>(),
    paused: false,
    own: new Set<number>() as ReadonlySet<number>,
    outsideKeys: new Map<string, Outside>(),
    outsideButtons: new Map<string, Outside>(),

    /** Raw indices that are no action's (A1). */
    loneModifierRuns: [] as Runs,
    ownRuns: [] as Runs,
    pausedRuns: [] as Runs,
  };
}

export function trustSlot(type: ModEvent): 0 | 1 | 2 {
  return KEY_EVENTS[type];
}

/** So many warnings of one code are kept; a broken stream must not cost memory for each of its events (A15). */
const WARNINGS_A_CODE = 1000;

export function warn(state: State, code: string, event: number | null, message: string): void {
  const count = (state.warned.get(code) ?? 0) + 1;
  state.warned.set(code, count);
  if (count <= WARNINGS_A_CODE) state.warnings.push({ code, event, message });
}

/** One line for the warnings of each code that were left off. */
export function warningsLeftOff(state: State): ReduceWarning[] {
  return [...state.warned]
    .filter(([, count]) => count > WARNINGS_A_CODE)
    .map(([code, count]) => ({
      code: 'warnings-left-off',
      event: null,
      message: `${count - WARNINGS_A_CODE} more warnings of '${code}' are left off.`,
    }));
}

/** The layout now, US when the stream told none yet (I2). */
export function layoutNow(state: State, index: number): KeyboardLayout {
  if (state.layout === null) {
    state.layout = usLayout();
    warn(state, 'no-layout', index, 'No keyboard layout stands before this key; its text is read as on a US keyboard.');
  }
  return state.layout;
}

/** Starts an action where the pointer is. It takes the travel before it and the modifiers that are held (A6, A11). */
export function beginAction(state: State, kind: ActionKind, t: number): DraftAction {
  const draft = newDraft(state, kind, t);
  state.drafts.push(draft);
  state.last = draft;
  join(state, draft);
  return draft;
}

/** The fields of an action that did nothing but happen once. */
export const plainAction = () => ({
  path: null,
  text: null,
  keystrokes: null,
  keys: null,
  count: 1,
  autoRepeat: false,
  scroll: null,
  duringDrag: false,
  holdMs: null,
  events: [],
  travel: [],
});

/** Where the pointer is. */
export function pointNow(state: State, t: number): ActionPoint {
  return state.placeless ? placeless(t) : pointAt(state.displays, state.x, state.y, t);
}

/** The pointer is at a new place. */
export function setPlace(state: State, x: number, y: number): void {
  state.x = x;
  state.y = y;
  state.placeless = false;
}

/** An action where the pointer is, of which the rest of the state knows nothing yet. */
export function newDraft(state: State, kind: ActionKind, t: number): DraftAction {
  const point = pointNow(state, t);
  return {
    kind,
    button: null,
    modifiers: 0,
    start: point,
    end: { ...point },
    ...plainAction(),
    incomplete: false,
    withheldAt: null,
    withheldKeys: 0,
    withheldWhy: [],
    textFrom: null,
    pressedAt: t,
    lockKey: null,
    tapped: 0,
    threshold: 0,
  };
}

/** A further event of an action: the travel since and modifiers that nothing had yet become its own. */
export function join(state: State, draft: DraftAction): void {
  takeTravel(state, draft);
  claimModifiers(state, draft);
}

/** The travel that led to an action is kept with it (A11). */
export function takeTravel(state: State, draft: DraftAction): void {
  if (state.travel.length === 0) return;
  addRuns(draft.travel, state.travel);
  state.travel.length = 0;
}

/** Each held modifier belongs to the first action that it modified (RULES, A6). */
function claimModifiers(state: State, draft: DraftAction): void {
  for (const modifier of state.modifiers) {
    if (modifier.owner) continue;
    modifier.owner = draft;
    addRuns(draft.events, modifier.runs);
    modifier.runs.length = 0;
  }
  if (state.modifiers.length > 0 && state.cluster) state.cluster.used = true;
}

/** Moves an action's end to where the pointer is. A late event (A2) does not move it back. */
export function endAt(state: State, draft: DraftAction, t: number): void {
  if (t >= draft.end.t) draft.end = pointNow(state, t);
}

export function near(ax: number, ay: number, bx: number, by: number, px: number): boolean {
  return distanceSquared(ax, ay, bx, by) <= px * px;
}

/** Whether an action began at most `px` from here. */
export function beganNear({ start }: DraftAction, x: number, y: number, px: number): boolean {
  return start.x !== null && start.y !== null && near(start.x, start.y, x, y, px);
}

/** True when `t` comes no later than `limit` after `from`. One that comes before it (a late event) does not. */
export function isWithin(from: number, t: number, limit: number): boolean {
  return t >= from && t - from <= limit;
}
