import type { OutgoingRecording, ServerTaskList } from '../../schemas/api/team-server.ts';
import { client } from '../client/api.ts';

/** Queries about the team's server that this machine works with. */

type Context = { signal: AbortSignal };

export const serverQueries = {
  /** Null: none was named. */
  server: () => ({
    queryKey: ['team-server'],
    queryFn: ({ signal }: Context): Promise<{ origin: string } | null> => client.teamServer.get(undefined, { signal }),
  }),
  tasks: (ws: string) => ({
    queryKey: ['of', ws, 'server-tasks'],
    queryFn: ({ signal }: Context): Promise<ServerTaskList> => client.teamServer.tasks({ ws }, { signal }),
    staleTime: 30_000,
  }),
  outgoing: (ws: string) => ({
    queryKey: ['of', ws, 'recordings', 'outgoing'],
    queryFn: ({ signal }: Context): Promise<Outgoing> => client.teamServer.outgoing({ ws }, { signal }),
  }),
};

type Outgoing = {
  origin: string;
  away: { code: string; message: string } | null;
  recordings: OutgoingRecording[];
};
