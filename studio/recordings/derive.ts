import { isUnseen } from '../../core/actions/unseen.ts';
import { isByHand } from '../../core/annotate/by-hand.ts';
import { viewFinder } from '../../core/annotate/picture.ts';
import { chooseKeyframes, pressStepOf, type TimeSpan } from '../../core/keyframes/choose.ts';
import { givenKeyframes } from '../../core/keyframes/given.ts';
import { ACTION_RULES_VERSION, type Action, type ReduceWarning } from '../../schemas/actions.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent, Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import { KEYFRAME_RULES_VERSION, type Keyframe, type KeyframeIndex, type Recording } from '../../schemas/recording.ts';
import { madeOf, readFrames } from '../store/recording-folder.ts';
import { reduceRecording } from './reduce.ts';
import { framesPresent, type View } from './segments.ts';

/**
 * A recording's raw files under today's rules: the one derived shape, as it is kept in derived/recording.jsonl. Nothing of it
 * is edited by hand; it can be made again at any time.
 */
export type Derived = {
  /** In full, with paths and raw indices. */
  actions: Action[];
  warnings: ReduceWarning[];
  /** [i, t, segment] of the frames that are in the master, in order; t in µs. */
  frames: [i: number, t: number, segment: number][];
  /** Presentation times (ms) of `frames`, in their order. */
  pts: number[];
  /** The rectangle of the desktop that the picture shows from `t` on. */
  views: { t: number; segment: number; rect: Rect }[];
  /** When the person marked the end of a subtask, µs. */
  marks: number[];
  /** Chosen by today's rules; their stills may not be there. */
  keyframes: KeyframeIndex;
};

type StateLine = Extract<RawEvent, { type: 'view' | 'mark' | 'pause' | 'resume' }>;
const isStateLine = (event: RawEvent): event is StateLine =>
  event.type === 'view' || event.type === 'mark' || event.type === 'pause' || event.type === 'resume';

/**
 * Eight hours without a pause are some ten thousands. Each takes seven kilobytes of memory where it is opened: two million, of a file of
 * 250 MB, would be all of it.
 */
const MOST_STEPS = 100_000;

/** Reads a closed recording's raw files and derives the rest of it. Throws BAD_FILE, also for too many steps; FUTURE_VERSION. */
export function derive(folder: string): Derived {
  // Of the rest of them, nearly all of the recording, only the actions are held.
  const events: StateLine[] = [];
  const { recording, result } = reduceRecording(folder, {}, (event) => {
    if (isStateLine(event)) events.push(event);
  });
  const { actions, warnings } = result;
  if (actions.length > MOST_STEPS) {
    const message = `It holds ${actions.length} steps, and at most ${MOST_STEPS} are opened. It was not made by a person.`;
    throw new StudioError('BAD_FILE', message, { recording: recording.id, steps: actions.length });
  }
  const frames = framesPresent(readFrames(folder).frames, recording.segments);
  const views = events.flatMap((e): View[] =>
    e.type === 'view' ? [{ t: e.t, view: e.view, segment: e.segment }] : [],
  );
  const marks = events.flatMap((e) => (e.type === 'mark' && e.kind === 'subtask' ? [e.t] : []));
  const keyframes = madeOf(folder, () => indexOf(recording, actions, frames, views, events));
  return {
    actions,
    warnings,
    frames: frames.map(({ i, t, seg }) => [i, t, seg ?? 0]),
    pts: frames.map(({ pts }) => pts),
    views: views.map(({ t, segment, view }) => ({ t, segment, rect: view })),
    marks,
    keyframes,
  };
}

/** A recording whose views were lost. */
const NO_VIEW = { x: 0, y: 0, width: 1, height: 1 };

function indexOf(
  recording: Recording,
  actions: Action[],
  frames: readonly Frame[],
  views: readonly View[],
  events: readonly StateLine[],
): KeyframeIndex {
  const first = recording.segments[0];
  // Steps without input bring their pictures (A16); they are no reason to choose others for the steps around them.
  const unseen = actions.filter(isUnseen);
  const seen = actions.filter((action) => !isUnseen(action) && !isByHand(action.id));
  const chosen = first
    ? chooseKeyframes(seen, distinct(frames), {
        fps: recording.capture.fps,
        syncErrorUs: recording.sync?.maxErrorUs ?? 0,
        pressStepUs: pressStepOf(recording.os.platform),
        screenPixels: first.width * first.height,
        pauses: pausesOf(events, recording),
        end: recording.span?.end ?? Number.MAX_SAFE_INTEGER,
      })
    : [];
  const choices = [...chosen, ...givenKeyframes(unseen, frames), ...givenKeyframes(spansByHand(actions), frames)];
  const byIndex = new Map(frames.map((f) => [f.i, f]));
  const viewOf = viewFinder(views.map(({ t, segment, view }) => ({ t, segment, rect: view })));
  const keyframes = choices.map(({ action, role, frame, t }): Keyframe => {
    const segment = byIndex.get(frame)?.seg ?? 0;
    const view = viewOf(segment, t) ?? NO_VIEW;
    return {
      action,
      role,
      frame,
      t,
      file: `${t}.png`,
      width: view.width,
      height: view.height,
      origin: { x: view.x, y: view.y },
    };
  });
  return {
    schema: 'trajectory-studio/keyframes',
    version: 1,
    recording: recording.id,
    actionRulesVersion: ACTION_RULES_VERSION,
    keyframeRulesVersion: KEYFRAME_RULES_VERSION,
    keyframes,
  };
}

/** Steps by hand: from the picture that each was added at to the last one before the next step. */
function spansByHand(actions: readonly Action[]): { id: string; start: { t: number }; end: { t: number } }[] {
  return actions.flatMap(({ id, start }, at) => {
    if (!isByHand(id)) return [];
    const next = actions[at + 1]?.start.t ?? Number.MAX_SAFE_INTEGER;
    return [{ id, start, end: { t: Math.max(start.t, next - 1) } }];
  });
}

/** Repeats of the picture before (heartbeats, a segment's first picture) left out, where that picture itself is there. */
function distinct(frames: readonly Frame[]): Frame[] {
  return frames.filter((frame, at) => frame.changed !== 0 || frames[at - 1]?.i !== frame.i - 1);
}

/** Everything before the demonstration began, and every pause in it. */
function pausesOf(events: readonly StateLine[], recording: Recording): TimeSpan[] {
  const spans: TimeSpan[] = [{ start: Number.MIN_SAFE_INTEGER, end: recording.span?.start ?? 0 }];
  let from: number | null = null;
  for (const event of events) {
    if (event.type === 'pause') from ??= event.t;
    if (event.type !== 'resume' || from === null) continue;
    spans.push({ start: from, end: event.t });
    from = null;
  }
  return spans;
}
