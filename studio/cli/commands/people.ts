import type { Command } from 'commander';
import { addPerson, listPeople } from '../../store/people.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `people list` and `people add`: who demonstrates, annotates and reviews. */
export function register(program: Command, context: CliContext): void {
  const people = program.command('people').description('who demonstrates, annotates and reviews');

  const list = people
    .command('list')
    .description('list them')
    .action(async ({ workspace: dir }: WorkspaceOption) => {
      const workspace = openWorkspace(dir, { create: false });
      try {
        const all = await listPeople(workspace.db);
        const rows = all.map(({ id, name, email }) => [id, name, email ?? '']);
        context.result({ people: all }, all.length > 0 ? textTable([['ID', 'NAME', 'EMAIL'], ...rows]) : 'Nobody yet.');
      } finally {
        workspace.close();
      }
    });
  workspaceOption(list);
  examples(list, [['people list --workspace W', 'all of them']]);

  const add = people
    .command('add <name>')
    .description('add one')
    .option('--email <address>', 'how to reach them')
    .action(async (name: string, options: WorkspaceOption & { email?: string }) => {
      const workspace = openWorkspace(options.workspace, { create: false });
      try {
        const person = await addPerson(workspace.db, { name, email: options.email ?? null });
        context.result({ person }, `Added ${person.name} (${person.id}).`);
      } finally {
        workspace.close();
      }
    });
  workspaceOption(add);
  examples(add, [['people add "Ada Lovelace" --workspace W', 'one person']]);
}
