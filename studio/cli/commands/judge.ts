import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { PANEL_LIMITS } from '../../../schemas/limits.ts';
import { PROTOCOLS, type ProtocolName } from '../../../schemas/protocols.ts';
import type { PanelReport } from '../../agents/judge/judge.ts';
import {
  askAboutAll,
  type PanelAsked,
  refusePanel,
  sentOf,
  subjectsOf,
  wantedEntries,
} from '../../agents/judge/many.ts';
import type { Subject } from '../../agents/judge/subject.ts';
import { type CliContext, examples } from '../context.ts';
import { parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type AskedOptions, agreeToSend, askedModel, askedOptions, keyOf, pricesOf } from './endpoint-options.ts';
import { untilEnded } from './on-stage.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption &
  AskedOptions & {
    endpoint?: string;
    protocol: ProtocolName;
    model?: string[];
    prompts: number;
    pictures: number;
    labelled?: true;
    again?: true;
  };

/** `judge`: models say whether the task of a run, a play or a demonstration came out. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('judge')
    .description(
      'ask models whether the task of a run, a play or a demonstration came out; what they say proves nothing',
    )
    .argument('[recordings...]', 'ids, or their beginnings')
    .option('--labelled', 'also those of which verify or reviews say what came out, to learn what the judges are worth')
    .option('--endpoint <url>', 'where the models are asked, such as http://127.0.0.1:8000/v1')
    .addOption(new Option('--protocol <name>', 'what the endpoint speaks').choices(PROTOCOLS).default('openai'))
    .option('--model <names>', 'the models, as the endpoint calls them, separated by commas', parseModels)
    .option(
      '--prompts <n>',
      'wordings that each model is asked with',
      (text) => parseWhole('--prompts', text, 1, PANEL_LIMITS.prompts),
      2,
    )
    .option(
      '--pictures <n>',
      'most pictures of a recording',
      (text) => parseWhole('--pictures', text, 1, PANEL_LIMITS.pictures),
      100,
    )
    .option('--again', 'ask again what was answered before')
    .action((recordings: string[], options: Options) => run(recordings, options, context));
  askedOptions(command, 'most money for all recordings; needs the prices');
  workspaceOption(command);
  examples(command, [
    ['judge RUN --endpoint http://127.0.0.1:8000/v1 --model my-model --prompts 2 --workspace W', 'one run, twice'],
    [
      'judge --labelled --endpoint http://127.0.0.1:8000/v1 --model one,two --workspace W',
      'learn what two models are worth as judges here; `judgements` prints it',
    ],
    [
      'judge RUN --protocol anthropic --endpoint https://HOST/v1 --model NAME --key-env KEY --price-in 3 --price-out 15 --budget 1 --workspace W',
      'a hosted one, for at most 1',
    ],
  ]);
}

function parseModels(text: string): string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length > 0 && names.length <= PANEL_LIMITS.models) return names;
  throw new StudioError('USAGE', '--model takes one to eight names, separated by commas.', {});
}

async function run(named: readonly string[], options: Options, context: CliContext): Promise<void> {
  const { endpoint, model: models, protocol, prompts, budget = null, maxTokens = null } = options;
  for (const [name, value] of [['--endpoint', endpoint] as const, ['--model', models] as const])
    if (value === undefined)
      throw new StudioError('USAGE', `${name} is missing. \`judge --help\` shows examples.`, { option: name });
  if (endpoint === undefined || models === undefined) return; // As said above.
  const panel = { protocol, endpoint, models, prompts, maxTokens, budget, prices: pricesOf(options) };
  refusePanel(panel);
  await untilEnded((signal) =>
    inWorkspace(options.workspace, async (workspace) => {
      const entries = await wantedEntries(workspace, { recordings: named, labelled: options.labelled === true });
      const key = keyOf(options.keyEnv, endpoint, context.progress);
      const subjects = await subjectsOf(workspace, entries, { pictures: options.pictures, signal });
      await sayWhatGoes(subjects, panel, options, context);
      const judged = await askAboutAll({
        workspace,
        subjects,
        panel,
        model: askedModel(options, key, context.progress),
        again: options.again === true,
        onNext: (_, id) => context.progress(`${id} …`),
        progress: context.progress,
        signal,
      });
      if (judged.length < subjects.length || judged.some(({ how }) => how !== 'judged')) context.setStatus(1);
      context.result({ judged, left: subjects.length - judged.length }, textOf(judged, subjects.length));
    }),
  );
}

/** What goes to whom is said before the first request; agreeing to a price is not agreeing to a disclosure. */
async function sayWhatGoes(
  subjects: readonly Subject[],
  panel: PanelAsked,
  options: Options,
  context: CliContext,
): Promise<void> {
  const { endpoint, models, budget, prices } = panel;
  const { shown, all, requests } = sentOf(subjects, panel);
  const of = all > shown ? ` of ${all}` : '';
  context.progress(
    `To ${new URL(endpoint).origin} (${models.join(', ')}) go: ${shown}${of} pictures of the whole screen of ${plural(subjects.length, 'recording')}, the task's goal, the software's name, every step in words with what was typed, and a run's last words, in at most ${plural(requests, 'request')}. Steps that were removed are left out.`,
  );
  await agreeToSend({ budget, prices, yes: options.yes }, context);
}

function textOf(judged: readonly PanelReport[], of: number): string {
  const lines = judged.flatMap(({ recording, verdict, how, why, judges, asked, kept, refused, cost }) => [
    `${recording}: ${verdict === null ? `no verdict (${how}: ${why})` : `the judges say: ${verdict}`}`,
    ...judges.map(
      ({ judge: { model, prompt }, opinion }) =>
        `  ${model}, wording ${prompt}: ${opinion ? `${opinion.outcome}. ${opinion.why}` : 'no answer that could be read'}`,
    ),
    ...refused.map((one) => `  refused: ${one}`),
    `  ${plural(asked, 'request')}, ${plural(kept, 'answer')} kept from before; cost: ${cost === null ? 'not known' : cost.toFixed(4)}`,
  ]);
  if (judged.length < of) lines.push(`Not judged: ${plural(of - judged.length, 'recording')}.`);
  lines.push('This is what models say, and proves nothing. `judgements` prints what these judges are worth here.');
  return lines.join('\n');
}
