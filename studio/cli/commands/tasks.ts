import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { type Attachment, attachmentSchema, type TaskInfo } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { attach, detach } from '../../library/attachments.ts';
import { createTask, getTask, removeTask, updateTask } from '../../library/tasks.ts';
import { TASK_STATES, type TaskState } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Fields = { goal?: string; platform?: string; source?: string; notes?: string };
type AddOptions = WorkspaceOption & Fields & { app: string; goal: string; id?: string };
type UpdateOptions = WorkspaceOption & Fields & { state?: TaskState };
type AttachOptions = WorkspaceOption & { role: Attachment['role']; name?: string };

/** `tasks`: the goals to demonstrate, with how many demonstrations each has, and their files. */
export function register(program: Command, context: CliContext): void {
  const tasks = program.command('tasks').description('the tasks of a workspace; without more it lists them');
  examples(tasks, [['tasks --workspace W', 'all of them']]);

  const list = tasks
    .command('list', { isDefault: true })
    .description('list them')
    .action(({ workspace: dir }: WorkspaceOption) => inWorkspace(dir, (workspace) => listAll(workspace, context)));
  workspaceOption(list);
  examples(list, [['tasks list --workspace W', 'all of them']]);

  const show = tasks
    .command('show <id>')
    .description('everything of one')
    .action((id: string, { workspace: dir }: WorkspaceOption) =>
      inWorkspace(dir, async (workspace) => {
        await workspace.syncIndex();
        tell(await getTask(workspace.db, id), context);
      }),
    );
  workspaceOption(show);
  examples(show, [['tasks show PPT_15 --workspace W', 'its goal, files and progress']]);

  const add = fields(tasks.command('add').description('make one'))
    .requiredOption('--app <name>', 'its software')
    .requiredOption('--goal <text>', 'what is to be reached, in words')
    .option('--id <id>', 'such as PPT_15; the next free one when left out')
    .action((options: AddOptions) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { id, app: software, goal, platform = '', source = '', notes = '' } = options;
        tell(await createTask(workspace, { id, software, goal, platform, sourceUrl: source, notes }), context);
      }),
    );
  workspaceOption(add);
  examples(add, [['tasks add --app powerpoint --goal "Insert a picture" --workspace W', 'the next free PPT number']]);

  const update = fields(tasks.command('update <id>').description('change what is given'))
    .option('--goal <text>', 'what is to be reached, in words')
    .addOption(new Option('--state <state>', 'closed: no more demonstrations are wanted').choices(TASK_STATES))
    .action((id: string, options: UpdateOptions) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { goal, platform, source: sourceUrl, notes, state } = options;
        tell(await updateTask(workspace.db, id, { goal, platform, sourceUrl, notes, state }), context);
      }),
    );
  workspaceOption(update);
  examples(update, [['tasks update PPT_15 --state closed --workspace W', 'no more demonstrations of it']]);

  const remove = tasks
    .command('remove <id>')
    .description('remove one without recordings and files')
    .action((id: string, { workspace: dir }: WorkspaceOption) =>
      inWorkspace(dir, async (workspace) => {
        await workspace.syncIndex();
        await removeTask(workspace.db, id);
        context.result({ removed: id }, `Removed ${id}.`);
      }),
    );
  workspaceOption(remove);
  examples(remove, [['tasks remove PPT_15 --workspace W', 'one that nobody recorded']]);

  const roles = attachmentSchema.shape.role.options;
  const attachOne = tasks
    .command('attach <id> <file>')
    .description('keep a copy of a file with it')
    .addOption(new Option('--role <role>', 'what the file is for').choices(roles).default('material'))
    .option('--name <name>', 'what to call it; its own name when left out')
    .action((id: string, file: string, options: AttachOptions) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { role, name = basename(file) } = options;
        const attachment = await attach(workspace, { task: id, role, name, body: readable(file) });
        context.result(
          { attachment },
          `${attachment.id}: ${attachment.name} (${attachment.mime}, ${attachment.bytes} bytes)`,
        );
      }),
    );
  workspaceOption(attachOne);
  examples(attachOne, [['tasks attach PPT_15 end.png --role query-end --workspace W', 'how it is to look in the end']]);

  const detachOne = tasks
    .command('detach <attachment>')
    .description('remove a file that was kept with one')
    .action((id: string, { workspace: dir }: WorkspaceOption) =>
      inWorkspace(dir, async (workspace) => {
        await detach(workspace, id);
        context.result({ removed: id }, `Removed ${id}.`);
      }),
    );
  workspaceOption(detachOne);
  examples(detachOne, [['tasks detach ID --workspace W', 'its id is in `tasks show`']]);
}

const fields = (command: Command): Command =>
  command
    .option('--platform <text>', 'where it is done, in words')
    .option('--source <url>', 'the video that shows it')
    .option('--notes <text>', 'anything else');

async function listAll(workspace: Workspace, context: CliContext): Promise<void> {
  await workspace.syncIndex();
  const all = await workspace.listTasks();
  const rows = all.map((task) => [task.id, task.software, task.state, String(task.recordings), task.goal]);
  const head = ['TASK', 'APP', 'STATE', 'RECORDINGS', 'GOAL'];
  context.result({ tasks: all }, all.length > 0 ? textTable([head, ...rows], [3]) : 'No tasks yet.');
}

function tell(task: TaskInfo, context: CliContext): void {
  const lines = [
    `${task.id} (${task.software}, ${task.state}): ${task.goal}`,
    `  recordings: ${task.recordings}${task.furthest === null ? '' : `, the furthest ${task.furthest}, ${Math.round(task.progress * 100)} %`}`,
    ...(task.platform ? [`  platform: ${task.platform}`] : []),
    ...(task.sourceUrl ? [`  source: ${task.sourceUrl}`] : []),
    ...(task.notes ? [`  notes: ${task.notes}`] : []),
    ...task.attachments.map(({ id, role, name, bytes }) => `  ${role}: ${name} (${bytes} bytes, ${id})`),
  ];
  context.result({ task }, lines.join('\n'));
}

/** The file's bytes. Throws BAD_FILE when it cannot be read. */
async function* readable(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError('BAD_FILE', `${file} cannot be read: ${why}`, { file }, { cause: error });
  }
}
