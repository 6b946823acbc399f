import type { Command } from 'commander';
import { narrate } from '../../../core/annotate/narration.ts';
import type { Action } from '../../../schemas/actions.ts';
import { type CliContext, examples } from '../context.ts';
import { clockText, textTable } from '../table.ts';
import { parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption & { hover?: string; wait?: string };

/** `actions`: reduces a recording's raw events again, and shows what came out. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('actions <id>')
    .description("a recording's actions, reduced again from its raw events; the id may be shortened")
    .option('--hover <ms>', 'also list where the pointer rested at least this long while the screen changed')
    .option('--wait <ms>', 'also list times without input of at least this long')
    .action(async (id: string, options: Options) => {
      const hoverMs = options.hover === undefined ? undefined : parseWhole('--hover', options.hover, 1, 3_600_000);
      const waitMs = options.wait === undefined ? undefined : parseWhole('--wait', options.wait, 1, 3_600_000);
      await inWorkspace(options.workspace, async (workspace) => {
        const entry = await workspace.resolveRecording(id);
        // Here, so that other commands start without it.
        const { reduceRecording } = await import('../../recordings/reduce.ts');
        const { result, fileWarnings } = reduceRecording(entry.folder, {
          ...(hoverMs !== undefined && { hoverMs }),
          ...(waitMs !== undefined && { waitMs }),
        });
        const warnings = [
          ...fileWarnings.map(({ code, line, message }) => ({ code, event: line - 1, message })),
          ...result.warnings,
        ];
        const { rulesVersion, actions } = result;
        context.result(
          { recording: entry.id, rulesVersion, actions, warnings },
          [describe(actions), ...warnings.map(({ code, message }) => `warning ${code}: ${message}`)].join('\n'),
        );
      });
    });
  workspaceOption(command);
  examples(command, [
    ['actions 2026 --workspace W', 'a table'],
    ['actions 2026 --workspace W --json', 'all fields; times in µs of the session clock, positions in physical pixels'],
  ]);
}

function describe(actions: readonly Action[]): string {
  if (actions.length === 0) return 'No actions.';
  const rows = actions.map((action, i) => [
    String(i + 1),
    clockText(action.start.t),
    action.incomplete ? `${action.kind} (incomplete)` : action.kind,
    narrate(action).replaceAll('\n', '⏎'),
    action.window?.title ?? '',
  ]);
  return textTable([['#', 'TIME', 'KIND', 'ACTION', 'WINDOW'], ...rows], [0, 1]);
}
