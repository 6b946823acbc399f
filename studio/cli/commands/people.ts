import type { Command } from 'commander';
import { addPerson, listPeople } from '../../store/people.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `people list` and `people add`: who demonstrates, annotates and reviews. */
export function register(program: Command, context: CliContext): void {
  const people = program.command('people').description('who demonstrates, annotates and reviews');

  const list = people
    .command('list')
    .description('list them')
    .action(({ workspace: dir }: WorkspaceOption) =>
      inWorkspace(dir, async (workspace) => {
        const all = await listPeople(workspace.db);
        const rows = all.map(({ id, name, email }) => [id, name, email ?? '']);
        context.result({ people: all }, all.length > 0 ? textTable([['ID', 'NAME', 'EMAIL'], ...rows]) : 'Nobody yet.');
      }),
    );
  workspaceOption(list);
  examples(list, [['people list --workspace W', 'all of them']]);

  const add = people
    .command('add <name>')
    .description('add one')
    .option('--email <address>', 'how to reach them')
    .action((name: string, options: WorkspaceOption & { email?: string }) =>
      inWorkspace(options.workspace, async (workspace) => {
        const person = await addPerson(workspace.db, { name, email: options.email ?? null });
        context.result({ person }, `Added ${person.name} (${person.id}).`);
      }),
    );
  workspaceOption(add);
  examples(add, [['people add "Ada Lovelace" --workspace W', 'one person']]);
}
