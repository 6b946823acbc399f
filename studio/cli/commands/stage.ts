import { join } from 'node:path';
import type { Command } from 'commander';
import { looksAtElements } from '../../../core/play/checks.ts';
import { plural } from '../../../core/words.ts';
import type { HomeCopy } from '../../../schemas/home-copy.ts';
import { checksOfTask } from '../../play/checks/checks-file.ts';
import { filesOfTask } from '../../play/recipe.ts';
import { copiesOf, findCopy, listCopies, removeCopy } from '../../play/stage/copies.ts';
import { sizeWords } from '../../play/stage/disk-watch.ts';
import { copyHome } from '../../play/stage/home-copy.ts';
import { setStage } from '../../play/stage/set-stage.ts';
import { allStages, endStage, findStage, PLAIN_LAYOUT, PLAIN_SCREEN, sweepStages } from '../../play/stage/stage.ts';
import { taskById } from '../../store/tasks.ts';
import { type CliContext, examples } from '../context.ts';
import { inWorkspace } from '../within.ts';
import { askFirst, kindsWith, needRecipe, type TrustOption, trustOption, untilEnded, withoutCage } from './on-stage.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `stage new`, `stage list`, `stage end`: virtual displays that are set up by a task's recipe. */
export function register(program: Command, context: CliContext): void {
  const stage = program
    .command('stage')
    .description('virtual displays, set up by the recipe of a task, for recording and trying');
  examples(stage, [['stage new --workspace W --task GIMP_1', 'a display on which `record --stage GIMP_1` records']]);
  const add = stage
    .command('new')
    .description('set up a stage; it stays until `stage end`')
    .requiredOption('--task <id>', 'the task whose recipe sets it up')
    .option('--recipe <file>', "another recipe than the task's own")
    .option('--from <copy>', "begin with this copy of a home (`stage copies`) instead of the recipe's files")
    .option(
      '--elements',
      'its programs report their elements, for recordings and checks of elements (on by itself when the task has such a check)',
    )
    .action(
      (
        options: WorkspaceOption &
          TrustOption & { task: string; recipe?: string; from?: string; elements?: true; withoutCage?: true },
      ) =>
        untilEnded((signal) =>
          inWorkspace(options.workspace, async (workspace) => {
            const task = await taskById(workspace.store, options.task);
            await askFirst(workspace, task.id, options, context, kindsWith(options.recipe));
            const recipe = await needRecipe(workspace, task.id, options.recipe);
            const root = copiesOf(workspace.dir);
            const from = options.from === undefined ? null : { root, copy: findCopy(root, options.from).id };
            const fileOf = await filesOfTask(workspace.store, workspace.dir, task.id);
            const made = await setStage({
              recipe,
              ...PLAIN_SCREEN,
              layout: PLAIN_LAYOUT,
              fileOf,
              task: task.id,
              workspace: workspace.dir,
              keep: true,
              ...(from && { from }),
              withoutCage: options.withoutCage === true,
              signal,
              elements: options.elements === true || looksAtElements(await checksOfTask(workspace, task.id)),
            });
            const { id, display, width, height, env } = made;
            for (const note of made.notes) context.progress(`note: ${note}`);
            context.result(
              {
                stage: id,
                display,
                width,
                height,
                home: made.home,
                authority: env.XAUTHORITY ?? null,
                notes: made.notes,
              },
              `stage ${id}: display ${display}, ${width}x${height}\n  home: ${made.home}\n  for other programs: DISPLAY=${display} XAUTHORITY=${env.XAUTHORITY}\n  end it with: stage end ${id}`,
            );
          }),
        ),
    );
  workspaceOption(withoutCage(trustOption(add)));
  examples(add, [['stage new --workspace W --task GIMP_1', 'prints its display and its home']]);

  const list = stage
    .command('list')
    .description('list the stages that are set up')
    .action(async () => {
      await sweepStages();
      const stages = allStages().map(({ id, display, width, height, task, workspace, home, isKept }) => ({
        stage: id,
        display,
        width,
        height,
        task,
        workspace,
        home,
        kept: isKept,
      }));
      const lines = stages.map(
        (one) =>
          `${one.stage}  ${one.display}  ${one.width}x${one.height}  ${one.task ?? ''}${one.kept ? '' : '  (of a play that runs)'}`,
      );
      context.result({ stages }, lines.length === 0 ? 'No stage is set up.' : lines.join('\n'));
    });
  examples(list, [['stage list', 'their ids, displays and tasks']]);

  const end = stage
    .command('end <id>')
    .description('end a stage, with its programs and its home folder')
    .action(async (id: string) => {
      await endStage(id);
      context.result({ ended: id }, `Ended ${id}.`);
    });
  examples(end, [['stage end 3f', 'an id may be shortened']]);

  registerCopies(stage, context);
}

/** `stage copy`, `stage copies`, `stage remove-copy`: homes as they were after a task. */
function registerCopies(stage: Command, context: CliContext): void {
  const copy = stage
    .command('copy <id>')
    .description("copy a stage's home as it is now, to look at it later or to begin another stage with it")
    .option('--note <text>', 'what it is a copy of, in your words')
    .action((id: string, options: WorkspaceOption & { note?: string }) =>
      untilEnded((signal) =>
        inWorkspace(options.workspace, async ({ dir }) => {
          const root = copiesOf(dir);
          const made = await copyHome(findStage(id, dir), { root, note: options.note ?? null, signal });
          const lines = [`copy ${made.id}: ${lineOf(made)}`, `  in ${join(root, made.id, 'files')}`];
          for (const { path, why } of made.leftOut) lines.push(`  left out: ${path} (${why})`);
          context.result({ ...made, folder: join(root, made.id) }, lines.join('\n'));
        }),
      ),
    );
  workspaceOption(copy);
  examples(copy, [
    ['stage copy 3f --workspace W --note "after task 2"', 'only what changed since its last copy is new'],
  ]);

  const copies = stage
    .command('copies')
    .description('list the copies of homes that a workspace keeps')
    .action((options: WorkspaceOption) =>
      inWorkspace(options.workspace, async ({ dir }) => {
        const found = listCopies(copiesOf(dir));
        const lines = found.map((one) => `${one.id}  ${one.at}  ${one.task ?? ''}  ${lineOf(one)}  ${one.note ?? ''}`);
        context.result({ copies: found }, lines.length === 0 ? 'No copy of a home is kept.' : lines.join('\n'));
      }),
    );
  workspaceOption(copies);
  examples(copies, [
    ['stage copies --workspace W', 'their ids, tasks and sizes; `stage new --from ID` begins with one'],
  ]);

  const remove = stage
    .command('remove-copy <id>')
    .description('remove a copy of a home; files that other copies have too stay')
    .action((id: string, options: WorkspaceOption) =>
      inWorkspace(options.workspace, async ({ dir }) => {
        const root = copiesOf(dir);
        const { id: removed } = findCopy(root, id);
        removeCopy(root, removed);
        context.result({ removed }, `Removed ${removed}.`);
      }),
    );
  workspaceOption(remove);
  examples(remove, [['stage remove-copy 3f --workspace W', 'an id may be shortened']]);
}

const lineOf = ({ files, bytes, newBytes }: HomeCopy): string =>
  `${plural(files, 'file')}, ${sizeWords(bytes)}, ${sizeWords(newBytes)} of them new`;
