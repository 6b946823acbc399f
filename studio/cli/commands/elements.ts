import type { Command } from 'commander';
import { spokenName } from '../../../core/annotate/proposals/element.ts';
import type { ElementLine } from '../../../schemas/elements.ts';
import { type CliContext, examples } from '../context.ts';
import { clockText, textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `elements`: what programs said of the element at each step. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('elements <id>')
    .description('the element that each step of a recording acted on, as its program named it')
    .action(async (id: string, options: WorkspaceOption) => {
      await inWorkspace(options.workspace, async (workspace) => {
        const entry = await workspace.resolveRecording(id);
        // Here, so that other commands start without it.
        const { openFolder } = await import('../../recordings/closed.ts');
        const recording = openFolder(entry.folder);
        const rows = recording.steps.map((step) => ({ step, element: recording.elementOf(step) }));
        const actions = rows.map(({ step: { id: action, kind, start }, element }) => ({
          action,
          kind,
          t: start[2],
          element: element && { ...element, spoken: spokenName(element), tookMs: tookMs(element) },
        }));
        const lines = rows.map(({ step, element }, at) => [
          String(at + 1),
          clockText(step.start[2]),
          step.kind,
          element ? (spokenName(element) ?? (element.withheld ? '(password)' : '')) : '',
          element?.role ?? '',
          element?.bounds ? boxText(element.bounds) : '',
          element ? sourceText(element) : '',
        ]);
        const known = rows.filter(({ element }) => element !== null).length;
        const table = textTable([['#', 'TIME', 'KIND', 'ELEMENT', 'ROLE', 'BOX', 'SOURCE'], ...lines], [0, 1]);
        context.result(
          { recording: entry.id, actions },
          rows.length === 0 ? 'No actions.' : `${table}\n\n${known} of ${rows.length} steps have their element.`,
        );
      });
    });
  workspaceOption(command);
  examples(command, [
    ['elements 2026 --workspace W', 'a table'],
    ['elements 2026 --workspace W --json', 'each action with its element: role, name, box, path, source, tookMs'],
  ]);
}

type Bounds = NonNullable<ElementLine['bounds']>;
const boxText = ({ x, y, width, height }: Bounds): string => `${width}x${height}+${x}+${y}`;
const tookMs = ({ took }: ElementLine): number | null => (took === undefined ? null : took / 1000);

function sourceText(element: ElementLine): string {
  const took = tookMs(element);
  if (element.source === undefined) return 'import';
  return [
    element.source,
    element.when === 'press' ? 'at the press' : 'before the press',
    took === null ? '' : `${took.toFixed(1)} ms`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
