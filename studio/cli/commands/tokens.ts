import type { Command } from 'commander';
import { type CliContext, examples } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';
import { minuteOf, teamCalls } from './invite.ts';

/** `tokens`: by which scripts ask a team's server. */
export function register(program: Command, context: CliContext): void {
  const tokens = program
    .command('tokens')
    .description("by which scripts ask a team's server; without a subcommand it lists them");
  examples(tokens, [['tokens --workspace W', 'all of them, with their rights and their end']]);
  const add = mirror(teamCalls, context);
  add(tokens, ['team', 'tokens'], {
    isDefault: true,
    json: (all) => ({ tokens: all }),
    text: (all) =>
      all.length > 0
        ? textTable([
            ['TOKEN', 'NAME', 'OF', 'RIGHTS', 'USED', 'ENDS'],
            ...all.map((one) => [
              one.id.slice(0, 8),
              one.name,
              one.memberName,
              one.scopes.join(', '),
              one.usedAt === null ? 'never' : minuteOf(one.usedAt),
              one.ended ? 'has ended' : minuteOf(one.endsAt),
            ]),
          ])
        : 'No tokens yet.',
  });
  add(tokens, ['team', 'makeToken'], {
    json: (token) => ({ token }),
    text: ({ name, memberName, scopes, endsAt, secret }) =>
      `${secret}\n"${name}" acts as ${memberName} (${scopes.join(', ')}) until ${minuteOf(endsAt)}. It is shown this once: send it as \`Authorization: Bearer …\`.`,
  });
  add(tokens, ['team', 'revokeToken'], {
    json: (revoked) => ({ revoked }),
    text: ({ name }) => `"${name}" holds no more.`,
  });
}
