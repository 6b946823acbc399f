import type { Rect } from '../../schemas/events.ts';

// Desktop px to picture px is the same rule for the page, the studio and the exports, so it is in core.
export { isInPicture, pictureRect, stepPlace, toPicture } from '../../core/annotate/picture.ts';

/**
 * The one conversion of the workspace (pattern 11): desktop px -> picture px -> CSS px and back. Everything that is drawn
 * over a picture, and every click into it, goes through here.
 *
 * - desktop: integer physical px of the virtual desktop (A13).
 * - picture: integer px from the top left of one frame. A frame is not scaled, so a desktop px is a picture px (V2).
 * - CSS: px of the page inside the stage, under zoom and pan. 100 % is one picture px on one px of the display, whatever
 *   devicePixelRatio says.
 */
export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
/** `scale`: CSS px a picture px. `x`, `y`: where the picture's top left is in the stage, CSS px. */
export type Viewport = { scale: number; x: number; y: number };

const ZOOM_LEAST = 0.05;
const ZOOM_MOST = 16;

/** The nearest pixel of the picture. */
export function clampPixel(point: Point, size: Size): Point {
  return {
    x: Math.min(Math.max(Math.floor(point.x), 0), size.width - 1),
    y: Math.min(Math.max(Math.floor(point.y), 0), size.height - 1),
  };
}

/** The middle of a pixel in the stage: a marker on pixel (3, 4) is drawn over its middle, not its corner. */
export function pixelToCss(pixel: Point, viewport: Viewport): Point {
  return edgeToCss({ x: pixel.x + 0.5, y: pixel.y + 0.5 }, viewport);
}

/** A corner between pixels in the stage. */
export function edgeToCss(edge: Point, viewport: Viewport): Point {
  return { x: viewport.x + edge.x * viewport.scale, y: viewport.y + edge.y * viewport.scale };
}

/** A place of the stage in pixels of the picture, with fractions. */
export function fromCss(css: Point, viewport: Viewport): Point {
  return { x: (css.x - viewport.x) / viewport.scale, y: (css.y - viewport.y) / viewport.scale };
}

export function boxToCss(box: Rect, viewport: Viewport): Rect {
  const { x, y } = edgeToCss(box, viewport);
  return { x, y, width: box.width * viewport.scale, height: box.height * viewport.scale };
}

/** CSS px a picture px at `percent` of the display's own pixels. */
export function scaleOfPercent(percent: number, devicePixelRatio: number): number {
  return percent / 100 / devicePixelRatio;
}

export function percentOfScale(scale: number, devicePixelRatio: number): number {
  return Math.round(scale * devicePixelRatio * 100);
}

/** The whole picture in the stage, in its middle, with `margin` CSS px around it. */
export function fitViewport(picture: Size, stage: Size, margin = 8): Viewport {
  const width = Math.max(stage.width - 2 * margin, 1);
  const height = Math.max(stage.height - 2 * margin, 1);
  const scale = clampScale(Math.min(width / picture.width, height / picture.height));
  return centred(picture, stage, scale);
}

/** The picture at `scale` in the stage's middle. */
export function centred(picture: Size, stage: Size, scale: number): Viewport {
  return { scale, x: (stage.width - picture.width * scale) / 2, y: (stage.height - picture.height * scale) / 2 };
}

/** Another scale with the same picture place under `at` (the pointer, or the stage's middle). */
export function zoomAt(viewport: Viewport, at: Point, scale: number): Viewport {
  const next = clampScale(scale);
  const under = fromCss(at, viewport);
  return { scale: next, x: at.x - under.x * next, y: at.y - under.y * next };
}

/** `target` (picture px) in the stage's middle, at the same scale. */
export function centreOn(viewport: Viewport, target: Point, stage: Size): Viewport {
  return {
    scale: viewport.scale,
    x: stage.width / 2 - (target.x + 0.5) * viewport.scale,
    y: stage.height / 2 - (target.y + 0.5) * viewport.scale,
  };
}

/** Sticky zoom (pattern 3): the same scale for the next step; moved only when its target would not be seen. */
export function keepInSight(viewport: Viewport, target: Point, stage: Size, margin = 40): Viewport {
  const at = pixelToCss(target, viewport);
  const seen = at.x >= margin && at.y >= margin && at.x <= stage.width - margin && at.y <= stage.height - margin;
  return seen ? viewport : centreOn(viewport, target, stage);
}

/** Never lets the picture leave the stage altogether: at least `keep` CSS px stay in sight. */
export function boundPan(viewport: Viewport, picture: Size, stage: Size, keep = 48): Viewport {
  const bound = (at: number, length: number, room: number) =>
    Math.min(Math.max(at, keep - length * viewport.scale), room - keep);
  return {
    scale: viewport.scale,
    x: bound(viewport.x, picture.width, stage.width),
    y: bound(viewport.y, picture.height, stage.height),
  };
}

function clampScale(scale: number): number {
  return Math.min(Math.max(scale, ZOOM_LEAST), ZOOM_MOST);
}
