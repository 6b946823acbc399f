import type { Person, Server } from '../../support/team-processes.ts';

/** A team's server that is attacked. */
export type Place = {
  server: Server;
  ws: string;
  /** The other member works on it. */
  recording: string;
  victim: Person;
  recorder: Person;
  manager: Person;
  viewer: Person;
  /** For files of the attack. */
  folder: string;
};

/** Gives in words how it ended. */
export type Attack = { name: string; run(place: Place): Promise<string> };

/** An attack is looked at for so long at most, ms. */
export const MOST_MS = 240_000;
