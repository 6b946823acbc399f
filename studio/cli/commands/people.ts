import type { Command } from 'commander';
import { libraryContract } from '../../../schemas/api/library.ts';
import { type CliContext, examples } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';

/** The calls of schemas/api/library.ts. */
export const library = {
  contract: libraryContract,
  handlers: async () => (await import('../../api/routes/library.ts')).libraryRoutes,
};

/** `people`: who demonstrates, annotates and reviews. */
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
}
