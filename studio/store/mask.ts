import type { Assigned } from '../../schemas/review.ts';
import type { RecordingState } from '../../schemas/task-terms.ts';

/**
 * Lists as one person is to see them. A hidden check passes for a recording that waits to be annotated (RV12): its state,
 * and how much of it is done, are those of such a one wherever recordings are listed or counted.
 */
export type Masked = { state: RecordingState; steps: number; done: number; assigned: Assigned | undefined };
/** By recording. */
export type Mask = ReadonlyMap<string, Masked>;

export const NOTHING_MASKED: Mask = new Map();
