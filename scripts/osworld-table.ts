import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MappedTask } from '../core/osworld/task.ts';
import { type ReadTask, readOsworldTasks } from '../studio/play/osworld-tasks.ts';

/**
 * What of OSWorld's public tasks becomes complete tasks here, as the table of docs/importing.md:
 *
 *     npx node scripts/osworld-table.ts FOLDER            # prints it; FOLDER: evaluation_examples/examples of OSWorld
 *     npx node scripts/osworld-table.ts FOLDER --write    # and puts it into the page
 *
 * Tasks for Windows and the template are left out, as OSWorld's own counts do.
 */

const PAGE = join(import.meta.dirname, '../docs/importing.md');
const [BEGIN, END] = ['<!-- osworld-table: written by scripts/osworld-table.ts -->', '<!-- /osworld-table -->'];
/** Evaluators that fewer tasks ask for are one line together. */
const FEW = 5;

const [folder, option] = process.argv.slice(2);
if (folder === undefined || (option !== undefined && option !== '--write')) {
  process.stderr.write('Say where the tasks are: npx node scripts/osworld-table.ts FOLDER [--write]\n');
  process.exit(2);
}
const tasks = readOsworldTasks(folder).tasks.filter(({ file }) => !/[/\\]Windows[/\\]/.test(file));
const text = tableOf(tasks);
process.stdout.write(`${text}\n`);
if (option === '--write') {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the table`);
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${text}\n\n${page.slice(to)}`);
}

function tableOf(all: readonly ReadTask[]): string {
  const count = (is: (mapped: MappedTask) => boolean): number => all.filter(({ mapped }) => is(mapped)).length;
  const starts = ({ missingStart }: MappedTask): boolean => missingStart.length === 0;
  const checks = (one: MappedTask): boolean => one.checks !== null;
  const complete = count((one) => starts(one) && checks(one));
  const share = ((100 * complete) / all.length).toFixed(1);
  return [
    `Of ${all.length} public tasks ${count(starts)} have their whole start, ${count(checks)} their checks, ${complete} both (${share} %).`,
    '',
    '| asked for by | tasks | with checks | complete |',
    '| --- | ---: | ---: | ---: |',
    ...linesOf(all, ({ task }) => [task.evaluator.func].flat().map((func) => (func === '' ? '(none yet)' : func))),
    '',
    '| set up by | tasks | whole start | complete |',
    '| --- | ---: | ---: | ---: |',
    ...linesOf(all, ({ task }) => task.config.map(({ type }) => type), starts),
  ].join('\n');
}

function linesOf(
  all: readonly ReadTask[],
  namesOf: (one: ReadTask) => string[],
  isPart: (mapped: MappedTask) => boolean = ({ checks }) => checks !== null,
): string[] {
  const rows = new Map<string, [tasks: number, part: number, complete: number]>();
  for (const one of all) {
    const isWhole = one.mapped.checks !== null && one.mapped.missingStart.length === 0;
    for (const name of new Set(namesOf(one))) {
      const [tasks, part, complete] = rows.get(name) ?? [0, 0, 0];
      rows.set(name, [tasks + 1, part + Number(isPart(one.mapped)), complete + Number(isWhole)]);
    }
  }
  const sorted = [...rows].sort(([a, [n]], [b, [m]]) => m - n || (a < b ? -1 : 1));
  const many = sorted.filter(([, [tasks]]) => tasks >= FEW);
  const few = sorted.slice(many.length).map(([, row]) => row);
  const sum = (at: 0 | 1 | 2): number => few.reduce((total, row) => total + row[at], 0);
  return [
    ...many.map(([name, [tasks, part, complete]]) => `| ${name} | ${tasks} | ${part} | ${complete} |`),
    ...(few.length > 0 ? [`| ${few.length} others | ${sum(0)} | ${sum(1)} | ${sum(2)} |`] : []),
  ];
}
