import { isActive, isPreparing } from '../../../schemas/api/job-state.ts';
import { client } from '../../client/api.ts';

type Of = { ws: string; recording: string; person: string | null };

/**
 * Whether the playback copy of a recording is there by now: it is made behind, also while its page is open. Throws what the
 * studio says.
 */
export async function askForCopy({ ws, recording, person }: Of): Promise<'there' | 'coming' | 'none'> {
  const now = await client.recordings.now({ ws, recording, ...(person !== null && { person }) });
  if (now.playback) return 'there';
  const jobs = await client.jobs.list({ ws });
  const isMade = jobs.some((job) => job.subject === recording && isPreparing(job) && isActive(job));
  return isMade ? 'coming' : 'none';
}
