import type { ReduceResult } from '../../core/actions/finish.ts';
import { createReducer } from '../../core/actions/reducer.ts';
import { withByHand } from '../../core/annotate/by-hand.ts';
import type { ReduceOptions } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { WindowLine } from '../../schemas/frames.ts';
import type { Recording } from '../../schemas/recording.ts';
import {
  eachEvent,
  type FileWarning,
  madeOf,
  ownEvents,
  readByHand,
  readFrames,
  readRecording,
  readWindows,
} from '../store/recording-folder.ts';

/** A recording's raw files, the actions that they reduce to, and the faults found in them. */
type ReducedRecording = {
  recording: Recording;
  windows: WindowLine[];
  result: ReduceResult;
  fileWarnings: FileWarning[];
};

/**
 * Reduces a recording folder's events, one after the other as they are read: of a long day's millions only the actions are held.
 * `see` is shown each of them, in the order of the file. Throws BAD_FILE, FUTURE_VERSION; blocks for about a second a million
 * events.
 */
export function reduceRecording(
  folder: string,
  options: ReduceOptions = {},
  see: (event: RawEvent) => void = () => undefined,
): ReducedRecording {
  const recording = readRecording(folder);
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
  const own = ownEvents(folder);
  return madeOf(folder, () => {
    const reducer = createReducer(context, options, own);
    const warnings = eachEvent(folder, (event) => {
      reducer.push(event);
      see(event);
    });
    const reduced = reducer.finish();
    return {
      recording,
      windows,
      result: { ...reduced, actions: withByHand(reduced.actions, byHand.steps) },
      fileWarnings: [...warnings, ...windowWarnings, ...byHand.warnings, ...(screen?.warnings ?? [])],
    };
  });
}
