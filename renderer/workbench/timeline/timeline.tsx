import {
  memo,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { placeAt } from '../../../core/annotate/picture.ts';
import { tr } from '../../language/tr.ts';
import { useCommands } from '../../ui/keys/use-commands.ts';
import { commands } from '../commands.ts';
import { useActions, useTools } from '../context.ts';
import { idleGapsOf } from '../frames/gaps.ts';
import { clock } from '../frames/times.ts';
import { loadFrame } from '../load.ts';
import { KeyIcon } from '../parts.tsx';
import { shownFrame, useWork, useWorkStore, type WorkState } from '../store.ts';
import { makePlayer } from '../video/player.ts';
import { drawTimeline, type Moment, readPalette, type TimelineColors } from './draw.ts';
import { bandsIn, edgeNear, type Rows, rowsIn, stepNear } from './layout.ts';
import { drawPreview } from './preview.ts';
import { boundScale, fitScale, panScale, reveal, type Scale, xToTime, zoomScale } from './scale.ts';
import { makeThumbnails } from './thumbnails.ts';
import classes from './timeline.module.css';

const EDGE_PX = 5;

/** Gives the marks on the timeline beside the recording itself. Must stay the same function while it is shown. */
export type MomentsOf = (state: WorkState) => readonly Moment[];

/**
 * Filmstrip, subtasks, actions, keys and idle stretches along the time, on one canvas that is drawn at most once a frame
 * of the display, outside React: scrolling 10,000 steps draws only what is in the window.
 */
export function Timeline({ moments }: { moments: MomentsOf }): ReactNode {
  const store = useWorkStore();
  const tools = useTools();
  const actions = useActions();
  const canvas = useRef<HTMLCanvasElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const preview = useRef<HTMLDivElement>(null);
  const rows = useRows();
  const player = useMemo(() => makePlayer(store, tools), [store, tools]);
  const view = useMemo(() => makeView(store, tools, moments), [store, tools, moments]);

  useEffect(() => {
    if (!canvas.current || !area.current || !preview.current) return;
    return view.attach(canvas.current, area.current, preview.current);
  }, [view]);

  const command = (name: string, run: () => void) => ({
    ...commands.find((one) => one.id === `annotate.${name}`)!,
    run,
  });
  useCommands('annotate', [
    command('timelineIn', () => view.zoom(1.6)),
    command('timelineOut', () => view.zoom(1 / 1.6)),
    command('timelineFit', () => view.zoom(0)),
  ]);

  const drag = useRef<{ kind: 'edge'; band: number } | { kind: 'time' } | null>(null);
  const xOf = (event: ReactPointerEvent<HTMLElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const yOf = (event: ReactPointerEvent<HTMLElement>) =>
    event.clientY - event.currentTarget.getBoundingClientRect().top;
  const inBands = (y: number) => y >= rows.bands.y - 3 && y <= rows.bands.y + rows.bands.height + 2;

  function onPointerDown(event: ReactPointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    const [x, y] = [xOf(event), yOf(event)];
    event.currentTarget.setPointerCapture(event.pointerId);
    const edge = inBands(y) ? view.edgeAt(x) : -1;
    if (edge > 0) drag.current = { kind: 'edge', band: edge };
    else if (y >= rows.marks.y || inBands(y)) {
      const step = stepNear(store.getState().opened.steps, view.scale(), x, y >= rows.marks.y ? 12 : 1e9);
      if (step >= 0) actions.go(step, { extend: event.shiftKey });
      else player.lookAt(xToTime(view.scale(), x));
    } else {
      drag.current = { kind: 'time' };
      player.lookAt(xToTime(view.scale(), x));
    }
  }

  function onPointerMove(event: ReactPointerEvent<HTMLDivElement>): void {
    const x = xOf(event);
    const { y, height } = rows.film;
    view.hover(!drag.current && yOf(event) >= y && yOf(event) < y + height ? x : null);
    if (drag.current?.kind === 'time') player.lookAt(xToTime(view.scale(), x));
    else if (drag.current?.kind === 'edge') view.dragEdge({ band: drag.current.band, x });
    event.currentTarget.style.cursor =
      drag.current?.kind === 'edge' || (inBands(yOf(event)) && view.edgeAt(x) > 0) ? 'col-resize' : 'default';
  }

  function onPointerUp(event: ReactPointerEvent<HTMLDivElement>): void {
    const now = drag.current;
    drag.current = null;
    view.dragEdge(null);
    if (now?.kind !== 'edge') return;
    // An edge belongs to the step after it: the first one that begins from here on.
    const t = xToTime(view.scale(), xOf(event));
    const { steps } = store.getState().opened;
    const to = steps.findIndex((step) => step.start[2] >= t);
    actions.moveEdge(now.band, to === -1 ? steps.length - 1 : to);
  }

  const span = useWork((state) => state.opened.span);
  const shownAt = useWork((state) => shownTime(state));
  const label = useWork((state) =>
    tr('{time}, step {number}', { time: clock(shownTime(state), state.opened.span.start), number: state.at + 1 }),
  );

  return (
    <section className={classes.timeline} aria-label={tr('Timeline')}>
      <div
        ref={area}
        className={classes.area}
        style={{ height: rows.height }}
        role="slider"
        tabIndex={0}
        aria-label={tr('Time in the recording')}
        aria-valuemin={0}
        aria-valuemax={Math.round((span.end - span.start) / 1000)}
        aria-valuenow={Math.round((shownAt - span.start) / 1000)}
        aria-valuetext={label}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerLeave={() => view.hover(null)}
        onPointerCancel={() => {
          drag.current = null;
          view.dragEdge(null);
        }}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
          if (by === undefined || event.altKey || event.ctrlKey) return;
          event.preventDefault();
          player.lookBy(event.shiftKey ? by * 10 : by);
        }}
      >
        <canvas ref={canvas} className={classes.canvas} />
      </div>
      <div ref={preview} className={classes.preview} data-testid="film-preview" aria-hidden="true" hidden>
        <canvas />
        <span />
      </div>
      <ZoomButtons zoom={view.zoom} />
    </section>
  );
}

/** Drawn once: the time above changes at every step. */
const ZoomButtons = memo(function ZoomButtons({ zoom }: Pick<View, 'zoom'>): ReactNode {
  return (
    <div className={classes.zoom}>
      <KeyIcon command="annotate.timelineIn" label={tr('Timeline: zoom in')} onClick={() => zoom(1.6)}>
        <span aria-hidden="true">+</span>
      </KeyIcon>
      <KeyIcon command="annotate.timelineOut" label={tr('Timeline: zoom out')} onClick={() => zoom(1 / 1.6)}>
        <span aria-hidden="true">−</span>
      </KeyIcon>
      <KeyIcon command="annotate.timelineFit" label={tr('Timeline: the whole recording')} onClick={() => zoom(0)}>
        <span aria-hidden="true">↔</span>
      </KeyIcon>
    </div>
  );
});

/** The rows of the timeline, fewer px in a low window. */
function useRows(): Rows {
  return useSyncExternalStore(onResize, () => rowsIn(innerHeight));
}

function onResize(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

/** The time (µs) that is shown: of the video while it plays, of the frame looked at, or of the step's press. */
function shownTime(state: WorkState): number {
  if (state.playhead !== null) return state.playhead;
  if (state.looking !== null) return state.opened.frames[state.looking]?.[1] ?? state.opened.span.start;
  return (
    state.doc.steps[state.at]?.step.start[2] ?? state.opened.frames[shownFrame(state)]?.[1] ?? state.opened.span.start
  );
}

type View = {
  attach(canvas: HTMLCanvasElement, area: HTMLElement, preview: HTMLElement): () => void;
  /** The frame at `x` is shown larger; null: none. */
  hover(x: number | null): void;
  scale(): Scale;
  /** By a factor around the middle; 0 shows the whole recording. */
  zoom(factor: number): void;
  edgeAt(x: number): number;
  dragEdge(dragged: { band: number; x: number } | null): void;
};

function makeView(
  store: ReturnType<typeof useWorkStore>,
  { frames }: ReturnType<typeof useTools>,
  moments: MomentsOf,
): View {
  const { opened, ws } = store.getState();
  const { span } = opened;
  let scale = fitScale(span, 1000);
  let width = 0;
  let dragged: { band: number; x: number } | null = null;
  let hovered: number | null = null;
  let request = 0;
  let palette: TimelineColors | null = null;
  let paint = (): void => {};
  const thumbnails = makeThumbnails(
    (i, signal) => loadFrame(ws, opened.row.id, i, signal),
    () => plan(),
  );

  function plan(): void {
    if (request === 0) request = requestAnimationFrame(() => paint());
  }

  function set(next: Scale): void {
    scale = next;
    plan();
  }

  return {
    scale: () => scale,
    zoom(factor) {
      set(factor === 0 ? fitScale(span, width) : zoomScale(scale, factor, width / 2, span, width));
    },
    edgeAt: (x) => {
      const { doc, opened: now } = store.getState();
      return edgeNear(bandsIn(doc.subtasks, now.steps, span, scale, width), x, EDGE_PX);
    },
    dragEdge(next) {
      dragged = next;
      plan();
    },
    hover(x) {
      if (x === hovered) return;
      hovered = x;
      plan();
    },
    attach(canvas, area, preview) {
      const context = canvas.getContext('2d', { alpha: false });
      paint = (): void => {
        request = 0;
        if (!context || width === 0) return;
        const state = store.getState();
        const ratio = devicePixelRatio;
        const shownRows = rowsIn(innerHeight);
        const [w, h] = [Math.round(width * ratio), Math.round(shownRows.height * ratio)];
        if (canvas.width !== w) canvas.width = w;
        if (canvas.height !== h) canvas.height = h;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        palette ??= readPalette(area);
        const rect = opened.views[0]?.rect;
        const slotPx = rect ? Math.round((shownRows.film.height * rect.width) / rect.height) : 96;
        thumbnails.begin();
        drawTimeline(
          context,
          {
            opened: state.opened,
            doc: state.doc,
            gaps: idleGapsOf(state.opened),
            scale,
            width,
            at: state.at,
            low: Math.min(state.at, state.anchor ?? state.at),
            high: Math.max(state.at, state.anchor ?? state.at),
            playhead: shownTime(state),
            dragged,
            moments: moments(state),
            rows: shownRows,
            slotPx: Math.min(Math.max(slotPx, 40), 240),
            thumbnail: (t) => {
              const i = frames[placeAt(frames, t)]?.[0];
              return i === undefined ? null : thumbnails.get(i);
            },
          },
          palette,
        );
        const t = hovered === null ? null : Math.max(xToTime(scale, hovered), span.start);
        const frame = t === null ? undefined : frames[placeAt(frames, t)];
        drawPreview(preview, {
          x: hovered ?? 0,
          width,
          bitmap: frame ? thumbnails.get(frame[0]) : null,
          words: frame && `${tr('frame {number}', { number: frame[0] })} · ${clock(frame[1], span.start)}`,
        });
      };
      const resize = new ResizeObserver(() => {
        const whole = width === 0 || scale.usPerPx >= fitScale(span, width).usPerPx;
        width = area.clientWidth;
        set(whole ? fitScale(span, width) : boundScale(scale, span, width));
      });
      resize.observe(area);
      const unsubscribe = store.subscribe((state, before) => {
        const moved = state.at !== before.at || state.looking !== before.looking || state.playhead !== before.playhead;
        if (moved) scale = reveal(scale, shownTime(state), span, width);
        const said = state.doc !== before.doc || state.review !== before.review || state.marks !== before.marks;
        if (moved || said || state.anchor !== before.anchor) plan();
      });
      const scheme = new MutationObserver(() => {
        palette = null;
        plan();
      });
      scheme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mantine-color-scheme'] });
      const onWheel = (event: WheelEvent): void => {
        event.preventDefault();
        const x = event.clientX - area.getBoundingClientRect().left;
        const lines = event.deltaMode === 1 ? 16 : 1;
        if (event.ctrlKey || event.metaKey) {
          set(zoomScale(scale, Math.exp((-event.deltaY * lines) / 300), x, span, width));
        } else
          set(
            panScale(
              scale,
              (Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY) * lines,
              span,
              width,
            ),
          );
      };
      area.addEventListener('wheel', onWheel, { passive: false });
      return () => {
        resize.disconnect();
        scheme.disconnect();
        unsubscribe();
        area.removeEventListener('wheel', onWheel);
        if (request !== 0) cancelAnimationFrame(request);
        request = 0;
        paint = () => {};
        thumbnails.close();
      };
    },
  };
}
