import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { tr } from '../../language/tr.ts';
import {
  boxToCss,
  centred,
  edgeToCss,
  fitViewport,
  type Point,
  pixelToCss,
  type Size,
  type Viewport,
} from '../../workbench/geometry.ts';
import classes from './cases.module.css';
import { centreOf, reachOf, type ShapePlace, type Shapes, shapesText } from './shapes.ts';

export type Layer = 'truth' | 'prediction' | 'other';

type Props = {
  src: string;
  about: string;
  shapes: Shapes;
  /** The other model's places, when two are compared. */
  other: readonly ShapePlace[];
  /** Farthest distance that is a hit, px; drawn around a click's truth. */
  threshold: number;
  zoomed: boolean;
};

/** A question's picture with truth and prediction on it, each by a shape and a colour of its own. */
export function CasePicture({ src, about, shapes, other, threshold, zoomed }: Props): ReactNode {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const [natural, setNatural] = useState<Size | null>(null);
  const [failed, setFailed] = useState(false);
  const size = shapes.size ?? natural;
  const stage = { width, height };
  const viewport = size && width > 0 ? viewportOf(size, stage, shapes, other, zoomed) : null;
  return (
    <div className={classes.stage} ref={ref}>
      {failed ? (
        <p className={classes.noPicture} role="alert">
          {tr('The picture of this question cannot be read. Make or take the questions again.')}
        </p>
      ) : (
        <img
          className={classes.picture}
          src={src}
          alt={`${about} ${shapesText(shapes)}`}
          data-testid="case-picture"
          draggable={false}
          style={
            viewport && size
              ? {
                  transform: `translate(${viewport.x}px, ${viewport.y}px)`,
                  width: size.width * viewport.scale,
                  height: size.height * viewport.scale,
                }
              : { visibility: 'hidden' }
          }
          onLoad={({ currentTarget }) =>
            setNatural({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={() => setFailed(true)}
        />
      )}
      {viewport && !failed && (
        <svg className={classes.overlay} aria-hidden="true">
          {shapes.truth.map((place, i) => (
            <Circle key={i === 0 ? 'start' : 'end'} at={centreOf(place)} radius={threshold} viewport={viewport} />
          ))}
          {shapes.box?.kind === 'box' && <Mark place={shapes.box} layer="truth" viewport={viewport} />}
          <Marks places={other} layer="other" viewport={viewport} />
          <Marks places={shapes.truth} layer="truth" viewport={viewport} />
          <Marks places={shapes.prediction} layer="prediction" viewport={viewport} />
        </svg>
      )}
    </div>
  );
}

/** The whole picture, or close enough that the marks fill a good part of the stage, at most 4 times. */
function viewportOf(size: Size, stage: Size, shapes: Shapes, other: readonly ShapePlace[], zoomed: boolean): Viewport {
  const whole = fitViewport(size, stage);
  const reach = zoomed ? reachOf({ ...shapes, prediction: [...shapes.prediction, ...other] }) : null;
  if (!reach) return whole;
  const room = 1.6;
  const scale = Math.min(
    ...[stage.width / (reach.width * room + 160), stage.height / (reach.height * room + 160)],
    whole.scale * 4,
  );
  const { x, y } = reach.middle;
  const close = centred(size, stage, Math.max(scale, whole.scale));
  return { scale: close.scale, x: stage.width / 2 - x * close.scale, y: stage.height / 2 - y * close.scale };
}

function Circle({ at, radius, viewport }: { at: Point; radius: number; viewport: Viewport }): ReactNode {
  const { x, y } = pixelToCss(at, viewport);
  const r = radius * viewport.scale;
  return (
    <>
      <circle cx={x} cy={y} r={r} className={classes.withinHalo} />
      <circle cx={x} cy={y} r={r} className={classes.within} />
    </>
  );
}

function Marks({
  places,
  layer,
  viewport,
}: {
  places: readonly ShapePlace[];
  layer: Layer;
  viewport: Viewport;
}): ReactNode {
  const [start, end] = places;
  return (
    <g data-layer={layer} data-places={places.length}>
      {start && end && <Arrow from={cssMiddle(start, viewport)} to={cssMiddle(end, viewport)} layer={layer} />}
      {start && <Mark place={start} layer={layer} viewport={viewport} />}
      {end && <Mark place={end} layer={layer} viewport={viewport} />}
    </g>
  );
}

const cssMiddle = (place: ShapePlace, viewport: Viewport): Point =>
  place.kind === 'point' ? pixelToCss(place.at, viewport) : edgeToCss(centreOf(place), viewport);

function Mark({ place, layer, viewport }: { place: ShapePlace; layer: Layer; viewport: Viewport }): ReactNode {
  if (place.kind === 'point') return <Glyph at={pixelToCss(place.at, viewport)} layer={layer} />;
  const { from, to } = place;
  const { x, y, width, height } = boxToCss(
    { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y },
    viewport,
  );
  return (
    <>
      <rect x={x} y={y} width={width} height={height} className={classes.halo} />
      <rect x={x} y={y} width={width} height={height} className={classes.mark} data-layer={layer} />
    </>
  );
}

/** Truth is a ring, the prediction a cross, the other model a diamond: told apart without colour. */
export function Glyph({ at: { x, y }, layer }: { at: Point; layer: Layer }): ReactNode {
  const shape = {
    truth: <circle cx={x} cy={y} r={9} />,
    prediction: <path d={`M${x - 8} ${y - 8}L${x + 8} ${y + 8}M${x - 8} ${y + 8}L${x + 8} ${y - 8}`} />,
    other: <path d={`M${x} ${y - 10}L${x + 10} ${y}L${x} ${y + 10}L${x - 10} ${y}Z`} />,
  }[layer];
  return (
    <>
      <g className={classes.halo}>{shape}</g>
      <g className={classes.mark} data-layer={layer}>
        {shape}
      </g>
      {layer === 'truth' && <circle cx={x} cy={y} r={2.5} className={classes.spot} />}
    </>
  );
}

function Arrow({ from, to, layer }: { from: Point; to: Point; layer: Layer }): ReactNode {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const wing = (turn: number) => `${to.x - 14 * Math.cos(angle + turn)} ${to.y - 14 * Math.sin(angle + turn)}`;
  const d = `M${from.x} ${from.y}L${to.x} ${to.y}M${wing(0.45)}L${to.x} ${to.y}L${wing(-0.45)}`;
  return (
    <>
      <path d={d} className={classes.halo} />
      <path d={d} className={classes.mark} data-layer={layer} />
    </>
  );
}
