import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconPhotoOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { tr, trParts } from '../../language/tr.ts';
import { useTools } from '../context.ts';
import {
  boundPan,
  clampPixel,
  fitViewport,
  fromCss,
  type Point,
  pictureRect,
  pixelToCss,
  type Size,
  type Viewport,
  zoomAt,
} from '../geometry.ts';
import { type Mode, readOnlyNow, showsBefore, useWork, useWorkStore } from '../store.ts';
import { Video } from '../video/video.tsx';
import { Loupe } from './loupe.tsx';
import { StageOverlay } from './overlay.tsx';
import type { Scaled } from './scaled.ts';
import classes from './stage.module.css';
import { actsAtPlace, describePicture, targetIn } from './target.ts';
import { usePicture } from './use-picture.ts';
import { usePointer } from './use-pointer.ts';
import { sizeOnCanvas, useScaled } from './use-scaled.ts';

export type StageProps = {
  marks?: (viewport: Viewport) => ReactNode;
  pins?: (viewport: Viewport) => ReactNode;
  onPin?: ((at: Point) => void) | null;
  readOnly?: boolean;
};

/**
 * The screen as it was, with what is known of the step drawn over it. `marks`: more of it, under the step's own boxes;
 * `pins`: over everything; `onPin`: Ctrl and a click on a
 * pixel; `readOnly`: the pointer moves the picture and draws no box.
 */
export function Stage({ marks, pins, onPin = null, readOnly = false }: StageProps): ReactNode {
  const store = useWorkStore();
  const { pictures } = useTools();
  const opened = useWork((state) => state.opened);
  const at = useWork((state) => state.at);
  const step = useWork((state) => state.doc.steps[state.at]);
  const side = useWork((state) => state.side);
  const looking = useWork((state) => state.looking);
  const mode = useWork((state) => state.mode);
  const draft = useWork((state) => state.draft);
  const loupe = useWork((state) => state.loupe);
  const before = useWork(showsBefore);
  const stage = useWork((state) => state.stage);
  const kept = useWork((state) => state.viewport);
  const video = useWork((state) => state.playing !== null);
  const { bitmap, error, place, index } = usePicture();

  const rect = useMemo(() => pictureRect(opened, place), [opened, place]);
  const picture: Size | null = useMemo(
    () =>
      rect ? { width: rect.width, height: rect.height } : bitmap && { width: bitmap.width, height: bitmap.height },
    [rect, bitmap],
  );
  const viewport: Viewport = useMemo(
    () => kept ?? (picture && stage.width > 0 ? fitViewport(picture, stage) : { scale: 1, x: 0, y: 0 }),
    [kept, picture, stage],
  );
  const target = useMemo(() => step && targetIn(opened, step, place), [opened, step, place]) ?? null;
  const refused = useWork((state) => readOnlyNow(state) !== null);
  const resting = readOnly || refused;
  const pointer = usePointer({ step: readOnly ? undefined : step, picture, stage, viewport, onPin });

  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const ratio = useDevicePixelRatio();
  const scaled = useScaled(index, stage, kept, ratio);

  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = () => store.setState({ stage: { width: element.clientWidth, height: element.clientHeight } });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [store]);

  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, bitmap, scaled, viewport, stage, ratio);
  }, [bitmap, scaled, viewport, stage, ratio]);

  useEffect(() => {
    const element = area.current;
    if (!element || !picture) return;
    // Not passive: the page itself must not zoom or scroll.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const state = store.getState();
      const from = state.viewport ?? fitViewport(picture, state.stage);
      const lines = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        const pointerAt = { x: event.clientX - left, y: event.clientY - top };
        const next = zoomAt(from, pointerAt, from.scale * Math.exp((-event.deltaY * lines) / 400));
        store.setState({ viewport: boundPan(next, picture, state.stage) });
      } else {
        const [dx, dy] = event.shiftKey ? [event.deltaY + event.deltaX, 0] : [event.deltaX, event.deltaY];
        const next = { scale: from.scale, x: from.x - dx * lines, y: from.y - dy * lines };
        store.setState({ viewport: boundPan(next, picture, state.stage) });
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [picture, store]);

  const drafted = draft && step && draft.action === step.step.id ? draft : null;
  const boxOf = (role: 'target' | 'end') => {
    if (pointer.state.rubber?.role === role) return pointer.state.rubber.box;
    if (drafted?.role === role) return drafted.box;
    return (role === 'target' ? step?.target : step?.end)?.box ?? null;
  };
  const boxes = before ? { target: boxOf('target'), end: boxOf('end') } : { target: null, end: null };
  const shown = looking !== null ? 'elsewhere' : side;
  const state = error ? 'error' : bitmap ? 'ready' : index >= 0 ? 'loading' : 'none';
  // A picture of another size than the coordinates say would put every mark at the wrong place.
  const misfit =
    opened.misfit ??
    (bitmap && rect && (bitmap.width !== rect.width || bitmap.height !== rect.height)
      ? tr(
          'The picture is {width} × {height} pixels, but the recording says it shows {recordedWidth} × {recordedHeight}. Marks may be drawn at the wrong place.',
          { width: bitmap.width, height: bitmap.height, recordedWidth: rect.width, recordedHeight: rect.height },
        )
      : null);
  // The pointer's place says nothing about keys: it only rested there, or had not moved yet.
  const outside = target && step && !target.startInside && actsAtPlace(step.step.kind) && looking === null;
  const eye =
    mode.kind === 'cross' || mode.kind === 'pin' ? { pixel: mode.at, css: pixelToCss(mode.at, viewport) } : null;
  const over = pointer.state.over;
  const held = over && picture && (loupe || pointer.state.holding);
  const glass = held ? { pixel: clampPixel(fromCss(over, viewport), picture), css: over } : eye;

  return (
    <section className={classes.stage} aria-label={tr('Picture')}>
      <div ref={area} className={classes.area} style={{ cursor: pointer.state.cursor }} {...pointer.handlers}>
        <canvas
          ref={canvas}
          className={classes.canvas}
          role="img"
          aria-label={step ? describePicture(step, at, target, shown) : tr('Picture of the screen')}
          data-testid="picture"
          data-step={step?.step.id}
          data-frame={index}
          data-side={looking === null ? side : 'other'}
          data-state={state}
          data-scale={viewport.scale}
          data-x={viewport.x}
          data-y={viewport.y}
        />
        {video && <Video viewport={viewport} />}
        {!video && before && marks?.(viewport)}
        {step && !video && (
          <StageOverlay
            step={step}
            target={target}
            viewport={viewport}
            mode={mode}
            boxes={boxes}
            active={before && !resting ? (mode.kind === 'idle' || mode.kind === 'pin' ? 'target' : mode.role) : null}
          />
        )}
        {!video && pins?.(viewport)}
        <div className={classes.hints}>
          {misfit && (
            <p className={classes.warning} role="alert">
              <IconAlertTriangle size={16} aria-hidden /> {misfit}
            </p>
          )}
          {outside && target && (
            <p className={classes.warning} role="status">
              {trParts('{icon} The recorded point ({x}, {y}) lies outside this picture.', {
                icon: <IconAlertTriangle size={16} aria-hidden />,
                x: target.start.x,
                y: target.start.y,
              })}
            </p>
          )}
          {mode.kind !== 'idle' && (
            <p className={classes.hint} role="status">
              {modeWords(mode)}
            </p>
          )}
        </div>
        {glass && bitmap && !video && <Loupe bitmap={bitmap} pixel={glass.pixel} css={glass.css} stage={stage} />}
        {state === 'loading' && !video && (
          <div className={classes.message}>
            <Loader size="sm" aria-hidden /> {tr('Cutting the picture …')}
          </div>
        )}
        {state === 'none' && (
          <div className={classes.message}>
            <IconPhotoOff size={18} aria-hidden />
            {step
              ? tr('This recording has no picture for this step.')
              : tr('Without steps there is no picture to show here.')}
          </div>
        )}
        {error && (
          <div className={classes.message} role="alert" onPointerDown={(event) => event.stopPropagation()}>
            <IconPhotoOff size={18} aria-hidden />
            <span>
              {tr(
                'Frame {index} cannot be shown. {error} The step can be annotated all the same; its neighbours (, and .) may do.',
                { index, error },
              )}
            </span>
            <Button variant="default" size="compact-xs" onClick={() => pictures.again(index)}>
              {tr('Try again')}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function modeWords(mode: Mode): string {
  if (mode.kind === 'pin') return mode.hint;
  const what = mode.kind !== 'idle' && mode.role === 'end' ? tr('End box') : tr('Box');
  if (mode.kind === 'adjust')
    return tr('{what}: arrows move it, Alt+arrows resize it, B draws it anew, Esc ends', { what });
  if (mode.kind === 'cross' && mode.first) return tr('{what}: arrows to the second corner, then Space', { what });
  return tr('{what}: arrows to the first corner, then Space; R auto-fits it from here', { what });
}

function draw(
  canvas: HTMLCanvasElement,
  bitmap: ImageBitmap | null,
  scaled: Scaled,
  viewport: Viewport,
  stage: Size,
  ratio: number,
): void {
  const width = Math.round(stage.width * ratio);
  const height = Math.round(stage.height * ratio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context || width === 0) return;
  // Around the picture the stage's own colour shows through.
  context.clearRect(0, 0, width, height);
  if (!bitmap || bitmap.width === 0) return;
  const [x, y] = [Math.round(viewport.x * ratio), Math.round(viewport.y * ratio)];
  const size = sizeOnCanvas(bitmap, viewport, ratio);
  const made = scaled.get(bitmap, size);
  if (made) {
    context.drawImage(made, x, y);
    return;
  }
  // From 100 % on a pixel is a sharp square.
  context.imageSmoothingEnabled = viewport.scale * ratio < 0.999;
  context.imageSmoothingQuality = 'medium';
  context.drawImage(bitmap, x, y, size.width, size.height);
}

function useDevicePixelRatio(): number {
  const [ratio, setRatio] = useState(devicePixelRatio);
  useEffect(() => {
    const query = matchMedia(`(resolution: ${ratio}dppx)`);
    const change = () => setRatio(devicePixelRatio);
    query.addEventListener('change', change, { once: true });
    return () => query.removeEventListener('change', change);
  }, [ratio]);
  return ratio;
}
