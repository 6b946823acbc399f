import { type Command, Option } from 'commander';
import { mostCandidateRequests } from '../../../core/agents/candidates/ask.ts';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { MOST_CANDIDATES } from '../../../schemas/limits.ts';
import { PROTOCOLS, type ProtocolName } from '../../../schemas/protocols.ts';
import { type CoordinateScale, SCALES } from '../../../schemas/scales.ts';
import type { CandidateHead } from '../../../schemas/step-candidates.ts';
import type { CandidateReport } from '../../agents/candidates/ask.ts';
import { type CandidatesAsked, refuseCandidates, sampleRecording } from '../../agents/candidates/sample.ts';
import { candidateSubjectOf, type ShownForCandidates } from '../../agents/candidates/subject.ts';
import { type CliContext, examples } from '../context.ts';
import { parseNumber, parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type AskedOptions, agreeToSend, askedModel, askedOptions, keyOf, pricesOf } from './endpoint-options.ts';
import { untilEnded } from './on-stage.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption &
  AskedOptions & {
    endpoint?: string;
    protocol: ProtocolName;
    model?: string;
    candidates: number;
    steps?: number[];
    temperature: number;
    coordinates?: CoordinateScale;
    judge?: string;
    again?: true;
  };

/** `sample`: a model answers several times what it would do at each step of a recording. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('sample')
    .description('ask a model several times for each step of a recording: candidates for reinforcement fine-tuning')
    .argument('<recording>', 'its id, or the beginning of it')
    .option('--endpoint <url>', 'where the model is asked, such as http://127.0.0.1:8000/v1')
    .addOption(new Option('--protocol <name>', 'what the endpoint speaks').choices(PROTOCOLS).default('openai'))
    .option('--model <name>', 'the model, as the endpoint calls it')
    .option(
      '--candidates <n>',
      'answers to each step',
      (text) => parseWhole('--candidates', text, 1, MOST_CANDIDATES),
      16,
    )
    .option('--steps <numbers>', 'only these steps, such as 2,5-7; all when left out', parseSteps)
    .option('--temperature <n>', 'how freely it answers, 0 to 2', (text) => parseNumber('--temperature', text, 0, 2), 1)
    .addOption(
      new Option('--coordinates <unit>', 'what places count, where the form of an answer does not say').choices(SCALES),
    )
    .option('--judge <name>', 'a model there that says of each candidate whether it is right')
    .option('--again', 'ask again what was answered before')
    .action((recording: string, options: Options) => run(recording, options, context));
  askedOptions(command, 'most money; needs the prices');
  workspaceOption(command);
  examples(command, [
    ['sample ID --endpoint http://127.0.0.1:8000/v1 --model my-model --workspace W', 'sixteen answers to each step'],
    [
      'sample ID --steps 2-4 --candidates 8 --endpoint http://127.0.0.1:8000/v1 --model one --judge two --workspace W',
      'three steps, and what a judge says of the answers',
    ],
    ['export ms-swift --workspace W --out rft --all --parts candidates,pairs', 'with their rewards, for GRPO and DPO'],
  ]);
}

/** More steps than any recording has. */
const MOST_STEP = 1_000_000;
/** A list of more is no choice. */
const MOST_CHOSEN = 20_000;

function parseSteps(text: string): number[] {
  const wrong = (): StudioError =>
    new StudioError('USAGE', '--steps takes numbers of steps and ranges of them, such as 2,5-7.', {
      option: '--steps',
    });
  const numbers = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s{0,9}(\d{1,7})(?:-(\d{1,7}))?\s{0,9}$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === undefined || first < 1 || last < first || last > MOST_STEP || last - first >= MOST_CHOSEN)
      throw wrong();
    for (let n = first; n <= last; n++) numbers.add(n);
    if (numbers.size > MOST_CHOSEN) throw wrong();
  }
  return [...numbers];
}

async function run(recording: string, options: Options, context: CliContext): Promise<void> {
  const { endpoint, model, protocol, judge = null, budget = null, maxTokens = null } = options;
  if (endpoint === undefined || model === undefined || model.trim() === '' || judge?.trim() === '') {
    const option = endpoint === undefined ? '--endpoint' : judge?.trim() === '' ? '--judge' : '--model';
    throw new StudioError('USAGE', `${option} is missing. \`sample --help\` shows examples.`, { option });
  }
  const asked: CandidatesAsked = {
    protocol,
    endpoint,
    model,
    judge,
    each: options.candidates,
    temperature: options.temperature,
    coordinates: options.coordinates ?? null,
    maxTokens,
    budget,
    prices: pricesOf(options),
  };
  refuseCandidates(asked);
  await untilEnded((signal) =>
    inWorkspace(options.workspace, async (workspace) => {
      const entry = await workspace.resolveRecording(recording);
      const key = keyOf(options.keyEnv, endpoint, context.progress);
      const shown = await candidateSubjectOf(workspace, entry, options.steps ?? null);
      sayWhatGoes(shown, { subject: shown.subject, ...asked }, context);
      await agreeToSend({ budget, prices: asked.prices, yes: options.yes }, context);
      const report = await sampleRecording({
        folder: entry.folder,
        shown,
        asked,
        model: askedModel(options, key, context.progress),
        again: options.again === true,
        progress: (done, of) => void (done % 10 === 0 && context.progress(`${done} of ${of} candidates`)),
        signal,
      });
      if (report.how !== 'sampled') context.setStatus(1);
      context.result({ ...report, leftOut: shown.leftOut }, textOf(report, shown.leftOut));
    }),
  );
}

/** The person is told before the first request what goes to whom; agreeing to a price is not agreeing to a disclosure. */
function sayWhatGoes({ pictures }: ShownForCandidates, head: CandidateHead, context: CliContext): void {
  const { endpoint, model, judge } = head;
  const whom = judge === null || judge === model ? model : `${model}, ${judge}`;
  context.progress(
    `To ${new URL(endpoint).origin} (${whom}) go: ${plural(pictures.size, 'picture')} of the whole screen, the task's goal, the software's name, and the steps before each in words with what was typed, in at most ${plural(mostCandidateRequests(head), 'request')}. Steps that were removed, and what was typed into fields for passwords, are left out.`,
  );
}

function textOf(
  { recording, how, why, steps, candidates, judged, asked, kept, refused, cost }: CandidateReport,
  leftOut: ShownForCandidates['leftOut'],
): string {
  return [
    `${recording}: ${plural(candidates, 'candidate')} of ${plural(steps, 'step')}${judged > 0 ? `, ${judged} of them judged` : ''}`,
    ...(how === 'sampled' ? [] : [`  not all was asked (${how}: ${why}). The same command goes on from here.`]),
    ...leftOut.map((one) => `  step ${one.number} was not asked about: ${one.why}`),
    ...refused.map((one) => `  refused: ${one}`),
    `  ${plural(asked, 'request')}, ${plural(kept, 'answer')} kept from before; cost: ${cost === null ? 'not known' : cost.toFixed(4)}`,
    '  `samples` shows them with their rewards; `export ms-swift --parts candidates,pairs` writes them for training.',
  ].join('\n');
}
