import { keyChord } from '../../../core/annotate/narration.ts';
import type { DocumentView } from '../../../core/annotate/view.ts';
import type { OpenedRecording } from '../../../schemas/api/models.ts';
import type { Span } from '../frames/gaps.ts';
import { clock } from '../frames/times.ts';
import { KIND_COLORS } from '../kind.tsx';
import { bandsIn, coarseFirst, filmSlots, marksIn, type Rows } from './layout.ts';
import { type Scale, ticks, timeToX } from './scale.ts';

/** Colours of the scheme, read from the page once for each scheme. */
export type TimelineColors = {
  surface: string;
  sunken: string;
  line: string;
  text: string;
  quiet: string;
  bandA: string;
  bandB: string;
  chosen: string;
  play: string;
  good: string;
  warn: string;
  font: string;
};

/** A number at a time (µs): of a comment, of which something is still to be done (`open`) or not, or of a mark. */
export type Moment = { t: number; number: number; of: 'open' | 'done' | 'mark' };

export type Drawing = {
  opened: OpenedRecording;
  doc: DocumentView;
  gaps: readonly Span[];
  scale: Scale;
  width: number;
  at: number;
  low: number;
  high: number;
  playhead: number;
  /** An edge being dragged: the step it would go to. */
  dragged: { band: number; x: number } | null;
  thumbnail: (t: number) => ImageBitmap | null;
  slotPx: number;
  moments: readonly Moment[];
  rows: Rows;
};

/** The whole timeline, top to bottom. Costs what is in the window, not what is in the recording. */
export function drawTimeline(context: CanvasRenderingContext2D, drawing: Drawing, colors: TimelineColors): void {
  const { width } = drawing;
  context.fillStyle = colors.surface;
  context.fillRect(0, 0, width, drawing.rows.height);
  context.textBaseline = 'middle';
  drawRuler(context, drawing, colors);
  drawFilm(context, drawing, colors);
  drawGaps(context, drawing, colors);
  drawBands(context, drawing, colors);
  drawMarks(context, drawing, colors);
  drawMoments(context, drawing, colors);
  drawPlayhead(context, drawing, colors);
}

function drawRuler(context: CanvasRenderingContext2D, drawing: Drawing, colors: TimelineColors): void {
  const { opened, scale, width } = drawing;
  context.font = `11px ${colors.font}`;
  context.fillStyle = colors.quiet;
  for (const t of ticks(scale, opened.span, width)) {
    const x = Math.round(timeToX(scale, t));
    context.fillRect(x, 0, 1, drawing.rows.ruler.height - 4);
    context.fillText(scale.usPerPx < 5000 ? clock(t, opened.span.start) : short(clock(t, opened.span.start)), x + 4, 7);
  }
}

const short = (time: string): string => time.replace(/\.000$/, '');

function drawFilm(context: CanvasRenderingContext2D, drawing: Drawing, colors: TimelineColors): void {
  const { scale, width, opened, slotPx, thumbnail } = drawing;
  const { y, height } = drawing.rows.film;
  context.fillStyle = colors.sunken;
  context.fillRect(0, y, width, height);
  const slots = filmSlots(scale, width, opened.span, slotPx);
  const pictures: (ImageBitmap | null)[] = [];
  for (const i of coarseFirst(slots.length)) {
    const picture = thumbnail(slots[i]!.t);
    pictures[i] = picture && picture.width > 0 ? picture : null;
  }
  let last: ImageBitmap | null = null;
  for (const [i, slot] of slots.entries()) {
    const own = pictures[i] ?? null;
    last = own ?? last;
    if (!last) continue;
    // Until its own is here the one before it stands faintly there: a strip is never cut off in the middle.
    context.globalAlpha = own ? 1 : 0.3;
    context.drawImage(last, slot.x, y, slot.width - 1, height);
  }
  context.globalAlpha = 1;
}

function drawGaps(context: CanvasRenderingContext2D, drawing: Drawing, colors: TimelineColors): void {
  const { gaps, scale, width } = drawing;
  const top = drawing.rows.marks.y;
  const height = drawing.rows.keys.y + drawing.rows.keys.height - top;
  context.strokeStyle = colors.line;
  context.lineWidth = 1;
  let drawn = Number.NEGATIVE_INFINITY;
  for (const gap of gaps) {
    const x = Math.max(timeToX(scale, gap.start), 0);
    const right = Math.min(timeToX(scale, gap.end), width);
    if (right < 0) continue;
    if (x > width) break;
    // Stretches too thin to be striped are not seen as such.
    if (right - x < 2 || right - drawn < 1) continue;
    drawn = right;
    context.save();
    context.beginPath();
    context.rect(x, top, right - x, height);
    context.clip();
    context.beginPath();
    for (let stripe = x - (x % 8) - height; stripe < right; stripe += 8) {
      context.moveTo(stripe, top + height);
      context.lineTo(stripe + height, top);
    }
    context.stroke();
    context.restore();
  }
}

function drawBands(context: CanvasRenderingContext2D, drawing: Drawing, colors: TimelineColors): void {
  const { doc, opened, scale, width, at, dragged } = drawing;
  const { y, height } = drawing.rows.bands;
  const current = doc.steps[at]?.subtask ?? -1;
  context.font = `11px ${colors.font}`;
  for (const band of bandsIn(doc.subtasks, opened.steps, opened.span, scale, width)) {
    const x = Math.max(band.x, 0);
    const right = Math.min(band.x + band.width, width);
    context.fillStyle = band.index === current ? colors.chosen : band.index % 2 === 0 ? colors.bandA : colors.bandB;
    context.fillRect(x, y, right - x, height);
    context.fillStyle = colors.quiet;
    if (band.index > 0) context.fillRect(Math.round(band.x), y - 2, 2, height + 4);
    const room = right - x - 12;
    if (room < 14) continue;
    const subtask = doc.subtasks[band.index]!;
    context.fillStyle = colors.text;
    context.save();
    context.beginPath();
    context.rect(x, y, right - x - 4, height);
    context.clip();
    context.fillText(`${band.index + 1} ${subtask.title.slice(0, 120)}`, x + 6, y + height / 2 + 0.5);
    context.restore();
  }
  if (dragged) {
    context.fillStyle = colors.play;
    context.fillRect(dragged.x - 1, y - 4, 3, height + 8);
  }
}

function drawMarks(context: CanvasRenderingContext2D, drawing: Drawing, colors: TimelineColors): void {
  const { doc, opened, scale, width, at, low, high } = drawing;
  const { y, height } = drawing.rows.marks;
  let keysUntil = Number.NEGATIVE_INFINITY;
  context.font = `11px ${colors.font}`;
  for (const mark of marksIn(opened.steps, scale, width)) {
    const step = opened.steps[mark.index]!;
    const view = doc.steps[mark.index]!;
    context.globalAlpha = view.state === 'removed' ? 0.25 : 1;
    context.fillStyle = KIND_COLORS[step.kind];
    context.fillRect(mark.x, y + 2, mark.width, height - 7);
    if (view.state === 'done' || view.state === 'flagged') {
      context.fillStyle = view.state === 'done' ? colors.good : colors.warn;
      context.fillRect(mark.x, y + height - 4, mark.width, 3);
    }
    context.globalAlpha = 1;
    if ((step.kind === 'type' || step.kind === 'press') && mark.x > keysUntil) {
      const words =
        step.kind === 'press' ? keyChord(step.keys ?? []) : (step.text ?? '').slice(0, 40).replace(/\s+/g, ' ');
      context.fillStyle = colors.text;
      context.fillText(words, mark.x, drawing.rows.keys.y + drawing.rows.keys.height / 2);
      // An estimate is enough to keep labels apart, and measuring thousands is not free.
      keysUntil = mark.x + words.length * 6.6 + 6;
    }
  }
  if (low !== high) {
    const from = timeToX(scale, opened.steps[low]?.start[2] ?? 0);
    const to = timeToX(scale, opened.steps[high]?.end[2] ?? 0);
    context.strokeStyle = colors.play;
    context.strokeRect(from - 2, y + 0.5, to - from + 4, height - 1);
  }
  const now = opened.steps[at];
  if (!now) return;
  const x = timeToX(scale, now.start[2]);
  const length = Math.max((now.end[2] - now.start[2]) / scale.usPerPx, 3);
  context.strokeStyle = colors.text;
  context.lineWidth = 2;
  context.strokeRect(x - 2, y, length + 4, height - 2);
  context.lineWidth = 1;
}

const MOMENT_COLORS = { open: '#1d5fb8', done: '#6b7078', mark: '#6a3fa0' } as const;

/** A flag with the comment's or the mark's number on the filmstrip, at its time. */
function drawMoments(context: CanvasRenderingContext2D, drawing: Drawing, colors: TimelineColors): void {
  const { moments, scale, width } = drawing;
  const { y } = drawing.rows.film;
  context.font = `700 11px ${colors.font}`;
  context.textAlign = 'center';
  for (const { t, number, of } of moments) {
    const x = Math.round(timeToX(scale, t));
    if (x < -12 || x > width + 12) continue;
    context.fillStyle = MOMENT_COLORS[of];
    context.fillRect(x, y, 2, drawing.rows.film.height);
    context.fillRect(x, y, 16, 13);
    context.fillStyle = '#ffffff';
    context.fillText(String(number), x + 8, y + 7);
  }
  context.textAlign = 'start';
}

function drawPlayhead(context: CanvasRenderingContext2D, drawing: Drawing, colors: TimelineColors): void {
  const { scale, playhead, width } = drawing;
  const x = Math.round(timeToX(scale, playhead));
  if (x < -6 || x > width + 6) return;
  context.fillStyle = colors.play;
  context.fillRect(x, 4, 1.5, drawing.rows.height - 4);
  context.beginPath();
  context.moveTo(x - 5, 0);
  context.lineTo(x + 6.5, 0);
  context.lineTo(x + 0.75, 8);
  context.fill();
}

export function readPalette(element: Element): TimelineColors {
  const style = getComputedStyle(element);
  const of = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  const surface = of('--studio-surface', '#ffffff');
  return {
    surface,
    sunken: of('--studio-sunken', '#f6f7f9'),
    line: of('--mantine-color-default-border', '#d3d8df'),
    text: style.color,
    quiet: of('--mantine-color-dimmed', '#596270'),
    bandA: of('--studio-sunken', '#f6f7f9'),
    bandB: of('--studio-hover', '#eff2f6'),
    chosen: of('--studio-chosen', '#e6eefa'),
    play: '#e5262b',
    good: of('--studio-good', '#18794e'),
    warn: of('--studio-warn', '#8f5a00'),
    font: style.fontFamily,
  };
}
