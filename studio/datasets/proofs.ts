import type { ProofState } from '../../schemas/dataset.ts';
import type { Recording } from '../../schemas/recording.ts';
import { breathe } from '../store/breathe.ts';
import { isShown } from '../store/evidence.ts';
import { readRecording } from '../store/recording-folder.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { hashOfChecks } from '../store/task-files.ts';
import type { Workspace } from '../store/workspace.ts';

type Tried = { id: string; task: string; folder: string; verified: Recording['verified'] | null };

/**
 * The verdict of `verify` on each recording. A verdict by checks that were changed or taken away since says nothing any more;
 * such a recording is untried again. A proof that this workspace cannot show is `said`.
 */
export async function proofsOf(workspace: Workspace, recordings: readonly Tried[]): Promise<Map<string, ProofState>> {
  const hashes = new Map<string, string | null>();
  const proofs = new Map<string, ProofState>();
  for (const { id, task, folder, verified } of recordings) {
    if (!verified) continue;
    await breathe();
    if (!hashes.has(task)) hashes.set(task, await hashOfChecks(workspace, task));
    if (hashes.get(task) !== verified.checks) continue;
    const shown = verified.proven && (await isShown(workspace, { id, folder, verified }));
    proofs.set(id, shown ? 'proven' : verified.proven ? 'said' : 'failed');
  }
  return proofs;
}

/** The same of recordings in the index. Only those whose task has checks are read: no other can have a verdict that counts. */
export async function proofsOfIndexed(
  workspace: Workspace,
  entries: readonly Pick<RecordingEntry, 'id' | 'task' | 'folder'>[],
): Promise<Map<string, ProofState>> {
  const checked = new Map<string, boolean>();
  const tried: Tried[] = [];
  for (const { id, task, folder } of entries) {
    if (!checked.has(task)) checked.set(task, (await hashOfChecks(workspace, task)) !== null);
    if (!checked.get(task)) continue;
    await breathe();
    tried.push({ id, task, folder, verified: verifiedIn(folder) });
  }
  return proofsOf(workspace, tried);
}

function verifiedIn(folder: string): Tried['verified'] {
  try {
    return readRecording(folder).verified ?? null;
  } catch {
    return null; // Opening it says what is wrong.
  }
}
