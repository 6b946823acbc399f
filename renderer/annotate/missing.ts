import { useDeferredValue, useEffect, useState } from 'react';
import { findMissing, gapsOfStep } from '../../core/annotate/missing.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { DocumentView } from '../../core/annotate/view.ts';
import type { MissingItem } from '../../schemas/annotation.ts';
import { tr } from '../language/tr.ts';
import { whenIdle } from '../ui/idle.ts';
import { useActions, useTools } from '../workbench/context.ts';
import { useWork, useWorkStore, type WorkState } from '../workbench/store.ts';

/** What is missing (N11) on the page: where each gap is mended, and the way there. */

export const gapKey = ({ kind, action }: Pick<MissingItem, 'kind' | 'action'>): string => `${kind}:${action ?? ''}`;

/** The field or button of the form in which a gap is mended. */
export function gapField({ kind }: Pick<MissingItem, 'kind'>, label: { element: string | null } | null): string {
  if (kind === 'pixels') return label?.element ? 'endName' : 'element';
  return kind === 'end-box' ? 'boxEnd' : kind;
}

/**
 * The gap to go to next: after the one that was gone to last while its step is still in hand, else at or after the step in
 * hand; from the start when there is none. Null when nothing is missing.
 */
export function nextGap(gaps: readonly MissingItem[], from: { at: number; gap: string | null }): MissingItem | null {
  const step = from.at + 1;
  const last = gaps.findIndex((one) => gapKey(one) === from.gap);
  const after = last >= 0 && (gaps[last]?.step ?? step) === step ? gaps[last + 1] : undefined;
  // A gap of the whole task: once it was gone to, or is done, the steps follow.
  return after ?? gaps.find((one, index) => index !== last && (one.step ?? 0) >= step) ?? gaps[0] ?? null;
}

/** By document, which each gesture makes anew: several parts of the page ask. */
const found = new WeakMap<DocumentView, { goal: string; gaps: MissingItem[] }>();

export function gapsOf({ doc, opened }: Pick<WorkState, 'doc' | 'opened'>): MissingItem[] {
  const { goal } = opened.row;
  const known = found.get(doc);
  if (known?.goal === goal) return known.gaps;
  const gaps = findMissing(doc, goal);
  found.set(doc, { goal, gaps });
  return gaps;
}

/** So many steps are looked at together, some milliseconds' work; the next of them at the latest this long after. */
const TOGETHER = 250;
const WITHIN_MS = 300;

/** Looks at steps from `from` on, some of them, and on while there is time left (ms); gives the first that was not looked at. */
export function lookOn(steps: DocumentView['steps'], from: number, left: () => number): number {
  let at = from;
  do {
    for (const step of steps.slice(at, at + TOGETHER)) gapsOfStep(step);
    at += TOGETHER;
  } while (at < steps.length && left() > 0);
  return Math.min(at, steps.length);
}

/**
 * Whether every step was looked at once, after which a gesture changes only some. It is done while nothing else is to do: the
 * first picture of a long recording, and the first key, would wait for it.
 */
function useLookedThrough(doc: DocumentView): boolean {
  const [isThrough, setThrough] = useState(() => found.has(doc));
  useEffect(() => {
    if (isThrough) return;
    let at = 0;
    let callOff: () => void;
    const look = (left: () => number): void => {
      at = lookOn(doc.steps, at, left);
      if (at < doc.steps.length) callOff = whenIdle(look, WITHIN_MS);
      else setThrough(true);
    };
    callOff = whenIdle(look, WITHIN_MS);
    return () => callOff();
  }, [doc, isThrough]);
  return isThrough;
}

const NONE_YET: readonly MissingItem[] = [];

/** The gaps as they are now, or a moment ago: the next step's picture does not wait for them. None until all were looked for. */
export function useGaps(): readonly MissingItem[] {
  const now = useWork((state) => state.doc);
  const isThrough = useLookedThrough(now);
  const doc = useDeferredValue<DocumentView | null>(isThrough ? now : null, found.has(now) ? now : null);
  const opened = useWork((state) => state.opened);
  return doc ? gapsOf({ doc, opened }) : NONE_YET;
}

/** What a gap belongs to, in words. */
export function gapPlace({ kind, step, subtask }: MissingItem, doc: Pick<DocumentView, 'steps'>): string {
  if (step === null) return tr('Task');
  if (kind === 'title') return tr('Subtask {number}', { number: subtask ?? 1 });
  return tr('Step {step} · {narration}', { step, narration: (doc.steps[step - 1]?.narration ?? '').slice(0, 200) });
}

export type Gaps = {
  /** Shows the list, or hides it. */
  toggle: () => void;
  next: () => void;
  /** Goes to the step and the field in which it is mended. */
  go: (gap: MissingItem) => void;
};

export function useGoToGaps(): Gaps {
  const store = useWorkStore();
  const actions = useActions();
  const { focus } = useTools();
  const go = (gap: MissingItem): void => {
    const { opened } = store.getState();
    const at = gap.action === null ? -1 : (stepIndex(opened.steps).get(gap.action) ?? -1);
    if (at >= 0) actions.go(at);
    store.setState({ gap: gapKey(gap) });
    focus.go(gapField(gap, store.getState().doc.steps[at]?.label ?? null));
  };
  return {
    toggle: () => {
      const shut = store.getState().open === 'missing';
      store.setState({ open: shut ? null : 'missing' });
      if (shut) focus.go('list');
    },
    next: () => {
      // What is half typed may be the gap itself.
      actions.settle();
      const gap = nextGap(gapsOf(store.getState()), store.getState());
      if (gap) go(gap);
      else actions.say(tr('Nothing is missing.'), 'info');
    },
    go,
  };
}
