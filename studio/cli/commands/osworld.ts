import type { Command } from 'commander';
import { linesOfMapped, type MappedTask } from '../../../core/osworld/task.ts';
import { plural } from '../../../core/words.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { osworldOfTask, type ReadTask, readOsworldTasks, takeOsworldTasks } from '../../play/osworld-tasks.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { optionalWorkspaceOption, type WorkspaceOption, workspaceOption } from './options.ts';

type ImportOptions = WorkspaceOption & { app?: string; table?: boolean };

/** `tasks import-osworld` and `tasks osworld`: tasks of OSWorld, in and out. */
export function registerOsworld(tasks: Command, context: CliContext): void {
  const take = tasks
    .command('import-osworld <path>')
    .description(
      'take tasks of OSWorld (a .json, or a folder of them): what maps becomes recipe and checks, the rest is listed; nothing of them is run or fetched',
    )
    .option('--app <name>', 'the software of all of them; default: the first of their related apps')
    .option('--table', 'only print what would map, and take nothing')
    .action(async (path: string, options: ImportOptions) => {
      const { tasks: read, refused } = readOsworldTasks(path);
      for (const { why } of refused) context.progress(`passed over: ${why}`);
      if (options.table) {
        const whole = { tasks: read.map(rowOf), refused, ...totals(read) };
        context.result(whole, tableText(read));
        return;
      }
      await inWorkspace(options.workspace, async (workspace) => {
        const taken = await takeOsworldTasks(workspace, read, options.app);
        const lines = taken.flatMap(({ id, osworld, known, mapped }) =>
          known
            ? [`${id}: ${osworld} is here already and stays as it is.`]
            : [`${id}: ${osworld}`, ...linesOfMapped(mapped).map((line) => `  ${line}`)],
        );
        const told = taken.map(({ mapped, ...one }) => ({ ...one, ...reportOf(mapped) }));
        context.result({ tasks: told, refused, ...totals(read) }, [...lines, totalText(read)].join('\n'));
      });
    });
  optionalWorkspaceOption(take);
  examples(take, [
    ['tasks import-osworld evaluation_examples/examples --table', 'what of them would map'],
    ['tasks import-osworld evaluation_examples/examples/gimp --workspace W', 'take them'],
  ]);

  const give = tasks
    .command('osworld <id>')
    .description('a task in the form of OSWorld, with what that has no word for')
    .option('--out <file>', 'write it into this file')
    .action((id: string, options: WorkspaceOption & { out?: string }) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { task, missing } = await osworldOfTask(workspace, id);
        const text = JSON.stringify(task, null, 2);
        if (options.out !== undefined) writeFileAtomic(options.out, `${text}\n`);
        for (const one of missing) context.progress(`missing: ${one}`);
        context.result({ task, missing }, options.out === undefined ? text : `Wrote ${options.out}.`);
      }),
    );
  workspaceOption(give);
  examples(give, [['tasks osworld GIMP_1 --workspace W --out gimp.json', 'with its recipe and checks']]);
}

const reportOf = ({ checks, needed, missingStart, missingChecks, notes }: MappedTask) => ({
  checks: checks?.checks.map(({ kind }) => kind) ?? [],
  needed,
  missingStart,
  missingChecks,
  notes,
});

const rowOf = ({ file, task, mapped }: ReadTask) => ({
  file,
  osworld: task.id,
  evaluators: [task.evaluator.func].flat(),
  ...reportOf(mapped),
});

function totals(read: readonly ReadTask[]): { of: number; started: number; checked: number; complete: number } {
  const count = (is: (mapped: MappedTask) => boolean): number => read.filter(({ mapped }) => is(mapped)).length;
  const starts = ({ missingStart }: MappedTask): boolean => missingStart.length === 0;
  const checks = (one: MappedTask): boolean => one.checks !== null;
  return {
    of: read.length,
    started: count(starts),
    checked: count(checks),
    complete: count((one) => starts(one) && checks(one)),
  };
}

function totalText(read: readonly ReadTask[]): string {
  const { of, started, checked, complete } = totals(read);
  return `Of ${plural(of, 'task')}: ${started} with their whole start, ${checked} with their checks, ${complete} with both.`;
}

function tableText(read: readonly ReadTask[]): string {
  const rows = read.map(({ task, mapped }) => [
    task.id.slice(0, 8),
    [task.evaluator.func].flat().join(', '),
    mapped.missingStart.length === 0 ? 'whole' : `${mapped.missingStart.length} missing`,
    mapped.checks === null ? 'none' : mapped.checks.checks.map(({ kind }) => kind).join(', '),
    [...mapped.missingChecks, ...mapped.missingStart][0]?.slice(0, 70) ?? '',
  ]);
  return [
    textTable([['TASK', 'EVALUATOR', 'START', 'CHECKS', 'FIRST THAT IS MISSING'], ...rows], []),
    totalText(read),
  ].join('\n');
}
