import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { draftsContract } from '../../../schemas/api/drafts.ts';
import type { CliContext } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';

const drafts = {
  contract: draftsContract,
  handlers: async () => ({
    ...(await import('../../api/routes/find.ts')).findRoutes,
    ...(await import('../../api/routes/drafts.ts')).draftRoutes,
  }),
};

/** `drafts`: what models drafted for a recording, and what became of it. */
export function register(program: Command, context: CliContext): void {
  mirror(drafts, context)(program, ['drafts', 'of'], {
    json: (list) => ({ drafts: list }),
    text: (list) => {
      if (list.length === 0) return 'Nothing was drafted. `draft --help` shows how.';
      const rows = list.map(({ action, field, text, by, doubt, state }) => [
        action,
        field,
        state,
        by,
        doubt === null ? text : `${text} (doubted: ${doubt})`,
      ]);
      const counts = [...Map.groupBy(list, ({ state }) => state)].map(([state, { length }]) => `${length} ${state}`);
      return `${textTable([['STEP', 'FIELD', 'STATE', 'BY', 'DRAFT'], ...rows], [])}\n\n${plural(list.length, 'draft')}: ${counts.join(', ')}.`;
    },
  });
}
