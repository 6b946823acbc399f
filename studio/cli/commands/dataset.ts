import type { Command } from 'commander';
import { matcher } from '../../../core/curate/filter.ts';
import { plural } from '../../../core/words.ts';
import { filterFields, datasetForms as forms } from '../../../schemas/api/dataset-commands.ts';
import { datasets } from '../../../schemas/api/datasets.ts';
import type { Job } from '../../../schemas/api/models.ts';
import {
  type DataRow,
  type DatasetFilter,
  type DatasetStatistics,
  type DatasetVersion,
  type Duplicates,
  type Leak,
  type SplitPlan,
  type SplitRule,
  splitRuleSchema,
} from '../../../schemas/dataset.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Call } from '../calls.ts';
import { type CliContext, examples } from '../context.ts';
import { followJob } from '../follow.ts';
import { composer, mirror } from '../mirror.ts';
import { parseList } from '../values.ts';
import { showTerms } from './dataset-terms.ts';
import { comparisonText, duplicatesText, leakLine, rowsText, statisticsText, versionsText } from './dataset-text.ts';

const handlers = async () => ({
  ...(await import('../../api/routes/datasets.ts')).datasetRoutes,
  ...(await import('../../api/routes/jobs.ts')).jobRoutes,
});

/** `dataset`: choose a data set, split it, freeze versions of it. */
export function register(program: Command, context: CliContext): void {
  const group = program.command('dataset').description('choose a data set: filter, tag, split, freeze versions');
  examples(group, [
    ['dataset rows --workspace W --state approved', 'what is approved'],
    ['dataset freeze --workspace W --name v1.0 --state approved', 'freeze it, to be cited and exported again'],
  ]);
  const add = mirror({ contract: { dataset: datasets }, handlers }, context);
  const compose = composer(handlers, context);

  compose(group, forms.rows, async ({ call, input }) => {
    const rows = await found(call, filterOf(input), context);
    context.result({ rows }, rowsText(rows));
  });

  compose(group, forms.tag, async ({ call, input }) => {
    const { add: some = [], remove = [] } = input;
    if (some.length + remove.length === 0)
      throw new StudioError('USAGE', 'Say what to do: --add TAGS, --remove TAGS.', {});
    const recordings = (await found(call, filterOf(input), context)).map(({ recording }) => recording);
    if (recordings.length > 0) await call(['dataset', 'tag'], { recordings, add: some, remove });
    context.result({ recordings }, `Tagged ${plural(recordings.length, 'recording')}.`);
  });

  compose(group, forms.duplicates, async ({ call, input: { goals, screens, ...rest } }) => {
    const wishes = { filter: filterOf(rest), goals, screens };
    await followJob(call, { begin: () => call(['dataset', 'findDuplicates'], { wishes }), report: reports(context) });
    const duplicates = (await call(['dataset', 'duplicates'], {})) as Duplicates; // The contract says so.
    context.result(duplicates, duplicatesText(duplicates));
  });

  compose(group, forms.split, async ({ call, input }) => {
    const { into, shares, dryRun } = input;
    if ((into === undefined) === (shares === undefined)) {
      throw new StudioError('USAGE', 'Say how to split: --into SPLIT by hand, or --shares train=8,test=2 by rule.', {});
    }
    const rule = shares === undefined ? null : ruleOf(shares, input);
    const filter = filterOf(input);
    const rows = await found(call, filter, context);
    if (rule === null) {
      const tasks = [...new Set(rows.map(({ task }) => task))];
      const split = into === undefined || into === 'none' ? null : into;
      if (tasks.length > 0) await call(['dataset', 'split'], { tasks, split });
      const where = split === null ? 'now in no split' : `now in ${split}`;
      context.result({ tasks, split }, `${plural(tasks.length, 'task')} ${where}.`);
      return;
    }
    const plan = (await call(['dataset', dryRun ? 'planSplit' : 'applySplit'], { rule, filter })) as SplitPlan;
    const lines = [
      ...plan.shares.map(
        ({ software, split, tasks, recordings }) =>
          `${software}  ${split}: ${plural(tasks, 'task')}, ${plural(recordings, 'recording')}`,
      ),
      ...plan.torn.map((tasks) => `near duplicates in different splits by hand: ${tasks.join(', ')}`),
      `${plural(plan.assigned.length, 'task')} ${dryRun ? 'would change' : 'changed'}.`,
    ];
    context.result(plan, lines.join('\n'));
  });

  compose(
    group,
    forms.leaks,
    async ({ call, input: { goals, screens, version, ...rest } }) => {
      const filter = filterOf(rest);
      if (version === undefined) await found(call, filter, context);
      const answer = await call(['dataset', 'leaks'], { filter, goals, screens, version, look: true });
      const { leaks, screensUnseen } = answer as { leaks: Leak[]; screensUnseen: number }; // The contract says so.
      const unseen =
        screensUnseen > 0 ? [`Screens of ${plural(screensUnseen, 'recording')} could not be looked at.`] : [];
      const sum = leaks.length === 0 ? 'Nothing leaks.' : `${plural(leaks.length, 'leak')}.`;
      context.result({ leaks, screensUnseen }, [...leaks.map(leakLine), ...unseen, sum].join('\n'));
      if (leaks.length > 0) context.setStatus(10);
    },
    // Every screen is looked at, which may take longer than one request may.
    { own: true },
  );

  compose(group, forms.freeze, async ({ call, input, values }) => {
    const { name, changelog, recordings, again } = input;
    const wishes = { name, changelog, recordings, again, filter: filterOf(input) };
    await followJob(call, { begin: () => call(['dataset', 'freeze'], wishes), report: reports(context) });
    const { versions } = (await call(['dataset', 'versions'], {})) as { versions: DatasetVersion[] }; // The contract says so.
    const info = versions.find((version) => version.name === name)!; // It was frozen just now.
    const inVersion = { version: name, goals: 1, screens: null };
    const { leaks } = (await call(['dataset', 'leaks'], inVersion)) as { leaks: Leak[] }; // The contract says so.
    for (const leak of leaks)
      if (leak.kind === 'family') context.progress(`warning: it has splits that share tasks: ${leakLine(leak)}`);
    const { tasks, recordings: all, actions } = info.counts;
    context.result(
      info,
      `Froze ${name}: ${plural(tasks, 'task')}, ${plural(all, 'recording')}, ${plural(actions, 'action')}.\n  hash: ${info.hash}\nExport it: npm run studio -- export FORMAT --version ${name} --workspace ${values.workspace} --out DIR`,
    );
  });

  compose(group, forms.terms, ({ call, input }) => showTerms(call, input, context));
  add(group, ['dataset', 'versions'], { json: (answer) => answer, text: versionsText });
  add(group, ['dataset', 'compare'], { json: (comparison) => comparison, text: comparisonText });

  compose(group, forms.stats, async ({ call, input: { version, ...rest } }) => {
    const filter = filterOf(rest);
    const source = version === undefined ? { kind: 'filter', filter } : { kind: 'version', name: version };
    if (version === undefined) await found(call, filter, context);
    const statistics = (await call(['dataset', 'statistics'], { source })) as DatasetStatistics; // The contract says so.
    context.result(statistics, statisticsText(statistics));
  });
}

const filterOf = (input: object): DatasetFilter =>
  Object.fromEntries(Object.entries(input).filter(([field]) => Object.hasOwn(filterFields, field)));

/** Says how far work is: a line for each tenth of each of its parts. */
function reports(context: CliContext): (share: number, message: string) => void {
  let said = '';
  return (share, message) => {
    const text = `${Math.floor(share * 10)} ${message.replace(/[ \d].*/, '')}`;
    if (text !== said) context.progress(`${Math.floor(share * 100)} % ${message}`);
    said = text;
  };
}

/** The rows that fit, when all are counted. */
async function found(call: Call, filter: DatasetFilter, context: CliContext): Promise<DataRow[]> {
  const report = reports(context);
  for (;;) {
    const { rows, uncounted } = (await call(['dataset', 'rows'], {})) as { rows: DataRow[]; uncounted: number };
    if (uncounted === 0) return rows.filter(matcher(filter));
    const begin = async () => {
      const jobs = (await call(['jobs', 'list'], {})) as Job[]; // The contract says so, as for the rows.
      return jobs.find(({ kind, state }) => kind === 'count' && ['waiting', 'running'].includes(state)) ?? null;
    };
    await followJob(call, { begin, report, stops: false });
  }
}

function ruleOf(shares: string, { seed, apart, again }: { seed: string; apart: boolean; again: boolean }): SplitRule {
  const parts = parseList(shares).map((part) => {
    const [split = '', share = ''] = part.split('=').map((text) => text.trim());
    return { split, share: Number(share) };
  });
  const { success, data, error } = splitRuleSchema.safeParse({
    shares: parts,
    seed,
    keepDuplicatesTogether: !apart,
    again,
  });
  if (success) return data;
  throw new StudioError(
    'USAGE',
    `--shares "${shares}" cannot be taken: ${error.issues[0]?.message ?? 'it does not fit'}. It takes splits with their shares, such as train=8,validation=1,test=1.`,
    { option: '--shares' },
  );
}
