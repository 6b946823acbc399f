import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { aidedName } from '../../../core/evaluate/aids.ts';
import { SCALE_NAMES } from '../../../core/evaluate/reading/scale.ts';
import { TABLE_3, TABLE_4, TABLE_4_OFFLINE, TABLE_5, TASK_TABLES, tableOf } from '../../../core/evaluate/tables.ts';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import {
  DEFAULT_OPTIONS,
  EVALUATE_LEVELS,
  type EvaluateLevel,
  type EvaluateOptions,
  type Evaluation,
  evaluateOptionsSchema,
  type Metric,
  type TaskLevel,
} from '../../../schemas/evaluate.ts';
import type { CriticOptions } from '../../datasets/evaluate/critic.ts';
import { type CliContext, examples } from '../context.ts';
import { everySoOften } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { textTable } from '../table.ts';
import { chatOptions, type EndpointOptions, endpointOptions, prices } from './endpoint-options.ts';

type Options = EndpointOptions & {
  truth: string[];
  predictions: string[];
  options?: string[];
  cases?: string;
  critic?: string;
  criticModel?: string;
  criticCache?: string;
  prompts?: string;
  perform?: boolean;
};

/** `evaluate`: scores predictions. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('evaluate')
    .description("score predictions with the papers' metrics; every open choice is a named option of the result")
    .addArgument(new Argument('<level>', 'what is scored').choices(EVALUATE_LEVELS))
    .requiredOption('--truth <files...>', 'what `questions` wrote (the questions, or --truth)')
    .requiredOption('--predictions <files...>', 'lines of {"id", "prediction"}')
    .option('--options <name=value...>', `choices: ${optionNames()}`)
    .option('--cases <file>', 'every case with its score and the reason, one a line')
    .option('--critic <url>', 'an endpoint that judges plans')
    .option('--critic-model <name>', "the critic's model")
    .option('--critic-cache <file>', "where the critic's answers are kept; default: beside the predictions")
    .option('--perform', 'keys: also press them on a virtual display, and compare what the recorder saw (Linux)')
    .option('--prompts <dir>', 'a folder with a critic.txt in place of ours')
    .action(async (level: EvaluateLevel, given: Options) => {
      const options = parseOptions(given.options ?? []);
      const shared = { truth: given.truth, predictions: given.predictions, options, cases: given.cases ?? null };
      if (given.perform === true && level !== 'keys' && level !== 'all')
        throw new StudioError('USAGE', `--perform presses keys: give the level keys or all, not ${level}.`, { level });
      const evaluation =
        level === 'trajectories' || level === 'scenario'
          ? await evaluateWholeTasks(level, shared)
          : await evaluateWithCritic(level, shared, given, context);
      context.result(evaluation, describe(evaluation));
    });
  endpointOptions(command);
  examples(command, [
    ['evaluate click --truth Q.jsonl --predictions P.jsonl', 'Dist and Recall@100'],
    [
      'evaluate click --truth Q.jsonl --predictions P.jsonl --options threshold=50 comparator="<" --json',
      'other choices',
    ],
    [
      'evaluate mid --truth T.jsonl --predictions P.jsonl --critic http://127.0.0.1:8000/v1 --critic-model judge',
      'plans, judged by a model',
    ],
    [
      'evaluate all --truth A.jsonl M.jsonl H.jsonl --predictions P.jsonl --cases C.jsonl',
      'every level, and each case',
    ],
    ['evaluate keys --truth Q.jsonl --predictions P.jsonl --perform', 'pressed on a stage too, and read back'],
    ['evaluate trajectories --truth T.jsonl --predictions P.jsonl', 'WPSR, MATCR, p-ATSR, success, completion, steps'],
  ]);
}

type Shared = { truth: string[]; predictions: string[]; options: EvaluateOptions; cases: string | null };

async function evaluateWholeTasks(level: TaskLevel, shared: Shared): Promise<Evaluation> {
  const { evaluateTasks } = await import('../../datasets/evaluate/run-tasks.ts');
  return untilStopped((signal) => evaluateTasks({ level, ...shared, signal }));
}

async function evaluateWithCritic(
  level: Exclude<EvaluateLevel, 'trajectories' | 'scenario'>,
  shared: Shared,
  given: Options,
  context: CliContext,
): Promise<Evaluation> {
  const { evaluateRun } = await import('../../datasets/evaluate/run.ts');
  const critic = criticOptions(given, context);
  const keys = given.perform === true ? await import('../../play/perform-keys.ts') : null;
  const isTime = everySoOften();
  return untilStopped((signal) =>
    evaluateRun({
      level,
      ...shared,
      prompts: given.prompts ?? null,
      signal,
      critic: critic && { ...critic, signal },
      ...(keys && { perform: keys.keysPerformer({ version: context.version, progress: context.progress, signal }) }),
      onProgress: (done, total, cost) => {
        if (!isTime(done >= total)) return;
        context.progress(`${done} of ${total} scored${critic ? `, cost ${cost.toFixed(4)}` : ''}`);
      },
    }),
  );
}

function criticOptions(given: Options, context: CliContext): CriticOptions | null {
  if (given.critic === undefined && given.criticModel === undefined) return null;
  if (given.critic === undefined || given.criticModel === undefined) {
    throw new StudioError('USAGE', '--critic and --critic-model go together: give the address and the model.', {});
  }
  return {
    ...chatOptions(given.critic, given.criticModel, given, context.progress),
    cache: resolve(given.criticCache ?? `${given.predictions[0]}.critic`),
    prices: prices(given),
    concurrency: given.concurrency,
  };
}

function optionNames(): string {
  return Object.entries(DEFAULT_OPTIONS)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : value}`)
    .join(' ');
}

/** `name=value`, lists with commas. Throws USAGE naming the option and what it takes. */
function parseOptions(list: readonly string[]): EvaluateOptions {
  const given: Record<string, unknown> = {};
  for (const one of list) {
    const [, name, text] = /^([A-Za-z]+)=(.*)$/.exec(one) ?? [];
    const known = Object.entries(DEFAULT_OPTIONS).find(([key]) => key === name)?.[1];
    if (name === undefined || text === undefined || known === undefined) {
      throw new StudioError(
        'USAGE',
        `--options "${one}" is not known. They are, with their defaults: ${optionNames()}.`,
        {
          option: one,
        },
      );
    }
    given[name] = Array.isArray(known) ? text.split(',').map(Number) : typeof known === 'number' ? Number(text) : text;
  }
  const { success, data, error } = evaluateOptionsSchema.safeParse(given);
  if (success) return data;
  const { path, message } = error.issues[0]!; // A failed check has at least one.
  throw new StudioError('USAGE', `--options ${path.join('.')}: ${message}. The defaults: ${optionNames()}.`, {
    option: path.join('.'),
  });
}

/** Overall, then by software and by the number of actions, each as the paper's tables. */
function describe(evaluation: Evaluation): string {
  const { level, counts, rows, reports, critic, model, aid } = evaluation;
  const columns =
    level === 'trajectories' || level === 'scenario'
      ? [TASK_TABLES[level]]
      : [TABLE_3, critic ? TABLE_4 : TABLE_4_OFFLINE, TABLE_5];
  const parts: string[] = [`Scored by rules ${evaluation.rules ?? 1} (core/evaluate/RULES.md).`];
  if (model !== null || aid) {
    const by = aid ? `, elements by ${aid.source}` : '';
    parts.push(`Model: ${aidedName(model ?? 'not named', aid?.kind ?? null)}${by}`);
  }
  const { coordinates } = evaluation;
  if (coordinates) {
    const guess = coordinates.guessed
      ? `, guessed${coordinates.sure ? '' : ' without certainty'} (${coordinates.why}; --options coordinates=… to choose)`
      : '';
    parts.push(`Positions are read as ${SCALE_NAMES[coordinates.scale]}${guess}.`);
  }
  for (const set of columns) {
    const all = rows.map(({ group, name }) => ({
      name: group === 'overall' ? 'all' : `${group} ${name}`,
      group,
      key: name,
    }));
    const tables = all.map(({ name, group, key }) => ({ name, ...tableOf(set, [evaluation], { group, name: key }) }));
    const head = tableOf(set, [evaluation]).columns;
    if (head.length === 0) continue;
    const lines = tables.map(({ name, columns: some, rows: [row] }) => [
      name,
      ...head.map(({ metric }) => cellText(row?.cells[some.findIndex((one) => one.metric === metric)] ?? null)),
    ]);
    parts.push(
      textTable(
        [['', ...head.map(({ name }) => name)], ...lines],
        head.map((_, i) => i + 1),
      ),
    );
  }
  const lacking = rows[0]?.metrics.filter(({ lacks }) => lacks && lacks.length > 0) ?? [];
  for (const { metric, lacks } of lacking) {
    parts.push(`${metric} is a mean without ${lacks?.join(', ')}: these questions ask nothing of it.`);
  }
  parts.push(
    `${plural(counts.cases, 'case')}: ${counts.answered} answered, ${counts.missing} missing (each counts 0), ${counts.unreadable} unreadable, ${counts.refused} refused.`,
  );
  if (evaluation.performed) parts.push(performedText(evaluation.performed));
  if (counts.otherLevel > 0) parts.push(`${plural(counts.otherLevel, 'prediction')} for another level passed over.`);
  if (critic) {
    parts.push(
      `Critic ${critic.model}: ${critic.asked} asked, ${critic.cached} from the cache, ${critic.again} once more, ${critic.unreadable} unreadable; cost ${critic.cost.toFixed(4)}.`,
    );
  }
  const told = reports.filter(({ note }) => note !== 'missing').slice(0, 10);
  if (told.length > 0) {
    parts.push(
      told.map(({ id, line, message }) => `  ${id}${line === null ? '' : ` (line ${line})`}: ${message}`).join('\n'),
    );
  }
  if (evaluation.caseFile !== null) parts.push(`Each case: ${evaluation.caseFile}`);
  return parts.join('\n\n');
}

function performedText({ same, otherwise, not, recall, precision }: NonNullable<Evaluation['performed']>): string {
  const percent = (value: number | null): string => (value === null ? '–' : (value * 100).toFixed(1));
  const lines = [
    `Performed on a stage: ${same} of ${plural(same + otherwise, 'answer')} press what was read of them; recall ${percent(recall)}, precision ${percent(precision)} by what our recorder saw.`,
  ];
  if (otherwise > 0)
    lines.push(`  ${otherwise} pressed other keys than were read: both are shown below, and in --cases.`);
  if (not > 0) lines.push(`  ${plural(not, 'answer')} could not be performed.`);
  return lines.join('\n');
}

/** `60.1 [58.0, 62.2]`, or `–` where nothing was counted. */
function cellText(metric: Metric | null): string {
  if (metric === null || metric.value === null) return '–';
  const digits = metric.unit === '0-5' || metric.unit === 'tau' ? 2 : 1;
  const { interval } = metric;
  const range = interval ? ` [${interval.low.toFixed(digits)}, ${interval.high.toFixed(digits)}]` : '';
  return `${metric.value.toFixed(digits)}${range}`;
}
