import type { RecordingState } from '../../../schemas/task-terms.ts';
import { setStateBeforeReview } from '../../store/recording-states.ts';
import type { Workspace } from '../../store/workspace.ts';

/**
 * How far the work on a recording was where it comes from: what it is here before the first event of its log. Nobody here
 * holds a review that was begun there. A recording that has a log of its own keeps the state that the log makes.
 */
export async function arriveInState({ store }: Workspace, recording: string, state: RecordingState): Promise<void> {
  await setStateBeforeReview(store, recording, state === 'in-review' ? 'annotated' : state);
}
