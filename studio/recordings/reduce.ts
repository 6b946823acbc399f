import { reduce } from '../../core/actions/reduce.ts';
import { withByHand } from '../../core/annotate/by-hand.ts';
import type { ReduceOptions } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { WindowLine } from '../../schemas/frames.ts';
import type { Recording } from '../../schemas/recording.ts';
import {
  type FileWarning,
  madeOf,
  readByHand,
  readEvents,
  readFrames,
  readRecording,
  readWindows,
} from '../store/recording-folder.ts';

/** A recording's raw files, the actions that they reduce to, and the faults found in them. */
type ReducedRecording = {
  recording: Recording;
  events: RawEvent[];
  windows: WindowLine[];
  result: ReturnType<typeof reduce>;
  fileWarnings: FileWarning[];
};

/** Reduces a recording folder's events. Throws BAD_FILE, FUTURE_VERSION; blocks for about a second a million events. */
export function reduceRecording(folder: string, options: ReduceOptions = {}): ReducedRecording {
  const recording = readRecording(folder);
  const { events, warnings } = readEvents(folder);
  const { windows, warnings: windowWarnings } = readWindows(folder);
  const displays = recording.displays[0]?.displays;
  // Only a rest while the screen changed is a hover (A11).
  const screen = options.hoverMs === undefined ? null : readFrames(folder);
  const context = {
    recording: recording.id,
    settings: recording.settings,
    windows,
    ...(displays && { displays }),
    ...(screen && { screenChanges: screen.frames.filter(({ changed }) => changed !== 0).map(({ t }) => t) }),
  };
  const byHand = readByHand(folder);
  const result = madeOf(folder, () => {
    const reduced = reduce(events, context, options);
    return { ...reduced, actions: withByHand(reduced.actions, byHand.steps) };
  });
  return {
    recording,
    events,
    windows,
    result,
    fileWarnings: [...warnings, ...windowWarnings, ...byHand.warnings, ...(screen?.warnings ?? [])],
  };
}
