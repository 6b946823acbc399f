import type { TeamInvitation, TeamMember, TeamToken } from '../../schemas/api/team.ts';
import { client } from '../client/api.ts';

type Context = { signal: AbortSignal };

/** Under the key of the workspace's people, which the studio's news fetches anew. */
export const teamQueries = {
  members: (ws: string) => ({
    queryKey: ['of', ws, 'people', 'members'],
    queryFn: ({ signal }: Context): Promise<TeamMember[]> => client.team.members({ ws }, { signal }),
  }),
  invitations: (ws: string) => ({
    queryKey: ['of', ws, 'people', 'invitations'],
    queryFn: ({ signal }: Context): Promise<TeamInvitation[]> => client.team.invitations({ ws }, { signal }),
  }),
  tokens: (ws: string) => ({
    queryKey: ['of', ws, 'people', 'tokens'],
    queryFn: ({ signal }: Context): Promise<TeamToken[]> => client.team.tokens({ ws }, { signal }),
  }),
};
