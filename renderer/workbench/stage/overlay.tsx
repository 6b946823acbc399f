import type { ReactNode } from 'react';
import { filledIn } from '../../../core/annotate/proposals/filled.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import type { Rect } from '../../../schemas/events.ts';
import { type BoxHandle, HANDLES, handlePoint } from '../boxes.ts';
import { boxToCss, edgeToCss, type Point, pixelToCss, type Viewport } from '../geometry.ts';
import { type Mode, type Role, showsBefore, useWork } from '../store.ts';
import classes from './stage.module.css';
import { actsAtPlace, type Target } from './target.ts';

/** Marks over the picture, all in CSS px by the one conversion. Not read out: the picture's text says it in words. */
export function StageOverlay(props: {
  step: StepView;
  target: Target | null;
  viewport: Viewport;
  mode: Mode;
  /** Boxes as they are now: being drawn, being nudged, or stored. */
  boxes: { target: Rect | null; end: Rect | null };
  active: Role | null;
}): ReactNode {
  const { step, target, viewport, mode, boxes, active } = props;
  const before = useWork(showsBefore);
  const filled = useWork((state) => filledIn(step, state.proposals.get(step.step.id)));
  return (
    <svg className={classes.overlay} aria-hidden="true">
      {before && !boxes.target && filled?.box && (
        <Box box={filled.box} viewport={viewport} which="filled" handles={false} />
      )}
      {boxes.end && <Box box={boxes.end} viewport={viewport} which="end" handles={active === 'end'} />}
      {boxes.target && <Box box={boxes.target} viewport={viewport} which="target" handles={active === 'target'} />}
      {target && <Marker step={step} target={target} viewport={viewport} />}
      {mode.kind === 'cross' && <Cross at={mode.at} first={mode.first} viewport={viewport} />}
      {mode.kind === 'pin' && <Cross at={mode.at} first={null} viewport={viewport} />}
    </svg>
  );
}

function Box(props: { box: Rect; viewport: Viewport; which: Role | 'filled'; handles: boolean }): ReactNode {
  const { x, y, width, height } = boxToCss(props.box, props.viewport);
  return (
    <g data-box={props.which}>
      <rect x={x - 1} y={y - 1} width={width + 2} height={height + 2} className={classes.boxHalo} />
      <rect x={x - 1} y={y - 1} width={width + 2} height={height + 2} className={classes.box} data-role={props.which} />
      {props.handles &&
        HANDLES.filter((handle) => roomFor(handle, width, height)).map((handle) => {
          const at = edgeToCss(handlePoint(props.box, handle), props.viewport);
          return <rect key={handle} x={at.x - 3.5} y={at.y - 3.5} width={7} height={7} className={classes.handle} />;
        })}
    </g>
  );
}

/** Handles that would be on each other are left out; what is left out can still be pulled at the corner. */
function roomFor(handle: BoxHandle, width: number, height: number): boolean {
  if (handle === 'n' || handle === 's') return width >= 28;
  if (handle === 'e' || handle === 'w') return height >= 28;
  return width >= 9 || height >= 9 || handle === 'se';
}

function Marker({ step, target, viewport }: { step: StepView; target: Target; viewport: Viewport }): ReactNode {
  const start = pixelToCss(target.start, viewport);
  const end = pixelToCss(target.end, viewport);
  const { kind } = step.step;
  const ring = (at: Point, r: number) => (
    <>
      <circle cx={at.x} cy={at.y} r={r} className={classes.halo} />
      <circle cx={at.x} cy={at.y} r={r} className={classes.ring} />
      <circle cx={at.x} cy={at.y} r={2} className={classes.spot} />
    </>
  );
  if (!actsAtPlace(kind)) {
    return <circle cx={start.x} cy={start.y} r={9} className={classes.rested} data-marker={kind} />;
  }
  return (
    <g data-marker={kind} data-x={target.start.x} data-y={target.start.y}>
      {kind === 'drag' && (
        <>
          <Arrow from={start} to={end} />
          {ring(end, 7)}
        </>
      )}
      {kind === 'scroll' && step.step.scroll && <Arrow from={start} to={scrollEnd(start, step.step.scroll)} />}
      {target.startInside && ring(start, 12)}
    </g>
  );
}

function scrollEnd(at: Point, { dx, dy }: { dx: number; dy: number }): Point {
  const length = Math.hypot(dx, dy) || 1;
  return { x: at.x + (dx / length) * 46, y: at.y + (dy / length) * 46 };
}

function Arrow({ from, to }: { from: Point; to: Point }): ReactNode {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const wing = (turn: number) => `${to.x - 11 * Math.cos(angle + turn)},${to.y - 11 * Math.sin(angle + turn)}`;
  const head = `${wing(0.45)} ${to.x},${to.y} ${wing(-0.45)}`;
  return (
    <>
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} className={classes.halo} />
      <polyline points={head} className={classes.halo} />
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} className={classes.ring} />
      <polyline points={head} className={classes.ring} />
    </>
  );
}

function Cross({ at, first, viewport }: { at: Point; first: Point | null; viewport: Viewport }): ReactNode {
  const { x, y } = pixelToCss(at, viewport);
  const corner = first && pixelToCss(first, viewport);
  return (
    <g data-cross={`${at.x},${at.y}`}>
      <line x1={x} y1={0} x2={x} y2="100%" className={classes.crossHalo} />
      <line x1={0} y1={y} x2="100%" y2={y} className={classes.crossHalo} />
      <line x1={x} y1={0} x2={x} y2="100%" className={classes.cross} />
      <line x1={0} y1={y} x2="100%" y2={y} className={classes.cross} />
      {corner && <circle cx={corner.x} cy={corner.y} r={4} className={classes.spot} />}
    </g>
  );
}
