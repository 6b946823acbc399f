import { StudioError } from '../../../schemas/errors.ts';
import type { RecordingState } from '../../../schemas/task-terms.ts';
import type { Workspace } from '../../store/workspace.ts';

export type ArchiveChoice = {
  recordings?: readonly string[] | undefined;
  state?: RecordingState | undefined;
  voice?: boolean | undefined;
};

/** Throws USAGE where recordings are chosen beside a frozen version. */
export function checkChoice(version: string | null, { recordings, state }: ArchiveChoice): void {
  if (version === null || (recordings === undefined && state === undefined)) return;
  throw new StudioError(
    'USAGE',
    'A version says itself which recordings it holds: choose no recordings and no state beside it.',
    { option: 'version' },
  );
}

/** The recordings that an archive is to hold, by ids that may be shortened; null: all. Throws UNKNOWN_RECORDING, AMBIGUOUS_ID. */
export async function chosenRecordings(
  workspace: Workspace,
  { recordings, state }: ArchiveChoice,
): Promise<readonly string[] | null> {
  if (state === undefined) return recordings ?? null;
  const entries = recordings
    ? await Promise.all(recordings.map((id) => workspace.resolveRecording(id)))
    : await workspace.listRecordings();
  return entries.filter((entry) => entry.state === state).map(({ id }) => id);
}
