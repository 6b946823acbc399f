import { tr } from '../../language/tr.ts';
import type { Actions } from '../actions.ts';
import { boxOfCorners, moveBox, resizeBox } from '../boxes.ts';
import { clampPixel, type Point, pictureRect, type Size } from '../geometry.ts';
import type { Role, WorkStore } from '../store.ts';
import { shownFrame, showsBefore } from '../store.ts';
import { pictureMiddle, targetOf } from './target.ts';

/** Nudges that follow each other this quickly are one gesture, so that undo takes them back together. */
const TOGETHER_MS = 700;

/**
 * Boxes without a pointer (pattern 3). `toggle` puts a cross on the recorded point, or takes up the box that is there;
 * arrows move the cross or the box; two corners make a box.
 */
export function makeBoxKeys(store: WorkStore, actions: Actions) {
  const { getState: get, setState: set } = store;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const step = () => get().doc.steps[get().at];

  function picture(): Size | null {
    const { mode, opened } = get();
    // A place is chosen in whatever is shown.
    if (mode.kind === 'pin') return pictureRect(opened, shownFrame(get()));
    const now = step();
    return now ? pictureRect(opened, now.before) : null;
  }

  /** The picture that boxes belong to is the one to see while one is made. */
  function showBefore(): void {
    if (!showsBefore(get())) set({ side: 'before', looking: null, flipping: false });
    set({ playing: null, playhead: null });
  }

  function recordedPoint(role: Role): Point | null {
    const now = step();
    const rect = now ? pictureRect(get().opened, now.before) : null;
    if (!now || !rect) return null;
    const target = targetOf(now, rect);
    if (!target) return pictureMiddle(rect);
    return clampPixel(role === 'end' ? target.end : target.start, rect);
  }

  function toggle(role: Role): void {
    const now = step();
    const at = recordedPoint(role);
    if (!now || !at) {
      actions.sayHere(tr('This step has no picture to draw a box in.'));
      return;
    }
    actions.settle();
    showBefore();
    const { mode } = get();
    const has = role === 'target' ? now.target : now.end;
    if (mode.kind === 'idle' || mode.kind === 'pin' || mode.role !== role) {
      set({ mode: has ? { kind: 'adjust', role } : { kind: 'cross', role, at, first: null } });
    } else if (mode.kind === 'adjust') set({ mode: { kind: 'cross', role, at, first: null } });
    else corner();
  }

  function corner(): void {
    const { mode } = get();
    const now = step();
    if (mode.kind === 'pin') mode.choose(mode.at);
    if (mode.kind !== 'cross' || !now) return;
    if (!mode.first) {
      set({ mode: { ...mode, first: mode.at } });
      return;
    }
    actions.box(now, mode.role, boxOfCorners(mode.first, mode.at));
    set({ mode: { kind: 'adjust', role: mode.role } });
  }

  function change(by: { dx?: number; dy?: number; dw?: number; dh?: number }): void {
    const { mode, draft } = get();
    const now = step();
    const size = picture();
    if (!size || mode.kind === 'idle') return;
    const { dx = 0, dy = 0, dw = 0, dh = 0 } = by;
    if (mode.kind === 'cross' || mode.kind === 'pin') {
      set({ mode: { ...mode, at: clampPixel({ x: mode.at.x + dx + dw, y: mode.at.y + dy + dh }, size) } });
      return;
    }
    if (!now) return;
    const stored = mode.role === 'target' ? now.target : now.end;
    const from = draft?.action === now.step.id && draft.role === mode.role ? draft.box : stored?.box;
    if (!from) return;
    const box = resizeBox(moveBox(from, dx, dy, size), dw, dh, size);
    set({ draft: { action: now.step.id, role: mode.role, box } });
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => actions.settleBox(), TOGETHER_MS);
  }

  function grow(): void {
    const now = step();
    const { mode } = get();
    const role = mode.kind === 'idle' || mode.kind === 'pin' ? 'target' : mode.role;
    const at = mode.kind === 'cross' ? mode.at : recordedPoint(role);
    if (!now || !at) return;
    showBefore();
    void actions.grow(now, role, at.x, at.y).then((done) => {
      // One may have gone on meanwhile, and have begun a box at another step.
      const still = mode.kind === 'cross' && step()?.step.id === now.step.id;
      if (done && still && get().mode.kind === 'cross') set({ mode: { kind: 'adjust', role } });
    });
  }

  function remove(): void {
    const now = step();
    const { mode } = get();
    if (now) actions.box(now, mode.kind === 'idle' || mode.kind === 'pin' ? 'target' : mode.role, null);
    if (mode.kind === 'adjust') set({ mode: { kind: 'idle' } });
  }

  /** True when there was a mode to leave. */
  function leave(): boolean {
    actions.settle();
    if (get().mode.kind === 'idle') return false;
    set({ mode: { kind: 'idle' } });
    return true;
  }

  return { toggle, corner, change, grow, remove, leave };
}
