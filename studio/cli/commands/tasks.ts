import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { askedLines } from '../../../core/play/asked.ts';
import { plural } from '../../../core/words.ts';
import { type Attachment, attachmentSchema, type TaskInfo, type TaskRow } from '../../../schemas/api/models.ts';
import type { AskedSetup } from '../../../schemas/consent.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { agreeTo, askedOf, byOwnHand } from '../../play/consent.ts';
import { refuseUnfit } from '../../play/refuse-unfit.ts';
import { attach } from '../../store/attachments.ts';
import { taskById } from '../../store/tasks.ts';
import { canAsk } from '../ask.ts';
import { type CliContext, examples } from '../context.ts';
import { mirror } from '../mirror.ts';
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
  const one = { json: (task: TaskInfo) => ({ task }), text: describe };
  for (const name of ['get', 'create', 'update'] as const) add(tasks, ['tasks', name], one);
  add(tasks, ['tasks', 'remove'], {
    json: (_, { task }) => ({ removed: task }),
    text: (_, { task }) => `Removed ${task}.`,
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
        const { id } = await taskById(workspace.db, task);
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

function describe(task: TaskInfo): string {
  return [
    `${task.id} (${task.software}, ${task.state}): ${task.goal}`,
    `  recordings: ${task.recordings}${task.furthest === null ? '' : `, the furthest ${task.furthest}, ${Math.round(task.progress * 100)} %`}`,
    ...(task.platform ? [`  platform: ${task.platform}`] : []),
    ...(task.sourceUrl ? [`  source: ${task.sourceUrl}`] : []),
    ...(task.kind === 'full' ? [] : [`  kind: ${task.kind}`]),
    ...(task.answer ? [`  answer: ${task.answer}`] : []),
    ...(task.notes ? [`  notes: ${task.notes}`] : []),
    ...task.attachments.map(({ id, role, name, bytes }) => `  ${role}: ${name} (${plural(bytes, 'byte')}, ${id})`),
  ].join('\n');
}

function trustText(id: string, asked: readonly AskedSetup[]): string {
  if (asked.length === 0) return `Nothing of ${id} is to be asked about: you made it, or agreed to it.`;
  const agree = `Agree to it: tasks trust ${id} ${asked.map(({ hash }) => hash.slice(0, 16)).join(' ')}`;
  return [...asked.flatMap(askedLines), agree].join('\n');
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
