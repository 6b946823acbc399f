import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { libraryContract } from '../../../schemas/api/library.ts';
import { type CliContext, examples } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';
import { minuteOf, teamCalls } from './invite.ts';

/** The calls of schemas/api/library.ts. */
export const library = {
  contract: libraryContract,
  handlers: async () => (await import('../../api/routes/library.ts')).libraryRoutes,
};

/** `people`: who demonstrates, annotates and reviews, and who of them signs in to a team's server. */
export function register(program: Command, context: CliContext): void {
  const people = program.command('people').description('who demonstrates, annotates and reviews');
  examples(people, [['people add "Ada Lovelace" --workspace W', 'one more person']]);
  const add = mirror(library, context);
  add(people, ['people', 'list'], {
    json: (all) => ({ people: all }),
    text: (all) =>
      all.length > 0
        ? textTable([['ID', 'NAME', 'EMAIL'], ...all.map(({ id, name, email }) => [id, name, email ?? ''])])
        : 'Nobody yet.',
  });
  add(people, ['people', 'add'], {
    json: (person) => ({ person }),
    text: ({ name, id }) => `Added ${name} (${id}).`,
  });
  const addTeam = mirror(teamCalls, context);
  addTeam(people, ['team', 'members'], {
    json: (members) => ({ members }),
    text: (members) =>
      members.length > 0
        ? textTable([
            ['NAME', 'EMAIL', 'ROLE', 'BROWSERS', 'LAST SEEN'],
            ...members.map(({ name, email, role, sessions, seenAt }) => [
              name,
              email,
              role,
              String(sessions),
              seenAt === null ? '-' : minuteOf(seenAt),
            ]),
          ])
        : 'Nobody can sign in yet. `npm run studio -- invite ADDRESS --role owner` invites the first.',
  });
  addTeam(people, ['team', 'setRole'], {
    json: (member) => ({ member }),
    text: ({ name, role }) => `${name} is ${role} now.`,
  });
  addTeam(people, ['team', 'remove'], {
    json: (removed) => ({ removed }),
    text: ({ name }) => `${name} can no longer sign in. Their work stays.`,
  });
  addTeam(people, ['team', 'signOut'], {
    json: (signedOut) => ({ signedOut }),
    text: ({ name, sessions }) => `${name} was signed out of ${plural(sessions, 'browser')}.`,
  });
  addTeam(people, ['team', 'invitations'], {
    json: (invitations) => ({ invitations }),
    text: (all) =>
      all.length > 0
        ? textTable([
            ['EMAIL', 'ROLE', 'INVITED', 'ENDS'],
            ...all.map(({ email, role, createdAt, endsAt, ended }) => [
              email,
              role,
              minuteOf(createdAt),
              ended ? 'has ended' : minuteOf(endsAt),
            ]),
          ])
        : 'No invitation waits.',
  });
  addTeam(people, ['team', 'uninvite'], {
    json: (uninvited) => ({ uninvited }),
    text: ({ email }) => `The invitation of ${email} holds no more.`,
  });
}
