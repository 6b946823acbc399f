import { isUnseen } from '../../core/actions/unseen.ts';
import { chooseKeyframes, type Span } from '../../core/keyframes/choose.ts';
import { givenKeyframes } from '../../core/keyframes/given.ts';
import { ACTION_RULES_VERSION, type Action, type ReduceWarning } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import { KEYFRAME_RULES_VERSION, type Keyframe, type KeyframeIndex, type Recording } from '../../schemas/recording.ts';
import { reduceRecording } from '../actions.ts';
import { framesPresent, type View } from '../record/segments.ts';
import { readFrames } from '../store/recording-folder.ts';

/** What a recording's raw files say under today's rules. Nothing of it is edited by hand; it can be made again any time. */
export type Derived = {
  recording: Recording;
  actions: Action[];
  warnings: ReduceWarning[];
  /** The frames that are in the master, in order. */
  frames: Frame[];
  views: View[];
  /** When the person marked the end of a subtask, µs. */
  marks: number[];
  keyframes: KeyframeIndex;
};

/** Reads a closed recording folder and derives its actions and keyframes. Throws BAD_FILE, FUTURE_VERSION. */
export function derive(folder: string): Derived {
  const { recording, events, result } = reduceRecording(folder);
  const { actions, warnings } = result;
  const frames = framesPresent(readFrames(folder).frames, recording.segments);
  const views = events.flatMap((e): View[] =>
    e.type === 'view' ? [{ t: e.t, view: e.view, segment: e.segment }] : [],
  );
  const marks = events.flatMap((e) => (e.type === 'mark' ? [e.t] : []));
  const keyframes = indexOf(recording, actions, frames, views, events);
  return { recording, actions, warnings, frames, views, marks, keyframes };
}

function indexOf(
  recording: Recording,
  actions: Action[],
  frames: readonly Frame[],
  views: readonly View[],
  events: readonly RawEvent[],
): KeyframeIndex {
  const first = recording.segments[0];
  // Steps without input bring their pictures (A16); they are no reason to choose others for the steps around them.
  const unseen = actions.filter(isUnseen);
  const seen = unseen.length === 0 ? actions : actions.filter((action) => !isUnseen(action));
  const chosen = first
    ? chooseKeyframes(seen, distinct(frames), {
        fps: recording.capture.fps,
        syncErrorUs: recording.sync?.maxErrorUs ?? 0,
        screenPixels: first.width * first.height,
        pauses: pausesOf(events, recording),
        end: recording.span?.end ?? Number.MAX_SAFE_INTEGER,
      })
    : [];
  const choices = [...chosen, ...givenKeyframes(unseen, frames)];
  const byIndex = new Map(frames.map((f) => [f.i, f]));
  const keyframes = choices.map(({ action, role, frame, t }): Keyframe => {
    const segment = byIndex.get(frame)?.seg ?? 0;
    const view = viewAt(views, t, segment);
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

/** Repeats of the picture before (heartbeats, a segment's first picture) left out, where that picture itself is there. */
function distinct(frames: readonly Frame[]): Frame[] {
  return frames.filter((frame, at) => frame.changed !== 0 || frames[at - 1]?.i !== frame.i - 1);
}

/** The rectangle that a frame shows. */
function viewAt(views: readonly View[], t: number, segment: number): View['view'] {
  const own = views.filter((v) => v.segment === segment);
  return (own.findLast((v) => v.t <= t) ?? own[0])?.view ?? { x: 0, y: 0, width: 1, height: 1 };
}

/** Everything before the demonstration began, and every pause in it. */
function pausesOf(events: readonly RawEvent[], recording: Recording): Span[] {
  const spans: Span[] = [{ start: Number.MIN_SAFE_INTEGER, end: recording.span?.start ?? 0 }];
  let from: number | null = null;
  for (const event of events) {
    if (event.type === 'pause') from ??= event.t;
    if (event.type !== 'resume' || from === null) continue;
    spans.push({ start: from, end: event.t });
    from = null;
  }
  return spans;
}
