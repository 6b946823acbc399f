import type { Command } from 'commander';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { collect, type WorkspaceOption, workspaceOption } from './options.ts';

type AddOptions = WorkspaceOption & {
  prefix?: string;
  id?: string;
  platforms?: string;
  alias: string[];
  executable: string[];
};

/** `software list` and `software add`: the applications a workspace knows. */
export function register(program: Command, context: CliContext): void {
  const software = program.command('software').description('the applications that a workspace knows');

  const list = software
    .command('list')
    .description('list them with their task prefixes')
    .action(({ workspace: dir }: WorkspaceOption) =>
      inWorkspace(dir, async (workspace) => {
        const all = await workspace.listSoftware();
        const rows = all.map((one) => [one.id, one.prefix, one.name, one.platforms, one.aliases.join(', ')]);
        context.result({ software: all }, textTable([['ID', 'PREFIX', 'NAME', 'PLATFORMS', 'ALIASES'], ...rows]));
      }),
    );
  workspaceOption(list);
  examples(list, [['software list --workspace W', 'all of them']]);

  const add = software
    .command('add <name>')
    .description('add one')
    .option('--prefix <letters>', 'of its task ids (PPT in PPT_15); made from the name when left out')
    .option('--id <id>', 'made from the name when left out')
    .option('--platforms <text>', 'where it runs, in words')
    .option('--alias <name>', 'another name for it; may be given several times', collect, [])
    .option('--executable <name>', "its executable's name; may be given several times", collect, [])
    .action((name: string, options: AddOptions) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { prefix, id, platforms, alias, executable } = options;
        const given = { ...(prefix && { prefix }), ...(id && { id }), ...(platforms && { platforms }) };
        const added = await workspace.addSoftware({ name, ...given, aliases: alias, executables: executable });
        context.result(
          { software: added },
          `Added ${added.name} (${added.id}); its tasks are ${added.prefix}_1, ${added.prefix}_2 …`,
        );
      }),
    );
  workspaceOption(add);
  examples(add, [
    ['software add Krita --prefix KR --workspace W', 'with a prefix of your choice'],
    ['software add "Affinity Photo" --alias affinity --workspace W', 'with another name for it'],
  ]);
}
