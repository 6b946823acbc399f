import type { ProofState } from '../../schemas/dataset.ts';
import type { Recording } from '../../schemas/recording.ts';
import { breathe } from '../store/breathe.ts';
import { hashOfChecks } from '../store/task-files.ts';
import type { Workspace } from '../store/workspace.ts';

type Tried = { id: string; task: string; verified: Recording['verified'] | null };

/**
 * What `verify` said of each recording. A verdict by checks that were changed or taken away since says nothing any more;
 * such a recording is untried again.
 */
export async function proofsOf(workspace: Workspace, recordings: readonly Tried[]): Promise<Map<string, ProofState>> {
  const hashes = new Map<string, string | null>();
  const proofs = new Map<string, ProofState>();
  for (const { id, task, verified } of recordings) {
    if (!verified) continue;
    await breathe();
    if (!hashes.has(task)) hashes.set(task, await hashOfChecks(workspace, task));
    if (hashes.get(task) === verified.checks) proofs.set(id, verified.proven ? 'proven' : 'failed');
  }
  return proofs;
}
