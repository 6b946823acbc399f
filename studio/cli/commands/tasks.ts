import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { askedLines } from '../../../core/play/asked.ts';
import { plural } from '../../../core/words.ts';
import {
  type Attachment,
  attachmentSchema,
  type Person,
  type TaskInfo,
  type TaskRow,
} from '../../../schemas/api/models.ts';
import type { WholeTask } from '../../../schemas/api/task-state.ts';
import {
  TABLE_BYTES,
  TABLE_FIELDS,
  type TableField,
  type TaskTable,
  tasksImport,
} from '../../../schemas/api/task-table.ts';
import type { AskedSetup } from '../../../schemas/consent.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { WHOLE_TASK_PARTS } from '../../../schemas/whole-task.ts';
import { agreeTo, askedOf, byOwnHand } from '../../play/consent.ts';
import { refuseUnfit } from '../../play/refuse-unfit.ts';
import { taskSetup } from '../../play/setup.ts';
import { attach } from '../../store/attachments.ts';
import { taskById } from '../../store/tasks.ts';
import { canAsk } from '../ask.ts';
import type { Call } from '../calls.ts';
import { type CliContext, examples } from '../context.ts';
import { composer, mirror } from '../mirror.ts';
import { textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { askFirst, ownAsker } from './on-stage.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';
import { registerOsworld } from './osworld.ts';
import { library } from './people.ts';

type AttachOptions = WorkspaceOption & { role: Attachment['role']; name?: string };

/** `tasks`: the goals to demonstrate, with how many demonstrations each has, and their files. */
export function register(program: Command, context: CliContext): void {
  const tasks = program.command('tasks').description('the tasks of a workspace; without a subcommand it lists them');
  examples(tasks, [['tasks --workspace W', 'all of them']]);
  const add = mirror(library, context);
  add(tasks, ['tasks', 'list'], {
    isDefault: true,
    json: (all) => ({ tasks: all.map(itself) }),
    text: (all) => {
      const rows = all.map((task) => [task.id, task.software, task.state, String(task.recordings), task.goal]);
      return rows.length > 0
        ? textTable([['TASK', 'APP', 'STATE', 'RECORDINGS', 'GOAL'], ...rows], [3])
        : 'No tasks yet.';
    },
  });
  const one = {
    json: (task: TaskInfo) => ({ task }),
    text: async (task: TaskInfo, _: unknown, { call }: { call: Call }) => describe(task, await recordersOf(task, call)),
  };
  for (const name of ['get', 'create', 'update', 'assign'] as const) add(tasks, ['tasks', name], one);
  add(tasks, ['tasks', 'remove'], {
    json: (_, { task }) => ({ removed: task }),
    text: (_, { task }) => `Removed ${task}.`,
  });

  composer(library.handlers, context)(tasks, tasksImport, async ({ call, input: { file, column, ...wishes } }) => {
    const asked = { ...wishes, bytes: (await tableBytes(file)).toString('base64') };
    const ask = async (more: object) => (await call(['tasks', 'importTable'], { ...asked, ...more })) as TaskTable; // The contract says so.
    const columns = column.length > 0 ? columnsBy(column, (await ask({ dryRun: true })).columns) : undefined;
    const table = await ask({ columns });
    if (table.faults > 0) context.setStatus(1);
    context.result(table, tableText(table));
  });

  const roles = attachmentSchema.shape.role.options;
  const attachOne = tasks
    .command('attach <id> <file>')
    .description('add a copy of a file to a task')
    .addOption(new Option('--role <role>', 'what the file is for').choices(roles).default('material'))
    .option('--name <name>', 'what to call it; its own name when left out')
    .action((id: string, file: string, options: AttachOptions) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { role, name = basename(file) } = options;
        refuseUnfit(role, file);
        const own = role === 'recipe' || role === 'checks' ? role : null;
        const take = () => attach(workspace, { task: id, role, name, body: readable(file) });
        const attachment = await byOwnHand(workspace, id, ownAsker(), own, take);
        context.result(
          { attachment },
          `${attachment.id}: ${attachment.name} (${attachment.mime}, ${plural(attachment.bytes, 'byte')})`,
        );
      }),
    );
  workspaceOption(attachOne);
  examples(attachOne, [['tasks attach PPT_15 end.png --role query-end --workspace W', 'how it is to look in the end']]);

  const trust = tasks
    .command('trust <id> [hashes...]')
    .description("show what somebody else's recipe and checks of a task would do here, and agree to it")
    .action((task: string, hashes: string[], options: WorkspaceOption) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { id } = await taskById(workspace.store, task);
        if (hashes.length > 0) await agreeTo(workspace, id, ownAsker(), hashes);
        const asked = await askedOf(workspace, id, ownAsker());
        if (asked.length > 0 && hashes.length === 0 && canAsk() && !context.json()) {
          await askFirst(workspace, id, {}, context);
          context.result({ task: id, asked: [] }, `You agreed to what ${id} runs.`);
          return;
        }
        if (asked.length > 0) context.setStatus(1);
        context.result({ task: id, asked }, trustText(id, asked));
      }),
    );
  workspaceOption(trust);
  examples(trust, [
    ['tasks trust GIMP_1 --workspace W', 'what came with an archive, and the question'],
    ['tasks trust GIMP_1 0123456789abcdef --workspace W', 'agree without being asked, by the hash that was shown'],
  ]);

  const state = tasks
    .command('state <id>')
    .description('say whether a task is complete, sound and proven, and what is missing')
    .action((task: string, options: WorkspaceOption) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { whole } = await taskSetup(workspace, task);
        if (WHOLE_TASK_PARTS.some((part) => !whole[part].holds)) context.setStatus(1);
        context.result({ task, ...whole }, wholeText(task, whole));
      }),
    );
  workspaceOption(state);
  examples(state, [
    [
      'tasks state GIMP_1 --workspace W',
      'recipe, checks, files, programs, a proven demonstration; status 1 if not all',
    ],
  ]);

  registerOsworld(tasks, context);
  add(tasks, ['tasks', 'detach'], {
    json: (_, { attachment }) => ({ removed: attachment }),
    text: (_, { attachment }) => `Removed ${attachment}.`,
  });
}

/** Without how far the work on it is, which `tasks show` says. */
const itself = ({ id, software, goal, state, createdAt, recordings }: TaskRow) => {
  return { id, software, goal, state, createdAt, recordings };
};

/** The names of who is to record it. */
async function recordersOf({ recorders = [] }: TaskInfo, call: Call): Promise<string[]> {
  if (recorders.length === 0) return [];
  const people = (await call(['people', 'list'], {})) as Person[]; // The contract says so.
  return recorders.map((id) => people.find((one) => one.id === id)?.name ?? id);
}

function describe(task: TaskInfo, recorders: readonly string[]): string {
  return [
    `${task.id} (${task.software}, ${task.state}): ${task.goal}`,
    `  recordings: ${task.recordings}${task.furthest === null ? '' : `, the furthest ${task.furthest}, ${Math.round(task.progress * 100)} %`}`,
    ...(task.platform ? [`  platform: ${task.platform}`] : []),
    ...(task.sourceUrl ? [`  source: ${task.sourceUrl}`] : []),
    ...(task.kind === 'full' ? [] : [`  kind: ${task.kind}`]),
    ...(task.answer ? [`  answer: ${task.answer}`] : []),
    ...(task.notes ? [`  notes: ${task.notes}`] : []),
    ...(recorders.length > 0 ? [`  to be recorded by: ${recorders.join(', ')}`] : []),
    ...task.attachments.map(({ id, role, name, bytes }) => `  ${role}: ${name} (${plural(bytes, 'byte')}, ${id})`),
  ].join('\n');
}

const wholeText = (task: string, whole: WholeTask): string =>
  WHOLE_TASK_PARTS.flatMap((part) => [
    `${task} is ${whole[part].holds ? part : `not ${part}:`}`,
    ...whole[part].missing.map(({ rule, why }) => `  ${rule}  ${why}`),
  ]).join('\n');

function trustText(id: string, asked: readonly AskedSetup[]): string {
  if (asked.length === 0) return `Nothing of ${id} is to be asked about: you made it, or agreed to it.`;
  const agree = `Agree to it: tasks trust ${id} ${asked.map(({ hash }) => hash.slice(0, 16)).join(' ')}`;
  return [...asked.flatMap(askedLines), agree].join('\n');
}

/** The whole file. Throws BAD_FILE when it cannot be read or is larger than a table may be. */
async function tableBytes(file: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of readable(file)) {
    size += part.length;
    if (size > TABLE_BYTES) {
      throw new StudioError('BAD_FILE', `${file} has more than ${TABLE_BYTES} bytes. Import it in parts.`, { file });
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** `Prompt=goal`: the guessed fields with those that are named. Throws USAGE. */
function columnsBy(given: readonly string[], columns: TaskTable['columns']): (TableField | null)[] {
  const fields = columns.map(({ field }) => field);
  for (const one of given) {
    const at = one.lastIndexOf('=');
    const [name, said] = [one.slice(0, at).trim(), one.slice(at + 1)];
    const column = columns.findIndex((other) => other.name.toLowerCase() === name.toLowerCase());
    const field = TABLE_FIELDS.find((other) => other.toLowerCase() === said.toLowerCase()) ?? null;
    if (column < 0 || (field === null && said !== 'none')) {
      const headers = columns.map((other) => other.name).join(', ');
      throw new StudioError(
        'USAGE',
        `--column "${one}" cannot be taken: its headers are ${headers}, and a field is one of ${TABLE_FIELDS.join(', ')}, none.`,
        { column: one },
      );
    }
    for (const [other, known] of fields.entries()) if (known === field && field !== 'notes') fields[other] = null;
    fields[column] = field;
  }
  return fields;
}

const ACTS = { make: 'new', update: 'changed', skip: 'left', fault: 'fault' } as const;

function tableText({ encoding, separator, columns, rows, made, updated, skipped, faults, done }: TaskTable): string {
  const lines = rows.map(({ line, act, task, software, goal, faults: why, sameAs }) => {
    const said = why.map(({ column, message }) => (column === null ? message : `${column}: ${message}`)).join(' ');
    const same = sameAs === null ? '' : `The same as line ${sameAs}. `;
    return [String(line), ACTS[act], task ?? software ?? '', said || `${same}${goal}`];
  });
  return [
    `${encoding}, separated by ${separator}: ${columns.map(({ name, field }) => `${name} -> ${field ?? 'left out'}`).join(', ')}.`,
    textTable([['LINE', 'ACT', 'TASK', 'GOAL'], ...lines], [0]),
    `${done ? '' : 'Nothing was made yet: '}${plural(made, 'task')} new, ${updated} changed, ${skipped} left as they are, ${plural(faults, 'row')} with faults.`,
  ].join('\n');
}

/** The file's bytes. Throws BAD_FILE when it cannot be read. */
async function* readable(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    const why = whyNot(error);
    throw new StudioError('BAD_FILE', `${file} cannot be read: ${why}. Check its path.`, { file }, { cause: error });
  }
}
