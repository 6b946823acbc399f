import { type PointerEvent as ReactPointerEvent, useRef, useState } from 'react';
import type { StepView } from '../../../core/annotate/view.ts';
import type { Rect } from '../../../schemas/events.ts';
import { tr } from '../../language/tr.ts';
import { type BoxHandle, boxOfCorners, dragHandle, HANDLES, handlePoint, moveBox, sameBox } from '../boxes.ts';
import { useActions } from '../context.ts';
import {
  boundPan,
  clampPixel,
  edgeToCss,
  fromCss,
  isInPicture,
  type Point,
  type Size,
  type Viewport,
} from '../geometry.ts';
import { type Role, showsBefore, useWorkStore } from '../store.ts';

/** How far the pointer moves (CSS px) before a click is a drag; how near it must be to a handle. */
const DRAG_PX = 4;
const HANDLE_PX = 9;
const HOLD_MS = 350;

type Gesture =
  | { kind: 'pan'; from: Point; viewport: Viewport }
  | { kind: 'press'; from: Point; pixel: Point; role: Role }
  | { kind: 'draw'; first: Point; role: Role }
  | { kind: 'move'; first: Point; box: Rect; role: Role }
  | { kind: 'handle'; handle: BoxHandle; box: Rect; role: Role };

export type PointerState = {
  /** The box being drawn or moved, picture px. */
  rubber: { role: Role; box: Rect } | null;
  /** Where the pointer is, CSS px of the stage; null outside. */
  over: Point | null;
  cursor: string;
  /** The pointer is held still: the loupe shows. */
  holding: boolean;
};

/**
 * The pointer's work on the picture: a click grows a box, dragging draws one, handles and the box itself can be pulled,
 * the middle button (or Alt) moves the picture, holding still shows the loupe.
 */
export function usePointer(options: {
  step: StepView | undefined;
  picture: Size | null;
  stage: Size;
  viewport: Viewport;
  onPin: ((at: Point) => void) | null;
}) {
  const { step, picture, stage, viewport, onPin } = options;
  const store = useWorkStore();
  const actions = useActions();
  const gesture = useRef<Gesture | null>(null);
  const hold = useRef<ReturnType<typeof setTimeout> | null>(null);
  const [state, setState] = useState<PointerState>({ rubber: null, over: null, cursor: 'crosshair', holding: false });
  const update = (next: Partial<PointerState>) => setState((old) => ({ ...old, ...next }));
  const endHold = (): void => {
    if (hold.current) clearTimeout(hold.current);
    hold.current = null;
  };

  const cssOf = (event: ReactPointerEvent<HTMLElement>): Point => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const pixelOf = (css: Point): Point => clampPixel(fromCss(css, viewport), picture ?? { width: 1, height: 1 });
  const roleNow = (): Role => {
    const { mode } = store.getState();
    return mode.kind === 'idle' || mode.kind === 'pin' ? 'target' : mode.role;
  };

  function grip(css: Point): { role: Role; box: Rect; handle: BoxHandle | null } | null {
    for (const role of ['target', 'end'] as const) {
      const box = (role === 'target' ? step?.target : step?.end)?.box;
      if (!box) continue;
      for (const handle of HANDLES) {
        const at = edgeToCss(handlePoint(box, handle), viewport);
        if (Math.hypot(at.x - css.x, at.y - css.y) <= HANDLE_PX) return { role, box, handle };
      }
      const at = fromCss(css, viewport);
      if (at.x >= box.x && at.y >= box.y && at.x < box.x + box.width && at.y < box.y + box.height)
        return { role, box, handle: null };
    }
    return null;
  }

  function onPointerDown(event: ReactPointerEvent<HTMLElement>): void {
    if (!picture) return;
    const css = cssOf(event);
    const panning = event.button === 1 || (event.button === 0 && event.altKey);
    if (!panning && event.button !== 0) return;
    event.preventDefault();
    // A place is chosen: in its mode, or with Ctrl held.
    const { mode } = store.getState();
    const choose = mode.kind === 'pin' ? mode.choose : event.ctrlKey || event.metaKey ? onPin : null;
    if (choose && event.button === 0) {
      const pixel = fromCss(css, viewport);
      if (isInPicture(pixel, picture)) choose({ x: Math.floor(pixel.x), y: Math.floor(pixel.y) });
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    actions.settle();
    if (panning) {
      gesture.current = { kind: 'pan', from: css, viewport };
      update({ cursor: 'grabbing' });
      return;
    }
    const pixel = pixelOf(css);
    const held = grip(css);
    if (!step || !showsBefore(store.getState())) {
      gesture.current = { kind: 'pan', from: css, viewport };
    } else if (held?.handle) gesture.current = { kind: 'handle', handle: held.handle, box: held.box, role: held.role };
    else if (held) gesture.current = { kind: 'move', first: pixel, box: held.box, role: held.role };
    else gesture.current = { kind: 'press', from: css, pixel, role: roleNow() };
    hold.current = setTimeout(() => update({ holding: true }), HOLD_MS);
  }

  function onPointerMove(event: ReactPointerEvent<HTMLElement>): void {
    const css = cssOf(event);
    const now = gesture.current;
    if (!now) {
      const held = step && showsBefore(store.getState()) ? grip(css) : null;
      update({ over: css, cursor: held?.handle ? `${held.handle}-resize` : held ? 'move' : 'crosshair' });
      return;
    }
    if (!picture) return;
    if (now.kind === 'pan') {
      const moved = {
        scale: now.viewport.scale,
        x: now.viewport.x + css.x - now.from.x,
        y: now.viewport.y + css.y - now.from.y,
      };
      store.setState({ viewport: boundPan(moved, picture, stage) });
      update({ over: css });
      return;
    }
    if (now.kind === 'press') {
      if (Math.hypot(css.x - now.from.x, css.y - now.from.y) < DRAG_PX) {
        update({ over: css });
        return;
      }
      endHold();
      gesture.current = { kind: 'draw', first: now.pixel, role: now.role };
    }
    const drawn = boxNow(gesture.current, pixelOf(css), picture);
    update({ over: css, rubber: drawn });
  }

  function onPointerUp(event: ReactPointerEvent<HTMLElement>): void {
    endHold();
    const now = gesture.current;
    gesture.current = null;
    const wasHeld = state.holding;
    update({ rubber: null, holding: false, cursor: 'crosshair' });
    if (!now || !step || !picture || event.type === 'pointercancel') return;
    const pixel = pixelOf(cssOf(event));
    if (now.kind === 'press') {
      // A long look through the loupe is no click.
      if (!wasHeld && isInPicture(fromCss(now.from, viewport), picture)) {
        void actions.grow(step, now.role, now.pixel.x, now.pixel.y);
      }
      return;
    }
    const drawn = boxNow(now, pixel, picture);
    const old = drawn?.role === 'end' ? step.end : step.target;
    if (drawn && !sameBox(drawn.box, old?.box ?? null)) actions.box(step, drawn.role, drawn.box);
    else if (now.kind === 'pan' && Math.hypot(cssOf(event).x - now.from.x, cssOf(event).y - now.from.y) < DRAG_PX) {
      if (!event.altKey && event.button === 0) {
        actions.say(tr('Boxes belong to the picture before the action. Press Z to see it.'), 'info');
      }
    }
  }

  return {
    state,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onPointerLeave: () => update({ over: null }),
    },
  };
}

function boxNow(gesture: Gesture | null, pixel: Point, picture: Size): { role: Role; box: Rect } | null {
  if (gesture?.kind === 'draw') return { role: gesture.role, box: boxOfCorners(gesture.first, pixel) };
  if (gesture?.kind === 'handle') {
    return { role: gesture.role, box: dragHandle(gesture.box, gesture.handle, pixel, picture) };
  }
  if (gesture?.kind !== 'move') return null;
  const [dx, dy] = [pixel.x - gesture.first.x, pixel.y - gesture.first.y];
  return { role: gesture.role, box: moveBox(gesture.box, dx, dy, picture) };
}
