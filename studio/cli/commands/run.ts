import { type Command, Option } from 'commander';
import { AGENTS, type AgentHead, type AgentName, type AgentReport } from '../../../schemas/agents.ts';
import type { CompositionRun } from '../../../schemas/composition-run.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { INSTRUCTION_LEVELS } from '../../../schemas/instruction-levels.ts';
import { MOST_SHOTS } from '../../../schemas/limits.ts';
import { INJECTED, PROTOCOLS, type ProtocolName } from '../../../schemas/protocols.ts';
import { type CoordinateScale, SCALES } from '../../../schemas/scales.ts';
import { type AgentFilm, filmOf } from '../../agents/film.ts';
import type { LiveRun } from '../../agents/live-runs.ts';
import { measuredHead } from '../../agents/measured-scale.ts';
import { modelHead, refuseInject, refuseUnpriced } from '../../agents/model-head.ts';
import { runPerson } from '../../agents/person.ts';
import { type Inject, injectedPlan } from '../../agents/plan.ts';
import { needChecks, recipeHash, refuseOtherStage, runAgent, runToGoOn } from '../../agents/run.ts';
import { chosenShots, loadedShots, refuseShots } from '../../agents/shots.ts';
import { modelUrl } from '../../models/model.ts';
import { PLAIN_SCREEN } from '../../play/stage/stage.ts';
import { taskById } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { showRuns } from '../show-runs.ts';
import { parseDuration, parseNumber, parseWhole } from '../values.ts';
import { keyOf, pricesOf, spendingOptions } from './endpoint-options.ts';
import { askFirst, kindsWith, needRecipe, onStage, type StageOptions, stageOptions } from './on-stage.ts';
import type { CompositionOptions } from './run-composition.ts';
import { reportWords, sayWhatGoes } from './run-words.ts';

type Options = StageOptions & {
  task?: string;
  composition?: string;
  level: CompositionOptions['level'];
  context: CompositionOptions['context'];
  from?: number;
  ask?: number;
  user: CompositionOptions['user'];
  userEndpoint?: string;
  userModel?: string;
  userProtocol: ProtocolName;
  userKeyEnv?: string;
  seed: number;
  agent: AgentName | 'human' | 'player';
  person?: string;
  watch?: true;
  build: boolean;
  browser: boolean;
  endpoint?: string;
  protocol: ProtocolName;
  model?: string;
  tool?: string;
  coordinates?: CoordinateScale | 'measure';
  keyEnv?: string;
  inject: Inject;
  demonstration?: string;
  window: number;
  reflection: boolean;
  rounds: number;
  time?: number;
  budget?: number;
  priceIn?: number;
  priceOut?: number;
  maxTokens?: number;
  temperature?: number;
  demonstrations: number | string[];
  sameTask?: true;
  timeout: number;
  tries: number;
  attempts: number;
  resume?: string;
  yes?: true;
};

/** `run`: a model does a task on a stage, step by step, and the task's checks say whether it succeeded. */
export function register(program: Command, context: CliContext): void {
  const whole = (name: string, most: number) => (text: string) => parseWhole(name, text, 1, most);
  const command = program
    .command('run')
    .description('let a model do a task on a stage of its own, record it, and check the outcome')
    .option('--task <id>', 'the task whose recipe sets the stage up and whose checks decide')
    .option('--composition <id>', 'all tasks of a composition instead, one after another on one stage')
    .addOption(
      new Option('--level <level>', 'of a composition: how much its instructions say')
        .choices(INSTRUCTION_LEVELS)
        .default('base'),
    )
    .addOption(
      new Option('--context <kind>', 'of a composition: pack also tells the person, preferences and earlier tasks')
        .choices(['none', 'pack'])
        .default('none'),
    )
    .option(
      '--ask <n>',
      'of a composition: most questions of a task that a simulated user answers',
      whole('--ask', 100),
    )
    .addOption(
      new Option('--user <kind>', 'of --ask: who that is; slots: a rule, which L0 says what it knows; model: a model')
        .choices(['slots', 'model'])
        .default('slots'),
    )
    .option('--user-endpoint <url>', 'of --user model: where it is asked')
    .option('--user-model <name>', 'of --user model: as that endpoint calls it')
    .addOption(
      new Option('--user-protocol <name>', 'of --user model: what that endpoint speaks')
        .choices(PROTOCOLS)
        .default('openai'),
    )
    .option('--user-key-env <name>', 'of --user model: the environment variable that holds its key')
    .option(
      '--seed <n>',
      'of a composition: draws its events, and how the user of --ask words its answers',
      (text) => parseWhole('--seed', text, 0, 0x7fff_ffff),
      0,
    )
    .option(
      '--from <n>',
      'of a composition: go on with its newest run (or --resume) at this task',
      whole('--from', 500),
    )
    .addOption(
      new Option(
        '--agent <agent>',
        'how the model is asked; human: a person does the task in the page; player: demonstrations are played (a composition)',
      )
        .choices([...AGENTS, 'human', 'player'])
        .default('direct'),
    )
    .option('--endpoint <url>', 'where the model is asked, such as http://127.0.0.1:8000/v1')
    .addOption(new Option('--protocol <name>', 'what the endpoint speaks').choices(PROTOCOLS).default('openai'))
    .option('--model <name>', 'the model, as the endpoint calls it')
    .option('--tool <name>', "the computer tool that is declared, where it is not the protocol's newest")
    .addOption(
      new Option(
        '--coordinates <unit>',
        'what places count, where the form of an answer does not say; measure: by known squares, once a model',
      ).choices([...SCALES, 'measure']),
    )
    .option('--key-env <name>', 'the environment variable that holds the key; it is never written anywhere')
    .addOption(
      new Option('--inject <levels>', "plans of a demonstration's annotation in the planner's place (agent minimal)")
        .choices(INJECTED)
        .default('none'),
    )
    .option(
      '--demonstration <id>',
      'the demonstration whose plan that is, or that a video-guided agent follows, which may be of another task; the newest of the task when left out',
    )
    .option(
      '--demonstrations <n>',
      'demonstrations of other tasks that the model is shown before its own: how many, or their ids, separated by commas',
      parseShots,
      0,
    )
    .option('--same-task', 'of --demonstrations: those of the task itself may be among them')
    .option('--window <n>', 'video-guided: keyframes that are shown at once', whole('--window', 12), 4)
    .option('--no-reflection', 'video-guided: what is decided is done without being compared with the film')
    .option('--temperature <n>', 'how freely the model answers, 0 to 2: of several attempts each is another', (text) =>
      parseNumber('--temperature', text, 0, 2),
    )
    .option('--rounds <n>', 'most requests of a run', whole('--rounds', 10_000), 30)
    .option('--time <time>', 'longest run', (text) => parseDuration('--time', text));
  spendingOptions(command, 'most money for all runs of the command; needs the prices');
  command
    .option('--attempts <n>', 'runs, one after the other, each on a stage of its own', whole('--attempts', 1000), 1)
    .option('--resume <run>', 'go on with a run that was broken off: what was answered is not asked again')
    .option('--watch', 'show the run in a page, where a person can take it over')
    .option('--person <name>', 'who does the task (agent human)')
    .option('--no-browser', 'print the address of the page and open no browser (agent human, --watch)')
    .option('--no-build', 'show the page as it was built last')
    .option('--yes', 'send what the command says that it sends, without being asked')
    .action((options: Options) => {
      const { composition } = options;
      if (composition === undefined) return run(options, context);
      const isNamed = command.getOptionValueSource('agent') !== 'default';
      return runAll({ ...options, composition, agent: isNamed ? options.agent : 'player' }, context);
    });
  stageOptions(command, {
    recipe: "another recipe than the task's own",
    patience: 'how long to wait for the screen after what an answer did',
  });
  examples(command, [
    [
      'run --task GIMP_1 --endpoint http://127.0.0.1:8000/v1 --model my-model --workspace W',
      'a model of your own, by its PyAutoGUI code',
    ],
    [
      'run --task GIMP_1 --protocol anthropic --endpoint https://HOST/v1 --model NAME --key-env KEY --price-in 3 --price-out 15 --budget 2 --workspace W',
      'a hosted one, by its own tool, for at most 2',
    ],
    [
      'run --task GIMP_1 --agent minimal --inject high,mid --endpoint http://127.0.0.1:8000/v1 --model my-model --workspace W',
      "with a demonstration's plan",
    ],
    [
      'run --task GIMP_1 --demonstrations 2 --endpoint http://127.0.0.1:8000/v1 --model my-model --workspace W',
      'shown two demonstrations of other tasks before',
    ],
    ['run --task GIMP_1 --agent human --workspace W', 'do it yourself in the page, on the same stage'],
    ['run --resume 2026 --workspace W', 'go on with a run that was broken off'],
    ['run --composition monday --workspace W', 'all its tasks on one stage, by their demonstrations'],
    ['run --composition monday --agent human --person Ada --workspace W', 'do all of it yourself in the page'],
    ['run --composition monday --from 3 --workspace W', 'its newest run again from its third task'],
  ]);
}

/** A composition, by the player, by a person or by a model. */
async function runAll(options: Options & { composition: string }, context: CliContext): Promise<void> {
  const { agent } = options;
  const ofOne = options.task !== undefined || options.watch === true || options.inject !== 'none';
  if (ofOne || options.demonstrations !== 0 || agent === 'video-guided')
    throw new StudioError(
      'USAGE',
      '--task, --watch, --inject, --demonstrations and the agent video-guided are of one task, not of a composition.',
      {},
    );
  if (options.ask !== undefined && (agent === 'player' || agent === 'human'))
    throw new StudioError(
      'USAGE',
      `--ask is of a model: ${agent === 'player' ? 'the player asks nothing' : 'nobody answers a person'}. Give --agent, or leave --ask out.`,
      {},
    );
  if (agent === 'human' && !options.person)
    throw new StudioError('USAGE', '--person is missing: their name is who did it in the tables.', {
      option: '--person',
    });
  const { runComposition } = await import('./run-composition.ts');
  const modelOf: Parameters<typeof runComposition>[1] = async (tasks, ask) => {
    if (agent === 'player' || agent === 'human') return null;
    const head = await headFor(options, agent);
    const key = keyOf(options.keyEnv, head.endpoint, context.progress);
    const userModel = ask?.played && userModelOf(ask.played, options, context);
    const pack =
      options.context === 'pack' ? ', the persona, the preferences and the earlier tasks with what they gave' : '';
    const told = ask === undefined ? '' : ', what the simulated user answers to its questions';
    const texts = `each task's instruction with the values of earlier tasks in it${pack}${told}, the software's name`;
    await sayWhatGoes(head, { ...options, attempts: options.attempts * tasks, texts, size: '' }, context);
    const onRetry = onRetryOf(context);
    const model = { ...modelOptions(head, key, options), onRetry };
    return { head, model, ...(userModel && { userModel: { ...userModel, onRetry } }) };
  };
  const { person } = options;
  return runComposition({ ...options, human: agent === 'human' && person ? person : null }, modelOf, context);
}

type Played = NonNullable<NonNullable<CompositionRun['ask']>['played']>;

/** The model that plays the user. Says what goes to it, before anything is agreed to. */
function userModelOf(played: Played, options: Options, { progress }: CliContext) {
  const { endpoint, protocol, model } = played;
  const key = keyOf(options.userKeyEnv, endpoint, progress);
  const origin = new URL(modelUrl({ endpoint, protocol, model })).origin;
  progress(
    `To ${origin} (${model}), which plays the user, go: each task's exact instruction with all its values, the questions that are asked about it, and what was answered before; no pictures, in at most one request a question. --budget does not count what it costs.`,
  );
  return modelOptions({ endpoint, protocol, model, tool: null, maxTokens: null }, key, options);
}

/** What a model's runs have in common, whatever their tasks are. */
async function headFor(options: Options, agent: AgentName): Promise<AgentHead> {
  const { endpoint, model } = endpointOf(options);
  const { protocol, tool = null, maxTokens = null } = options;
  const coordinates = statedScale(options);
  if (options.coordinates === 'measure')
    throw new StudioError('USAGE', '--coordinates measure is of a run of one task: measure with one first.', {});
  const given = { agent, task: '', software: '', goal: '', protocol, endpoint, model };
  const asked = { limits: limitsOf(options), prices: pricesOf(options) };
  return modelHead({ ...given, ...asked }, { tool, coordinates, maxTokens, ...freely(options) });
}

async function run(options: Options, context: CliContext): Promise<void> {
  if (options.agent === 'player' || options.from !== undefined || options.ask !== undefined)
    throw new StudioError('USAGE', 'The agent player, --from and --ask are of a composition: give --composition.', {});
  if (options.agent === 'human' && options.resume === undefined) return runHuman(options, context);
  await onStage(options, async (workspace, on) => {
    const earlier = options.resume === undefined ? null : await runToGoOn(workspace, options.resume);
    const { head: given, film } = earlier ?? (await begunWith(workspace, options));
    const recipe = await needRecipe(workspace, given.task, options.recipe);
    await needChecks(workspace, given.task);
    await askFirst(workspace, given.task, options, context, kindsWith(options.recipe));
    if (earlier) refuseOtherStage(given, recipe);
    const screen = recipe.screen ?? PLAIN_SCREEN;
    const limits = limitsOf(options);
    const prices = pricesOf(options) ?? given.prices;
    refuseUnpriced({ limits, prices });
    const key = keyOf(options.keyEnv, given.endpoint, context.progress);
    const asking: AgentHead = { ...given, screen, recipe: recipeHash(recipe), limits, prices };
    const squares = earlier === null && options.coordinates === 'measure';
    await sayWhatGoes(asking, { ...options, squares }, context);
    const asked = modelOptions(asking, key, options);
    const onRetry = onRetryOf(context);
    const scale = { head: asking, model: { ...asked, onRetry }, signal: on.signal, progress: context.progress };
    const head = squares ? await measuredHead(workspace, scale) : asking;
    const reports: AgentReport[] = [];
    const shown = options.watch === true ? await showRuns(workspace.dir, options, context) : null;
    let left = head.limits.budget;
    try {
      for (let n = 0; n < options.attempts && !on.signal.aborted; n++) {
        if (options.attempts > 1) context.progress(`attempt ${n + 1} of ${options.attempts}`);
        const { version, progress } = context;
        const work = (live: LiveRun | null): Promise<AgentReport> =>
          runAgent({
            workspace,
            version,
            head: { ...head, limits: { ...limits, budget: left } },
            recipe,
            film,
            model: { ...asked, onRetry },
            live,
            progress,
            ...on,
          });
        const report = shown ? await shown.follow(head, work) : await work(null);
        reports.push(report);
        if (left !== null) left = Math.max(0, left - (report.cost ?? 0));
        if (report.how === 'budget' || report.how === 'uncounted') break;
      }
    } finally {
      await shown?.close();
    }
    if (reports.some(({ passed }) => !passed) || reports.length < options.attempts) context.setStatus(1);
    const [first] = reports;
    context.result(options.attempts === 1 ? first : { runs: reports }, reports.map(reportWords).join('\n'));
  });
}

const freely = ({ temperature }: Options): Pick<AgentHead, 'temperature'> =>
  temperature === undefined ? {} : { temperature };

type BegunWith = { head: AgentHead; film: AgentFilm['pictures'] };

const modelOptions = (
  {
    endpoint,
    protocol,
    model,
    tool,
    maxTokens,
    temperature,
  }: Pick<AgentHead, 'endpoint' | 'protocol' | 'model' | 'tool' | 'maxTokens' | 'temperature'>,
  key: string | null,
  { timeout: timeoutMs, tries }: Options,
) => ({ endpoint, protocol, model, tool, maxTokens, temperature, key, rate: null, timeoutMs, tries, backoffMs: 1000 });

const onRetryOf =
  ({ progress }: CliContext) =>
  (why: string, waitMs: number): void =>
    progress(`Again in ${(waitMs / 1000).toFixed(1)} s: ${why}`);

/** A number, or ids of recordings. */
function parseShots(text: string): number | string[] {
  if (/^\d{1,6}$/.test(text)) return parseWhole('--demonstrations', text, 0, MOST_SHOTS);
  return text.split(',').map((id) => id.trim());
}

function need(value: string | undefined, name: string): string {
  if (value !== undefined && value !== '') return value;
  throw new StudioError('USAGE', `${name} is missing. \`run --help\` shows examples.`, { option: name });
}

function endpointOf(options: Options): { endpoint: string; model: string } {
  const endpoint = need(options.endpoint, '--endpoint');
  const model = need(options.model, '--model');
  return { endpoint, model };
}

async function begunWith(workspace: Workspace, options: Options): Promise<BegunWith> {
  const task = await taskById(workspace.store, need(options.task, '--task'));
  const { agent, protocol, inject } = options;
  const { endpoint, model } = endpointOf(options);
  refuseInject(agent, inject);
  refuseShots(agent, options.demonstrations);
  if (agent === 'human' || agent === 'player')
    throw new StudioError('USAGE', '--resume goes on with a run of a model.', {});
  const { id, goal, software } = task;
  const demonstration = options.demonstration ?? null;
  const { window, reflection: reflects } = options;
  const film = agent === 'video-guided' ? await filmOf(workspace, { task: id, demonstration, window, reflects }) : null;
  const { tool = null, maxTokens = null, demonstrations: wanted, sameTask = false } = options;
  const { shots, pictures } = await loadedShots(await chosenShots(workspace, { task: id, software, wanted, sameTask }));
  const coordinates = statedScale(options);
  const given = { agent, task: id, software, goal, protocol, endpoint, model };
  const head = modelHead(
    { ...given, limits: limitsOf(options), prices: pricesOf(options) },
    {
      tool,
      coordinates,
      maxTokens,
      ...freely(options),
      plan: await injectedPlan(workspace, { task: id, goal, inject, demonstration }),
      ...(film && { video: film.video }),
      ...(shots.length > 0 && { shots }),
    },
  );
  return { head, film: film?.pictures ?? pictures };
}

/** Null: it is not said, or to be measured. */
const statedScale = ({ coordinates }: Options): CoordinateScale | null =>
  coordinates === undefined || coordinates === 'measure' ? null : coordinates;

const limitsOf = ({ rounds, time, budget }: Options): AgentHead['limits'] => ({
  rounds,
  timeMs: time ?? null,
  budget: budget ?? null,
});

/** A person does it, in a page that this process shows. */
async function runHuman(options: Options, context: CliContext): Promise<void> {
  if (options.task === undefined) throw new StudioError('USAGE', '--task is missing. `run --help` shows examples.', {});
  const { task: id, person = null } = options;
  await onStage(options, async (workspace, { ffmpeg, withoutCage, signal }) => {
    const task = await taskById(workspace.store, id);
    const recipe = await needRecipe(workspace, task.id, options.recipe);
    await needChecks(workspace, task.id);
    await askFirst(workspace, task.id, options, context, kindsWith(options.recipe));
    const shown = await showRuns(workspace.dir, options, context);
    try {
      const about = { task: task.id, goal: task.goal, agent: 'human', model: person ?? '', limits: NO_LIMITS };
      const { version } = context;
      const report = await shown.follow(about, (live) => {
        signal.addEventListener('abort', () => live.command('stop'), { once: true });
        return runPerson({ workspace, ffmpeg, version, task: task.id, recipe, person, withoutCage, live });
      });
      if (!report) return;
      if (!report.passed) context.setStatus(1);
      context.result(report, reportWords(report));
    } finally {
      await shown.close();
    }
  });
}

const NO_LIMITS = { rounds: null, timeMs: null, budget: null };
