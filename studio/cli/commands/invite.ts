import type { Command } from 'commander';
import { teamContract } from '../../../schemas/api/team.ts';
import type { CliContext } from '../context.ts';
import { mirror } from '../mirror.ts';

/** The calls of schemas/api/team.ts. */
export const teamCalls = {
  contract: teamContract,
  handlers: async () => (await import('../../api/routes/team.ts')).teamRoutes,
};

/** `invite`: a link by which somebody signs in to a team's server. */
export function register(program: Command, context: CliContext): void {
  mirror(teamCalls, context)(program, ['team', 'invite'], {
    json: (invitation) => ({ invitation }),
    text: ({ email, role, endsAt, link, known }) => {
      const what = known
        ? `${email} is a member already (${role}). The link sets a new password and signs every browser out:`
        : `${email} as ${role}. The link, for one use:`;
      return `${what}\n${link}\nIt ends on ${minuteOf(endsAt)}. It is shown this once: whoever has it signs in.`;
    },
  });
}

/** To the minute, in UTC. */
export const minuteOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
