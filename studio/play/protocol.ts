import type { PlayPart, Restless } from '../../core/play/part.ts';
import type { Pace, PlayedStep } from '../../schemas/play.ts';
import type { ClockTurn } from '../../schemas/recording.ts';
import type { FailedOnDisplay } from './display-process.ts';

/** The order of the process that plays, and its messages. Plain JSON. */

/** Programs are there so long before the recording, or the play, begins, and may show a time of then, ms. */
export const WRITTEN_BEFORE_MS = 900_000;

/**
 * `startNs`: the zero of the play's own recording on the monotonic clock, as its recording.json has it. `clock`: the clock that the
 * stage's programs see; empty: the machine's.
 */
export type PlayOrder = {
  parts: PlayPart[];
  restless: Restless | null;
  pace: Pace;
  patienceMs: number;
  startNs: string;
  clock: ClockTurn[];
};

export type FromPlayer =
  | { type: 'began'; at: number; of: number; step: string }
  | { type: 'played'; step: PlayedStep }
  | { type: 'ended'; steps: PlayedStep[]; stopped: { step: string; why: string } | null; took: number }
  | FailedOnDisplay;
