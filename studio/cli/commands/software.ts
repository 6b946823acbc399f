import type { Command } from 'commander';
import type { SoftwareInfo } from '../../../schemas/api/models.ts';
import { type CliContext, examples } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';
import { library } from './people.ts';

/** `software`: the applications that a workspace knows. */
export function register(program: Command, context: CliContext): void {
  const software = program.command('software').description('the applications that a workspace knows');
  examples(software, [['software list --workspace W', 'all of them']]);
  const add = mirror(library, context);
  add(software, ['software', 'list'], {
    json: (all) => ({ software: all.map(itself) }),
    text: (all) => {
      const rows = all.map((one) => [
        one.id,
        one.prefix,
        one.name,
        one.category,
        one.platforms,
        one.aliases.join(', '),
      ]);
      return textTable([['ID', 'PREFIX', 'NAME', 'CATEGORY', 'PLATFORMS', 'ALIASES'], ...rows]);
    },
  });
  add(software, ['software', 'add'], {
    json: (one) => ({ software: itself(one) }),
    text: ({ name, id, prefix }) => `Added ${name} (${id}); its tasks are ${prefix}_1, ${prefix}_2 …`,
  });
  add(software, ['software', 'update'], {
    json: (one) => ({ software: itself(one) }),
    text: ({ name, category }) => `${name} is for: ${category || 'nobody says'}.`,
  });
}

/** Without the number of its tasks, which `tasks` lists. */
const itself = ({ tasks: _tasks, ...one }: SoftwareInfo) => one;
