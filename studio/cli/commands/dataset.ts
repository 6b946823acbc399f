import type { Command } from 'commander';
import type { DatasetFilter } from '../../../schemas/dataset.ts';
import { duplicateWishesSchema, type SplitRule, splitRuleSchema } from '../../../schemas/dataset.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { inWorkspace } from '../within.ts';
import { type FilterOptions, filterOf, filterOptions, list } from './dataset-options.ts';
import { comparisonText, leakLine, rowsText, statisticsText } from './dataset-text.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption & FilterOptions;
type Tools = { signal: AbortSignal; report(share: number, message: string): void };
type Run<O> = (workspace: Workspace, options: O, tools: Tools) => Promise<void>;

/** `dataset`: choose a data set, split it, freeze versions of it. */
export function register(program: Command, context: CliContext): void {
  const dataset = program.command('dataset').description('choose a data set: filter, tag, split, freeze versions');
  const add = <O extends WorkspaceOption>(usage: string, what: string, run: Run<O>): Command =>
    workspaceOption(
      dataset
        .command(usage)
        .description(what)
        .action((options: O) => within(options, context, run)),
    );

  const rows = add<Options>('rows', 'list the recordings that fit', (w, o, t) => listRows(w, o, t, context));
  examples(filterOptions(rows), [
    ['dataset rows --workspace W --state approved --steps 3-20', 'short approved recordings'],
    ['dataset rows --workspace W --split none --json', 'what is in no split, for a script'],
  ]);

  const tag = add<Options & { add?: string[]; remove?: string[] }>(
    'tag',
    'add and remove tags of those that fit',
    (w, o, t) => tagRows(w, o, t, context),
  )
    .option('--add <tags>', 'tags to add', list)
    .option('--remove <tags>', 'tags to remove', list);
  examples(filterOptions(tag), [['dataset tag --workspace W --app gimp --add pilot', 'tag all of GIMP']]);

  const duplicates = add<Options & { goals: string; screens: string }>(
    'duplicates',
    'search near-duplicate tasks and screens',
    (w, o, t) => searchDuplicates(w, o, t, context),
  )
    .option('--goals <least>', 'least similarity of goals, 0.3 to 1', '0.8')
    .option('--screens <most>', 'most differing bits of 256, 0 to 32; no: leave screens out', '6');
  examples(filterOptions(duplicates), [['dataset duplicates --workspace W --screens no', 'tasks alone, in a moment']]);

  const split = add<Options & SplitOptions>('split', 'put tasks into splits, by hand or by a rule', (w, o, t) =>
    splitTasks(w, o, t, context),
  )
    .option('--into <split>', 'by hand: this split; none: out of any')
    .option('--shares <list>', 'by rule: such as train=8,validation=1,test=1')
    .option('--seed <text>', 'by rule: the same seed gives the same splits', '1')
    .option('--apart', 'by rule: near-duplicate tasks may come into different splits')
    .option('--again', 'by rule: deal those anew that have a split')
    .option('--dry-run', 'by rule: only say what would be');
  examples(filterOptions(split), [
    [
      'dataset split --workspace W --shares train=8,validation=1,test=1',
      'what has no split yet, each software by itself',
    ],
    ['dataset split --workspace W --into test --task PPT_1,PPT_2', 'these two by hand'],
  ]);

  const leaks = add<Options & { goals: string; screens: string }>('leaks', 'what stands in two splits', (w, o, t) =>
    checkLeaks(w, o, t, context),
  )
    .option('--goals <least>', 'least similarity of goals, 0.3 to 1', '0.8')
    .option('--screens <most>', 'most differing bits of 256, 0 to 32; no: leave screens out', '6');
  examples(filterOptions(leaks), [
    ['dataset leaks --workspace W', 'goals and screens; status 10 when something leaks'],
  ]);

  const freeze = add<Options & { name: string; changelog: string }>(
    'freeze',
    'freeze those that fit as a version',
    (w, o, t) => freezeRows(w, o, t, context),
  )
    .requiredOption('--name <name>', 'such as v1.0')
    .option('--changelog <text>', 'what is in it, what is new', '');
  examples(filterOptions(freeze), [
    ['dataset freeze --workspace W --name v1.0 --state approved --changelog "The first"', 'everything approved'],
  ]);

  const versions = add<WorkspaceOption>('versions', 'list frozen versions', (w) => listFrozen(w, context));
  examples(versions, [['dataset versions --workspace W', 'the newest first']]);

  const compare = dataset
    .command('compare <from> <to>')
    .description('what changed between two versions')
    .action((from: string, to: string, options: WorkspaceOption) =>
      within(options, context, async (workspace) => {
        const { compareVersions } = await import('../../datasets/versions.ts');
        const comparison = await compareVersions(workspace, from, to);
        context.result(comparison, comparisonText(comparison));
      }),
    );
  examples(workspaceOption(compare), [['dataset compare v1.0 v1.1 --workspace W', 'tasks, recordings and steps']]);

  const stats = add<Options & { version?: string }>('stats', 'the figures that the paper shows', (w, o, t) =>
    figures(w, o, t, context),
  ).option('--version <name>', 'of a frozen version');
  examples(filterOptions(stats), [
    ['dataset stats --workspace W --state approved', 'of what is approved now'],
    ['dataset stats --workspace W --version v1.0 --json', 'of a version, with every value for plots'],
  ]);
}

async function within<O extends WorkspaceOption>(options: O, context: CliContext, run: Run<O>): Promise<void> {
  let said = '';
  const report = (share: number, message: string): void => {
    const text = `${Math.floor(share * 10) * 10} % ${message.replace(/ .*/, '')}`;
    if (text !== said) context.progress(`${Math.floor(share * 100)} % ${message}`);
    said = text;
  };
  await inWorkspace(options.workspace, (workspace) =>
    untilStopped((signal) => run(workspace, options, { signal, report })),
  );
}

async function found(workspace: Workspace, filter: DatasetFilter, { signal, report }: Tools) {
  const [{ datasetRows }, { filterRows }] = await Promise.all([
    import('../../datasets/rows.ts'),
    import('../../../core/curate/filter.ts'),
  ]);
  await workspace.syncIndex();
  const { rows } = await datasetRows(workspace, {
    signal,
    report: (done, all) => report(done / all, `counting recordings (${done} of ${all})`),
  });
  return filterRows(rows, filter);
}

async function listRows(workspace: Workspace, options: Options, tools: Tools, context: CliContext): Promise<void> {
  const rows = await found(workspace, filterOf(options), tools);
  context.result({ rows }, rowsText(rows));
}

async function tagRows(
  workspace: Workspace,
  options: Options & { add?: string[]; remove?: string[] },
  tools: Tools,
  context: CliContext,
): Promise<void> {
  const { add = [], remove = [] } = options;
  if (add.length + remove.length === 0)
    throw new StudioError('USAGE', 'Say what to do: --add TAGS, --remove TAGS.', {});
  const { tagRecordings } = await import('../../datasets/tags.ts');
  const recordings = (await found(workspace, filterOf(options), tools)).map(({ recording }) => recording);
  await tagRecordings(workspace, { recordings, add, remove });
  context.result({ recordings }, `Tagged ${recordings.length} recordings.`);
}

async function searchDuplicates(
  workspace: Workspace,
  options: Options & { goals: string; screens: string },
  tools: Tools,
  context: CliContext,
): Promise<void> {
  const { findDuplicates } = await import('../../datasets/duplicates.ts');
  const wishes = { filter: filterOf(options), ...limitsOf(options) };
  const duplicates = await findDuplicates(workspace, wishes, tools);
  const mark = ({ dismissed }: { dismissed: boolean }): string => (dismissed ? ' (dismissed)' : '');
  const lines = [
    ...duplicates.goals.flatMap((group) => [
      `tasks ${group.id}${mark(group)}: keep ${group.members[0]?.task}`,
      ...group.members.map(({ task, goal, similarity }) => `  ${task} ${similarity.toFixed(2)} ${goal}`),
    ]),
    ...duplicates.screens.map(
      (group) =>
        `screens ${group.id}${mark(group)}: ${group.members.length} in ${group.tasks} tasks${group.exact ? ', equal' : ''}: ${[...new Set(group.members.map(({ task }) => task))].join(', ')}`,
    ),
    ...duplicates.skipped.map(({ recording, reason }) => `not looked at: ${recording}: ${reason}`),
    `${duplicates.goals.length} groups of tasks, ${duplicates.screens.length} of screens.`,
  ];
  context.result(duplicates, lines.join('\n'));
}

/** Throws USAGE. */
function limitsOf({ goals, screens }: { goals: string; screens: string }): { goals: number; screens: number | null } {
  const parsed = duplicateWishesSchema.safeParse({
    goals: Number(goals),
    screens: screens === 'no' ? null : Number(screens),
  });
  if (parsed.success) return { goals: parsed.data.goals, screens: parsed.data.screens };
  const issue = parsed.error.issues[0];
  const option = String(issue?.path[0] ?? '');
  throw new StudioError('USAGE', `--${option} cannot be taken: ${issue?.message ?? 'it does not fit'}.`, { option });
}

type SplitOptions = {
  into?: string;
  shares?: string;
  seed: string;
  apart?: boolean;
  again?: boolean;
  dryRun?: boolean;
};

async function splitTasks(
  workspace: Workspace,
  options: Options & SplitOptions,
  tools: Tools,
  context: CliContext,
): Promise<void> {
  const { into, shares, dryRun } = options;
  if ((into === undefined) === (shares === undefined)) {
    throw new StudioError('USAGE', 'Say how to split: --into SPLIT by hand, or --shares train=8,test=2 by rule.', {});
  }
  const filter = filterOf(options);
  const rows = await found(workspace, filter, tools);
  if (into !== undefined) {
    const { assignSplits } = await import('../../datasets/tags.ts');
    const tasks = [...new Set(rows.map(({ task }) => task))];
    const split = into === 'none' ? null : into;
    await assignSplits(
      workspace,
      tasks.map((task) => ({ task, split })),
      'hand',
    );
    context.result(
      { tasks, split },
      `${tasks.length} tasks ${split === null ? 'are in no split' : `are in ${split}`}.`,
    );
    return;
  }
  const { applySplit, planSplit } = await import('../../datasets/splits.ts');
  const plan = await (dryRun ? planSplit : applySplit)(workspace, ruleOf(options), filter);
  const lines = [
    ...plan.shares.map(
      ({ software, split, tasks, recordings }) => `${software}  ${split}: ${tasks} tasks, ${recordings} recordings`,
    ),
    ...plan.torn.map((tasks) => `near duplicates in different splits by hand: ${tasks.join(', ')}`),
    `${plan.assigned.length} tasks ${dryRun ? 'would change' : 'changed'}.`,
  ];
  context.result(plan, lines.join('\n'));
}

function ruleOf({ shares = '', seed, apart, again }: SplitOptions): SplitRule {
  const parts = list(shares).map((part) => {
    const [split = '', share = ''] = part.split('=').map((text) => text.trim());
    return { split, share: Number(share) };
  });
  const parsed = splitRuleSchema.safeParse({
    shares: parts,
    seed,
    keepDuplicatesTogether: apart !== true,
    again: again === true,
  });
  if (parsed.success) return parsed.data;
  throw new StudioError(
    'USAGE',
    `--shares "${shares}" cannot be taken: ${parsed.error.issues[0]?.message ?? 'it does not fit'}. It takes splits with their shares, such as train=8,validation=1,test=1.`,
    { option: '--shares' },
  );
}

async function checkLeaks(
  workspace: Workspace,
  options: Options & { goals: string; screens: string },
  tools: Tools,
  context: CliContext,
): Promise<void> {
  const { leaksOf } = await import('../../datasets/splits.ts');
  const limits = { filter: filterOf(options), ...limitsOf(options) };
  await workspace.syncIndex();
  const { leaks, screensUnseen } = await leaksOf(workspace, limits, { signal: tools.signal, look: true });
  const unseen = screensUnseen > 0 ? [`Screens of ${screensUnseen} recordings could not be looked at.`] : [];
  const lines = [...leaks.map(leakLine), ...unseen, leaks.length === 0 ? 'Nothing leaks.' : `${leaks.length} leaks.`];
  context.result({ leaks, screensUnseen }, lines.join('\n'));
  if (leaks.length > 0) context.setStatus(10);
}

async function freezeRows(
  workspace: Workspace,
  options: Options & { name: string; changelog: string },
  tools: Tools,
  context: CliContext,
): Promise<void> {
  const { freezeVersion } = await import('../../datasets/freeze.ts');
  const { name, changelog } = options;
  const wishes = { name, changelog, filter: filterOf(options) };
  const info = await freezeVersion(workspace, wishes, { toolVersion: context.version, ...tools });
  const { tasks, recordings, actions } = info.counts;
  context.result(
    info,
    `Froze ${info.name}: ${tasks} tasks, ${recordings} recordings, ${actions} actions.\n  hash: ${info.hash}\nExport it: npm run studio -- export FORMAT --version ${info.name} --workspace ${options.workspace} --out DIR`,
  );
}

async function listFrozen(workspace: Workspace, context: CliContext): Promise<void> {
  const { listVersions } = await import('../../datasets/versions.ts');
  const { versions, unreadable } = listVersions(workspace);
  const lines = [
    ...versions.map(
      ({ name, createdAt, counts, hash, changelog }) =>
        `${name}  ${createdAt.slice(0, 10)}  ${counts.tasks} tasks, ${counts.recordings} recordings, ${counts.actions} actions  ${hash.slice(0, 12)}${changelog ? `\n  ${changelog.replaceAll('\n', '\n  ')}` : ''}`,
    ),
    ...unreadable.map(({ name, message }) => `${name} cannot be read: ${message}`),
  ];
  context.result({ versions, unreadable }, lines.join('\n') || 'No versions yet.');
}

async function figures(
  workspace: Workspace,
  options: Options & { version?: string },
  { signal, report }: Tools,
  context: CliContext,
): Promise<void> {
  const { statisticsOf } = await import('../../datasets/statistics.ts');
  const { version } = options;
  await workspace.syncIndex();
  const statistics = await statisticsOf(
    workspace,
    version === undefined ? { kind: 'filter', filter: filterOf(options) } : { kind: 'version', name: version },
    { signal, report: (done, all) => report(done / all, `counting recordings (${done} of ${all})`) },
  );
  context.result(statistics, statisticsText(statistics));
}
