import { whoseAt } from '../../core/actions/whose.ts';
import { isInPicture, pictureRect, stepPlace, toPicture } from '../../core/annotate/picture.ts';
import { stepOfAction } from '../../core/annotate/step-of.ts';
import type { Action } from '../../schemas/actions.ts';
import type { AgentLine } from '../../schemas/agents.ts';
import type { OpenedRecording, RecordingPage, Step } from '../../schemas/api/models.ts';
import type { Recording, Segment } from '../../schemas/recording.ts';
import { hasBytes } from '../files/kept/list.ts';
import type { Derived } from './derive.ts';

/** Pure. Linear in steps and frames. `run`: the log of the run that it records; null: of none. */
export function recordingPage(meta: Recording, derived: Derived, run: readonly AgentLine[] | null): RecordingPage {
  const { actions, frames, views, marks, warnings } = derived;
  const whose = run && whoseAt(run);
  const steps = stepsOf(derived).map((step, n): Step => {
    const t = derived.actions[n]?.start.t;
    return whose && t !== undefined ? { ...step, by: whose(t) } : step;
  });
  const geometry = { frames, views };
  const end = Math.max(frames.at(-1)?.[1] ?? 0, actions.at(-1)?.end.t ?? 0);
  return {
    steps,
    ...geometry,
    span: meta.span ?? { start: 0, end },
    marks,
    displays: meta.displays[0]?.displays ?? [],
    capture: meta.capture,
    sync: meta.sync,
    verdict: meta.verdict,
    playbackStart: frames[0]?.[1] ?? 0,
    warnings: [...originWarnings(meta), ...meta.warnings, ...warnings.map(({ code, message }) => ({ code, message }))],
    misfit: misfitOf(meta, steps, geometry),
  };
}

/** The actions without raw indices and paths, with the places of their keyframes in `frames`. */
function stepsOf({ actions, frames, keyframes }: Derived): Step[] {
  const at = new Map(frames.map(([i], place) => [i, place]));
  const chosen = new Map(
    keyframes.keyframes.map(({ action, role, frame }) => [`${role} ${action}`, at.get(frame) ?? -1]),
  );
  return actions.map((action) => stepOf(action, chosen));
}

/** Losses and guesses of an import stand where every warning of a recording stands. */
function originWarnings({ origin }: Recording): OpenedRecording['warnings'] {
  if (!origin) return [];
  return [
    ...origin.lost.map((what) => ({ code: 'IMPORT_LOST', message: `Not taken from ${origin.name}: ${what}.` })),
    ...origin.guessed.map((what) => ({
      code: 'IMPORT_GUESSED',
      message: `Not told by ${origin.name}, concluded: ${what}.`,
    })),
  ];
}

/** `chosen`: the places of its keyframes in the frames, by `before <id>` and `after <id>`. */
export function stepOf(action: Action, chosen: ReadonlyMap<string, number>): Step {
  const placeOf = (role: 'before' | 'after'): number => chosen.get(`${role} ${action.id}`) ?? -1;
  return stepOfAction(action, { before: placeOf('before'), after: placeOf('after') });
}

const POINTED: ReadonlySet<Step['kind']> = new Set(['click', 'drag', 'scroll', 'hover']);

/** Why picture and coordinates do not fit each other (pattern 11), in words; null when they do. */
function misfitOf(
  { segments, capture }: Recording,
  steps: readonly Step[],
  geometry: Pick<OpenedRecording, 'frames' | 'views'>,
): string | null {
  const bySegment = new Map(segments.map((segment) => [segment.index, segment]));
  for (const { segment, rect } of geometry.views) {
    const { width, height } = bySegment.get(segment) ?? rect;
    if (rect.width === width && rect.height === height) continue;
    return `The video is ${width} x ${height}, but shows ${rect.width} x ${rect.height} px of the desktop: marks may stand at a wrong place.`;
  }
  // A window or a region may well be left by the pointer, a display may not.
  if (capture.target.kind !== 'display') return null;
  const pointed = steps.filter(({ kind, before }) => POINTED.has(kind) && before >= 0);
  const outside = pointed.filter(({ start, before }) => {
    const rect = pictureRect(geometry, before);
    const place = stepPlace(start);
    return rect && place && !isInPicture(toPicture(place, rect), rect);
  });
  if (outside.length === 0 || outside.length * 2 < pointed.length) return null;
  return `${outside.length} of ${pointed.length} steps lie outside of the picture: the recorded display may not be the one that was worked on, or its scale was not known.`;
}

/** Videos that a recording names and that are gone. */
export function missingVideos(folder: string, segments: readonly Segment[]): OpenedRecording['warnings'] {
  return segments
    .filter(({ file }) => !hasBytes(folder, file))
    .map(({ file }) => ({
      code: 'NO_VIDEO',
      message: `${file} is missing from the recording's folder: only pictures that were cut before can be shown. Put the file back.`,
    }));
}
