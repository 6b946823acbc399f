import { isUnseen } from '../../../core/actions/unseen.ts';
import type { ExportAction } from '../../../core/export/model.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { CandidateStep, CandidateSubject } from '../../../schemas/step-candidates.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { pictureLoader } from '../model-pictures.ts';
import { shownSteps } from '../shown-steps.ts';

/** A recording as a model is shown it whose candidates of steps are sampled. */

export type ShownForCandidates = {
  subject: CandidateSubject;
  pictures: ReadonlyMap<string, Buffer>;
  /** Steps that nothing is asked of: their numbers, and why. */
  leftOut: { number: number; why: string }[];
};

/**
 * `only`: numbers of steps, as the page counts them; null: all. Steps that somebody removed are left out, as in exports; nothing is
 * asked of one whose picture is not there, or of which nobody knows what was done, since nothing could be compared with it. Throws
 * CONFLICT for a recording that is still recorded, USAGE for a number that is no step and where nothing is left to ask, BAD_FILE, and
 * what cutting pictures throws.
 */
export async function candidateSubjectOf(
  workspace: Workspace,
  entry: RecordingEntry,
  only: readonly number[] | null,
): Promise<ShownForCandidates> {
  const { id, task, app, goal } = entry;
  const { recorded, actions } = await shownSteps(workspace, entry, 'Ask');
  const numbers = new Map(recorded.map((action, at) => [action.id, at + 1]));
  const unknown = only?.find((number) => !actions.some((one) => numbers.get(one.id) === number));
  if (unknown !== undefined)
    throw new StudioError('USAGE', `${id} has no step ${unknown}, or it was removed: \`actions ${id}\` lists them.`, {
      recording: id,
    });
  const pictures = new Map<string, Buffer>();
  const load = pictureLoader(pictures);
  const steps: CandidateStep[] = [];
  const leftOut: ShownForCandidates['leftOut'] = [];
  for (const action of actions) {
    const number = numbers.get(action.id) ?? 1;
    const isAsked = only?.includes(number) ?? true;
    const why = whyNotAsked(action);
    if (isAsked && why !== null) leftOut.push({ number, why });
    const screen = isAsked && why === null ? await load(action.beforeImage?.path) : null;
    steps.push({ action: action.id, number, words: action.narration, screen });
  }
  if (steps.every(({ screen }) => screen === null)) {
    const [first] = leftOut;
    throw new StudioError(
      'USAGE',
      `${id} has no step that could be asked about${first ? `: step ${first.number}: ${first.why}` : ''}.`,
      { recording: id },
    );
  }
  return { subject: { recording: id, task, software: app, goal, steps }, pictures, leftOut };
}

function whyNotAsked({ action, beforeImage }: ExportAction): string | null {
  if (!beforeImage) return 'there is no picture of the screen before it';
  if (action.withheld === true) return 'it was typed into a field for passwords';
  return isUnseen(action) ? 'nobody saw what was done' : null;
}
