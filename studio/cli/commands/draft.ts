import { type Command, Option } from 'commander';
import { partsOfDraft } from '../../../core/agents/draft/draft.ts';
import { plural } from '../../../core/words.ts';
import { DRAFT_KINDS, type DraftHead, type DraftKind } from '../../../schemas/draft.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { PROTOCOLS, type ProtocolName } from '../../../schemas/protocols.ts';
import { askForDrafts, type DraftReport, draftAuthor } from '../../agents/draft/draft.ts';
import { openFields, type ShownForDraft } from '../../agents/draft/subject.ts';
import { refuseUnpriced } from '../../agents/model-head.ts';
import { modelUrl } from '../../models/model.ts';
import { spending } from '../../models/spending.ts';
import { type CliContext, examples } from '../context.ts';
import { inWorkspace } from '../within.ts';
import { type AskedOptions, agreeToSend, askedModel, askedOptions, keyOf, pricesOf } from './endpoint-options.ts';
import { untilEnded } from './on-stage.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption &
  AskedOptions & {
    what: DraftKind[];
    endpoint?: string;
    protocol: ProtocolName;
    model?: string;
    reflect?: string;
    again?: true;
  };

/** `draft`: a model proposes what people would write about the steps of a recording. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('draft')
    .description('ask a model for drafts of names, narrations, thoughts and subtasks; a person takes or rejects each')
    .argument('<recording>', 'its id, or the beginning of it')
    .option('--what <kinds>', `any of ${DRAFT_KINDS.join(', ')}, separated by commas`, parseKinds, [...DRAFT_KINDS])
    .option('--endpoint <url>', 'where the model is asked, such as http://127.0.0.1:8000/v1')
    .addOption(new Option('--protocol <name>', 'what the endpoint speaks').choices(PROTOCOLS).default('openai'))
    .option('--model <name>', 'the model, as the endpoint calls it')
    .option('--reflect <name>', 'a second model there that marks the drafts that it doubts')
    .option('--again', 'ask again what was answered before')
    .action((recording: string, options: Options) => run(recording, options, context));
  askedOptions(command, 'most money; needs the prices');
  workspaceOption(command);
  examples(command, [
    ['draft ID --endpoint http://127.0.0.1:8000/v1 --model my-model --workspace W', 'everything that is open'],
    [
      'draft ID --what names,thoughts --endpoint http://127.0.0.1:8000/v1 --model one --reflect two --workspace W',
      'names and thoughts, those that two doubts marked',
    ],
    ['draft ID --what subtasks --endpoint http://127.0.0.1:8000/v1 --model one --workspace W', 'without any picture'],
  ]);
}

function parseKinds(text: string): DraftKind[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const kinds = DRAFT_KINDS.filter((kind) => names.includes(kind));
  if (kinds.length > 0 && kinds.length === names.length) return kinds;
  throw new StudioError('USAGE', `--what takes any of ${DRAFT_KINDS.join(', ')}, separated by commas.`, {
    option: '--what',
  });
}

async function run(recording: string, options: Options, context: CliContext): Promise<void> {
  const { endpoint, model, protocol, reflect = null, budget = null, maxTokens = null } = options;
  if (endpoint === undefined || model === undefined || model.trim() === '' || reflect?.trim() === '') {
    const option = endpoint === undefined ? '--endpoint' : reflect?.trim() === '' ? '--reflect' : '--model';
    throw new StudioError('USAGE', `${option} is missing. \`draft --help\` shows examples.`, { option });
  }
  modelUrl({ protocol, endpoint, model });
  const prices = pricesOf(options);
  refuseUnpriced({ limits: { rounds: 1, timeMs: null, budget }, prices });
  await untilEnded((signal) =>
    inWorkspace(options.workspace, async (workspace) => {
      const entry = await workspace.resolveRecording(recording);
      const key = keyOf(options.keyEnv, endpoint, context.progress);
      const shown = await openFields(workspace, entry, options.what);
      const head: DraftHead = {
        subject: shown.subject,
        protocol,
        endpoint,
        model,
        reflector: reflect,
        by: draftAuthor(model),
        maxTokens,
        budget,
        prices,
      };
      if (partsOfDraft(shown.subject).length === 0) {
        const nothing = `Nothing of ${options.what.join(', ')} is open in ${entry.id}: it is written, or its drafts were answered.`;
        context.result({ recording: entry.id, how: 'drafted', drafted: 0, asked: 0 }, nothing);
        return;
      }
      sayWhatGoes(shown, head, context);
      await agreeToSend({ budget, prices, yes: options.yes }, context);
      const report = await askForDrafts({
        folder: entry.folder,
        head,
        pictures: shown.pictures,
        model: askedModel(options, key, context.progress),
        spent: spending(prices ?? { input: 0, output: 0 }, budget),
        again: options.again === true,
        progress: context.progress,
        signal,
      });
      if (report.how !== 'drafted') context.setStatus(1);
      context.result(report, textOf(report));
    }),
  );
}

/** What goes to whom is said before the first request; agreeing to a price is not agreeing to a disclosure. */
function sayWhatGoes(
  { subject, pictures }: ShownForDraft,
  { endpoint, model, reflector }: DraftHead,
  context: CliContext,
) {
  const parts = partsOfDraft(subject).length;
  const most = 2 * parts * (reflector === null ? 1 : 2);
  const whom = reflector === null || reflector === model ? model : `${model}, ${reflector}`;
  const screens = pictures.size === 0 ? 'no picture' : `${plural(pictures.size, 'picture')} of the whole screen`;
  context.progress(
    `To ${new URL(endpoint).origin} (${whom}) go: ${screens}, the task's goal, the software's name, and steps in words with what was typed and what people named, in at most ${plural(most, 'request')}. Steps that were removed are left out.`,
  );
}

function textOf({
  recording,
  how,
  why,
  by,
  drafted,
  doubted,
  unknown,
  asked,
  kept,
  refused,
  cost,
}: DraftReport): string {
  return [
    `${recording}: ${plural(drafted, 'draft')} by ${by}${doubted > 0 ? `, ${doubted} of them doubted` : ''}${unknown > 0 ? `; of ${plural(unknown, 'field')} it cannot tell` : ''}`,
    ...(how === 'drafted' ? [] : [`  not all was asked (${how}: ${why}). The same command goes on from here.`]),
    ...refused.map((one) => `  refused: ${one}`),
    `  ${plural(asked, 'request')}, ${plural(kept, 'answer')} kept from before; cost: ${cost === null ? 'not known' : cost.toFixed(4)}`,
    '  A person takes or rejects each on the annotation page; `drafts` lists them.',
  ].join('\n');
}
