import { ACTION_RULES_VERSION, type Action, type Conservation, type ReduceWarning } from '../../schemas/actions.ts';
import type { WindowLine } from '../../schemas/frames.ts';
import { append } from '../lists.ts';
import { giveArrivedTexts } from './arrived.ts';
import { endRest } from './hover.ts';
import { modifierNames } from './keys.ts';
import { releaseModifiers } from './modifiers.ts';
import { closePress } from './pointer.ts';
import { addRuns, type Runs, toPairs } from './runs.ts';
import { type DraftAction, plainAction, type Silence, type State, warn, warningsLeftOff } from './state.ts';
import { unseenId } from './unseen.ts';

export type ReduceResult = {
  recording: string;
  /** The version of RULES.md that was followed. */
  rulesVersion: number;
  /** By the time of their press; equal times by raw index. */
  actions: Action[];
  warnings: ReduceWarning[];
  /** Where every raw input event went (A1). */
  conservation: Conservation;
};

/** Releases all that is held, and lets nothing go on: at a pause (A12) and at the end of the stream (A2). */
export function releaseAll(state: State, at: 'pause' | 'end'): void {
  endRest(state, state.now);
  while (state.presses.length > 0) {
    const press = state.presses[0]!;
    if (at === 'pause') state.outsideButtons.set(press.button, { where: 'paused', t: state.now });
    else warn(state, 'missing-release', press.index, `Button ${press.button} is down at the end.`);
    closePress(state, press, state.now, true);
  }
  for (const [code, held] of state.held) {
    held.draft.incomplete = true;
    if (at === 'pause') state.outsideKeys.set(code, { where: 'paused', t: held.t });
    else warn(state, 'keys-held-at-end', held.index, `${code} is down at the end.`);
  }
  state.held.clear();
  for (const modifier of state.modifiers) {
    if (at === 'pause') state.outsideKeys.set(modifier.code, { where: 'paused', t: modifier.t });
    else warn(state, 'keys-held-at-end', modifier.index, `${modifier.code} is down at the end.`);
  }
  releaseModifiers(state);
  state.last = null;
  state.run = null;
  state.scroll = null;
  state.seenModifiers = 0;
  state.inputAt = Number.NaN;
}

/** The actions of a stream that was taken to its end. */
export function result(state: State): ReduceResult {
  const { recording } = state.context;
  const drafts = [...state.drafts].sort((a, b) => a.start.t - b.start.t);
  giveArrivedTexts(drafts, state);
  const spans = spansOf(drafts);
  for (const hover of state.hovers) {
    // A rest inside an action (between two wheel events, say) is that action's travel.
    const around = spans(hover.start.t, hover.end.t);
    if (around) {
      addRuns(around.travel, hover.travel);
      addRuns(around.travel, hover.events);
    } else {
      drafts.push(hover);
    }
  }
  const withHovers = spansOf(drafts.sort((a, b) => a.start.t - b.start.t));
  const windows = [...(state.context.windows ?? [])].sort((a, b) => a.t - b.t);
  const placed = drafts.map((draft) => {
    const action = toAction(draft, recording, windows);
    return { action, t: draft.start.t, index: action.events[0]?.[0] ?? draft.withheldAt ?? -1 };
  });
  for (const silence of state.silences) {
    if (withHovers(silence.from.t, silence.to)) continue;
    const action = toWait(silence, recording, windows);
    placed.push({ action, t: silence.from.t, index: silence.index + 0.5 });
  }
  for (const { from, to, index } of state.unseen) {
    const at = { x: 0, y: 0, display: null, t: from };
    const action = toWait({ from: at, to, index }, recording, windows);
    placed.push({ action: { ...action, id: unseenId(recording, index) }, t: from, index });
  }
  placed.sort((a, b) => a.t - b.t || a.index - b.index);
  const actions = placed.map((each) => each.action);
  const travel: Runs = [...state.travel];
  for (const action of actions) for (const run of action.travel) append(travel, run);
  const ofActions: Runs = [];
  for (const action of actions) for (const run of action.events) append(ofActions, run);
  return {
    recording,
    rulesVersion: ACTION_RULES_VERSION,
    actions,
    warnings: [...state.warnings, ...warningsLeftOff(state)],
    conservation: {
      action: toPairs(ofActions),
      travel: toPairs(travel),
      loneModifier: toPairs(state.loneModifierRuns),
      own: toPairs(state.ownRuns),
      paused: toPairs(state.pausedRuns),
    },
  };
}

/** Finds the action that lasts over a whole stretch of time. `drafts` are sorted by their start. */
function spansOf(drafts: readonly DraftAction[]): (from: number, to: number) => DraftAction | null {
  const starts = drafts.map((draft) => draft.start.t);
  // latest[i]: of the first i + 1 actions, the one that ends last.
  const latest: DraftAction[] = [];
  for (const draft of drafts) {
    const before = latest.at(-1);
    latest.push(before && before.end.t >= draft.end.t ? before : draft);
  }
  return (from, to) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= from) low = middle + 1;
      else high = middle;
    }
    const draft = low === 0 ? undefined : latest[low - 1];
    return draft && draft.end.t >= to ? draft : null;
  };
}

function toAction(draft: DraftAction, recording: string, windows: readonly WindowLine[]): Action {
  const events = toPairs(draft.events);
  const lock = draft.lockKey;
  return {
    id: `${recording}:${events[0]?.[0] ?? draft.withheldAt ?? 0}`,
    kind: lock === null ? draft.kind : 'press',
    button: draft.button,
    modifiers: modifierNames(draft.modifiers),
    start: draft.start,
    end: draft.end,
    path: draft.path,
    text: lock === null ? draft.text : null,
    ...(draft.textFrom !== null && lock === null && { textFrom: draft.textFrom }),
    ...(draft.withheldAt !== null && { withheld: true as const, withheldKeys: draft.withheldKeys }),
    ...(draft.withheldWhy.length > 0 && { withheldWhy: draft.withheldWhy }),
    keystrokes: lock === null ? draft.keystrokes : null,
    keys: lock === null ? draft.keys : [lock],
    count: lock === null ? draft.count : Math.max(1, draft.keystrokes?.length ?? 1),
    autoRepeat: draft.autoRepeat,
    scroll: draft.scroll,
    duringDrag: draft.duringDrag,
    holdMs: draft.holdMs,
    events,
    travel: toPairs(draft.travel),
    window: windowAt(windows, draft.start.t),
    incomplete: draft.incomplete,
  };
}

/** `wait` has no raw events: its id comes from the input that it follows, marked so that it meets no other. */
function toWait(silence: Silence, recording: string, windows: readonly WindowLine[]): Action {
  const { from } = silence;
  return {
    id: `${recording}:${silence.index}w`,
    kind: 'wait',
    button: null,
    modifiers: [],
    start: from,
    end: { ...from, t: silence.to },
    ...plainAction(),
    window: windowAt(windows, from.t),
    incomplete: false,
  };
}

/** The window that was active at `t`: the last line at or before it. */
function windowAt(windows: readonly WindowLine[], t: number): WindowLine | null {
  let low = 0;
  let high = windows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (windows[middle]!.t <= t) low = middle + 1;
    else high = middle;
  }
  return windows[low - 1] ?? null;
}
