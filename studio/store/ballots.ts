import { join } from 'node:path';
import { ARENA_FILE, type Ballot, ballotSchema, NEWEST_ARENA_VERSION } from '../../schemas/arena.ts';
import { StudioError } from '../../schemas/errors.ts';
import { hasFile, readIn } from '../files/inside.ts';
import { refuseNewer } from '../files/versioned.ts';

/** What people said of outcomes in the arena of a workspace; written by studio/agents/arena.ts. */

/** Throws BAD_FILE with the line that cannot be read, FUTURE_VERSION. */
export function readBallots({ dir }: { dir: string }): Ballot[] {
  if (!hasFile(dir, ARENA_FILE)) return [];
  const lines = readIn(dir, ARENA_FILE).toString('utf8').split('\n');
  return lines.flatMap((line, n) => {
    if (line.trim() === '') return [];
    const file = join(dir, ARENA_FILE);
    let value: unknown = null;
    try {
      value = JSON.parse(line);
    } catch {
      // Told below.
    }
    if (typeof value === 'object' && value !== null && 'version' in value)
      refuseNewer(file, value.version, NEWEST_ARENA_VERSION);
    const { success, data } = ballotSchema.safeParse(value);
    if (!success)
      throw new StudioError(
        'BAD_FILE',
        `Line ${n + 1} of ${file} is no ranking. Take the line out, or the file from a backup.`,
        {
          file,
          line: n + 1,
        },
      );
    return [data];
  });
}

/** The newest of each person and set: it alone counts. */
export const newestBallots = (ballots: readonly Ballot[]): Ballot[] => [
  ...new Map(ballots.map((ballot) => [`${ballot.person}\n${ballot.set}`, ballot])).values(),
];
