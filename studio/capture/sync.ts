import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { SyncPaint, SyncReport } from '../../schemas/recording.ts';

/** The sync check (C4): a patch is painted at known times, found in the recorded frames, and the two are compared. */
/** Painted at a moment between `before` and `after` (µs): the request and the display's answer to it. */
export type Paint = { rgb: number; before: number; after: number };
/** The patch's colour in one recorded frame. */
export type Sighting = { frame: Frame; rgb: number };

export const PATCH_SIZE = 32;
/** Far apart in every channel, so that a neighbour is never taken for another. */
const COLOURS = [0xd01050, 0x10b0e0, 0xf0d020, 0x3020c0, 0x20d060, 0xf06010, 0x9010d0, 0xf0f0f0] as const;

/** Colours and waits of a check: uneven waits, so that paints fall anywhere between two frames. */
export function paintSteps(
  count: number,
  fps: number,
  random: () => number = Math.random,
): { rgb: number; wait: number }[] {
  const interval = 1000 / fps;
  return Array.from({ length: count }, (_, i) => ({
    rgb: COLOURS[i % COLOURS.length] ?? 0,
    wait: Math.round(2.2 * interval + 10 + random() * 1.5 * interval),
  }));
}

/** Where the patch lies: the bottom right corner of the captured rectangle. */
export function patchPlace(rect: Rect): { x: number; y: number; size: number } {
  return { x: rect.x + rect.width - PATCH_SIZE, y: rect.y + rect.height - PATCH_SIZE, size: PATCH_SIZE };
}

/** Farther off than this, a sighting is another paint's (eight paints later). µs. */
const NEAR_US = 300_000;

/**
 * Compares each paint with the frames: it is in (seen, t] of the first frame that shows it, or outside by `error`.
 * `sightings` are the frames from shortly before the first paint on, in order. `tolerance`: how far each channel of a colour
 * may be off, where pictures are not exact.
 */
export function matchPaints(paints: readonly Paint[], sightings: readonly Sighting[], tolerance = 0): SyncPaint[] {
  let from = 0;
  return paints.map(({ rgb, before, after }) => {
    const p = Math.round((before + after) / 2);
    // Colours come round again, so a paint is looked for near its own time only.
    const at = sightings.findIndex(
      (s, i) => i >= from && isColour(s.rgb, rgb, tolerance) && Math.abs(s.frame.t - p) < NEAR_US,
    );
    const found = sightings[at];
    if (!found) return { p, without: null, with: null, error: null };
    from = at + 1;
    const without = found.frame.seen ?? null;
    const seenWith = found.frame.t;
    // Signed: below 0 the frame's time is before the paint, above 0 the screen was without it after the paint.
    const error =
      before > seenWith ? seenWith - before : without !== null && after <= without ? without - after + 1 : 0;
    return { p, without, with: seenWith, error };
  });
}

function isColour(seen: number, wanted: number, tolerance: number): boolean {
  return [16, 8, 0].every((shift) => Math.abs(((seen >> shift) & 0xff) - ((wanted >> shift) & 0xff)) <= tolerance);
}

const LIMIT_US = 20_000;
const EXACT_SHARE = 0.95;

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

/** Facts about the pictures in which the paints were looked for. */
export type CheckPictures = {
  /** How many were dropped while the checks were painted. */
  dropped: number;
  /** They came through the system's screen sharing (Wayland); else this program read the screen. */
  shared: boolean;
};

/** The report that goes into recording.json. `pictures`: null where nobody counted. */
export function syncReport(detail: SyncPaint[], pictures: CheckPictures | null = null): SyncReport {
  const errors = detail.flatMap((d) => (d.error === null ? [] : [d.error]));
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const signed = [...errors].sort((a, b) => a - b);
  // A change that no frame showed counts against it too.
  const exact = detail.length === 0 ? 0 : errors.filter((e) => e === 0).length / detail.length;
  const maxErrorUs = sizes.at(-1) ?? 0;
  const base = {
    paints: detail.length,
    found: errors.length,
    exact,
    maxErrorUs,
    offsetUs: quantile(signed, 0.5),
    jitterUs: quantile(sizes, 0.95),
    ...(pictures && detail.length > 0 && { dropped: pictures.dropped }),
    detail,
  };
  if (detail.length === 0) return { ...base, verdict: 'skipped', message: 'No sync check was made.' };
  const dropped = pictures?.dropped ?? 0;
  const unseen = detail.length - errors.length;
  const lost = `${dropped === 1 ? 'one picture was' : `${dropped} pictures were`} dropped during the check`;
  const remedy = `A busy machine is the usual cause. ${pictures?.shared ? REMEDY_SHARED : REMEDY}`;
  if (errors.length < detail.length / 2) {
    const found = `Only ${errors.length} of ${detail.length} painted changes were found in the frames`;
    const covered = pictures?.shared
      ? "the patch was covered, the picture is not the screen's, or the system shared too few pictures"
      : "the patch was covered, or the picture is not the screen's";
    // Each change that is in no frame needs a dropped picture of its own.
    const why = dropped >= unseen ? `${lost}. ${remedy}` : dropped > 0 ? `${covered}; only ${lost}.` : `${covered}.`;
    return { ...base, verdict: 'failed', message: `${found}: ${why}` };
  }
  const exactly = `${errors.filter((e) => e === 0).length} of ${detail.length} painted changes lie exactly between two frames`;
  const worst = `${unseen > 0 ? `, ${unseen} in no frame` : ''}; largest error ${(maxErrorUs / 1000).toFixed(1)} ms`;
  const facts = `${exactly}${worst}${dropped > 0 ? `; ${lost}` : ''}.`;
  if (exact >= EXACT_SHARE && maxErrorUs <= LIMIT_US) return { ...base, verdict: 'ok', message: facts };
  const margin = 'Keyframes are chosen with that margin';
  const why = dropped > 0 ? `${margin}. ${remedy}` : `${margin}; a busy machine is the usual cause.`;
  return { ...base, verdict: 'warn', message: `${facts} ${why}` };
}

const REMEDY =
  'Close other work, record fewer frames a second or a smaller region, and repeat the check (sync-check, or a new recording).';
/** A shared display comes whole, whatever is recorded of it; and sync-check cannot ask for one. */
const REMEDY_SHARED =
  'Close other work, record fewer frames a second or lower the resolution of the display, and record again: each recording is checked.';
