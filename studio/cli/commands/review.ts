import { type Command, Option } from 'commander';
import type { ReviewState } from '../../../schemas/api/review-models.ts';
import { REJECT_REASONS, type ReviewAct } from '../../../schemas/review.ts';
import { readPolicy, writePolicy } from '../../review/policy.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';
import {
  type ActOptions,
  type At,
  actOption,
  isYes,
  itemFrom,
  parseShare,
  personOption,
  sendAct,
  settleBySide,
  within,
} from './review-acts.ts';

type Act<T> = (at: At, options: T) => ReviewAct | Promise<ReviewAct>;

/** `review`: what the page does with a recording's review. The same service, so no state can be skipped from here. */
export function register(program: Command, context: CliContext): void {
  const review = program.command('review').description('review, adjudicate, comment and judge recordings');
  examples(review, [
    ['review show 2026 --person Ada --workspace W', 'where a recording stands, and what Ada may do'],
    ['review claim 2026 --person Ada --workspace W', 'take it up'],
  ]);

  const show = review
    .command('show <id>')
    .description('documents, decisions, comments, and what the person may do')
    .action((id: string, options: ActOptions) =>
      within(options, id, async ({ state }) => context.result(state, describe(state))),
    );
  personOption(workspaceOption(show));
  examples(show, [['review show 2026 --person Ada --workspace W', 'in words; --json for a script']]);

  const history = review
    .command('history <id>')
    .description('everything that happened to it, oldest first')
    .action((id: string, options: ActOptions) =>
      within(options, id, async ({ open, recording, names }) => {
        const events = await open.reviews.history(recording, options.person);
        const rows = events.map(({ n, at, person, act, facts }) => {
          const moved = facts.from === facts.to ? '' : `${facts.from ?? ''} -> ${facts.to ?? ''}`;
          return [String(n), at, names(person), act.type, moved];
        });
        const head = ['N', 'AT', 'PERSON', 'WHAT', 'STATE'];
        context.result({ events }, rows.length > 0 ? textTable([head, ...rows], [0]) : 'Nothing yet.');
      }),
    );
  personOption(workspaceOption(history));
  examples(history, [['review history 2026 --person Ada --workspace W', 'the whole log']]);

  policyCommand(review, context);

  /** A command that does one thing. */
  function verb<T extends ActOptions>(name: string, what: string, example: string, act: Act<T>): Command {
    const command = review.command(`${name} <id>`).description(what);
    command.action((id: string, options: T) =>
      within(options, id, async (at) => {
        const sent = await sendAct(at, options, await act(at, options));
        context.result(sent, `${at.recording} is ${sent.state.state}.`);
      }),
    );
    actOption(personOption(workspaceOption(command)));
    examples(command, [[`review ${name} 2026 ${example}--person Ada --workspace W`, what]]);
    return command;
  }
  const own = ({ state }: At): string => state.own ?? '';

  verb<ActOptions & { replicas: string }>(
    'plan',
    'say how many people annotate it blind',
    '--replicas 2 ',
    (_, { replicas }) => ({ type: 'plan', replicas: parseWhole('--replicas', replicas, 1, 5) }),
  ).requiredOption('--replicas <number>', '1: one annotates, another reviews');
  verb('begin', 'begin to annotate it, or to repair it', '', () => ({ type: 'begin' }));
  verb('submit', 'hand it in', '', async (at) => {
    const { version } = await at.open.documents.get(at.recording, at.person, own(at));
    return { type: 'submit', document: own(at), version };
  });
  verb('withdraw', 'take back what was handed in', '', (at) => ({ type: 'withdraw', document: own(at) }));
  verb('claim', 'take it up for review, or for adjudication', '', () => ({ type: 'claim' }));
  verb('release', 'put it back without a verdict', '', () => ({ type: 'release' }));

  verb<ActOptions & { item: string; verdict: string; reason?: string; comment: string }>(
    'decide',
    'decide on one item of it',
    '--item step:ACTION --verdict accept ',
    async (at, { item, verdict, reason, comment }) => {
      const { version } = await at.open.documents.get(at.recording, at.person);
      // What is no verdict or no reason is refused with the act.
      const said = (verdict === 'none' ? null : verdict) as 'accept' | 'fixed' | 'reject' | null;
      const why = (reason ?? null) as (typeof REJECT_REASONS)[number] | null;
      return { type: 'decide', item: itemFrom(item), version, verdict: said, reason: why, comment };
    },
  )
    .requiredOption(
      '--item <kind:id>',
      'step, element, box, narration, text or removal:ACTION; edge or title:FIRST; goal',
    )
    .addOption(new Option('--verdict <verdict>', 'none takes it back').choices(['accept', 'fixed', 'reject', 'none']))
    .addOption(reasonOption())
    .option('--comment <text>', 'why', '');

  const settle = review
    .command('settle <id>')
    .description('settle a difference between replicas by taking one side')
    .requiredOption('--difference <id>', 'as `review compare` names it')
    .requiredOption('--side <person>', 'whose side')
    .action((id: string, options: ActOptions & { difference: string; side: string }) =>
      within(options, id, async (at) => {
        const sent = await settleBySide(at, options);
        context.result(sent, `Settled ${options.difference}.`);
      }),
    );
  actOption(personOption(workspaceOption(settle)));
  examples(settle, [['review settle 2026 --difference element:a --side Ben --person Ada --workspace W', "Ben's name"]]);

  const compare = review
    .command('compare <id>')
    .description('what the replicas say differently')
    .action((id: string, options: ActOptions) =>
      within(options, id, async ({ open, recording, names }) => {
        const comparison = await open.reviews.compare(recording, options.person);
        const heads = comparison.documents.map(({ id: document, person }) => names(person ?? document));
        const rows = comparison.differences.map((one) => [one.id, ...one.sides.map(({ text }) => text)]);
        context.result(comparison, rows.length > 0 ? textTable([['DIFFERENCE', ...heads], ...rows]) : 'No difference.');
      }),
    );
  personOption(workspaceOption(compare));
  examples(compare, [['review compare 2026 --person Ada --workspace W', 'differences only']]);

  verb('approve', 'approve it as a whole', '', async (at) => verdict(at, 'approve', [], ''));
  verb<ActOptions & { reason?: string; comment: string }>(
    'reject',
    'send it back',
    '--reason unclear --comment "Which dialog?" ',
    async (at, { reason, comment }) => verdict(at, 'reject', reason === undefined ? [] : [reason], comment),
  )
    .addOption(reasonOption())
    .option('--comment <text>', 'why', '');
  verb<ActOptions & { comment: string }>(
    'reopen',
    'take an approved one up again',
    '--comment "The menu was renamed" ',
    (_, { comment }) => ({ type: 'reopen', comment }),
  ).requiredOption('--comment <text>', 'why');

  verb<ActOptions & { text: string; step?: string; thread?: string }>(
    'comment',
    'write a comment, or answer one',
    '--text "Which one?" ',
    (_, { text, step, thread }) => ({
      type: 'comment',
      thread: thread ?? null,
      pin: { action: step ?? null, role: null, place: null, t: null },
      text,
    }),
  )
    .requiredOption('--text <text>', 'what')
    .option('--step <action>', 'the step it speaks of')
    .option('--thread <id>', 'the comment that it answers');
  for (const name of ['resolve', 'unresolve'] as const) {
    verb<ActOptions & { thread: string }>(
      name,
      name === 'resolve' ? 'close a comment' : 'open a comment again',
      '--thread ID ',
      (_, { thread }) => ({ type: name, thread }),
    ).requiredOption('--thread <id>', 'the comment');
  }

  verb<ActOptions & JudgeOptions>(
    'judge',
    'judge a step of the trajectory',
    '--step ACTION --grounded no ',
    (_, options) => ({
      type: 'judge',
      action: options.step,
      grounded: options.grounded === undefined ? null : isYes('--grounded', options.grounded),
      error: errorFrom(options),
      comment: options.comment,
    }),
  )
    .requiredOption('--step <action>', 'which')
    .option('--grounded <yes|no>', 'was it grounded in what the screen showed?')
    .addOption(new Option('--error <kind>', 'of an error').choices(['planning', 'structural', 'execution']))
    .addOption(new Option('--execution <which>', 'kind').choices(['operational', 'knowledge', 'perceptual']))
    .option('--recoverable', 'a later step made it good')
    .option('--comment <text>', 'why', '');
}

const reasonOption = (): Option => new Option('--reason <reason>', 'why it is rejected').choices(REJECT_REASONS);

type JudgeOptions = {
  step: string;
  grounded?: string;
  error?: 'planning' | 'structural' | 'execution';
  execution?: 'operational' | 'knowledge' | 'perceptual';
  recoverable?: boolean;
  comment: string;
};

function errorFrom({ error, execution, recoverable = false }: JudgeOptions) {
  return error === undefined ? null : { kind: error, execution: execution ?? null, recoverable };
}

async function verdict(at: At, said: 'approve' | 'reject', reasons: string[], comment: string): Promise<ReviewAct> {
  const { version } = await at.open.documents.get(at.recording, at.person);
  // The option takes reasons of the list only.
  return { type: 'verdict', verdict: said, version, reasons: reasons as (typeof REJECT_REASONS)[number][], comment };
}

type PolicyOptions = WorkspaceOption & {
  replicas?: string;
  replicaShare?: string;
  checkShare?: string;
  seed?: string;
  reviewAdjudicated?: string;
  demonstratorMayReview?: string;
};

function policyCommand(review: Command, context: CliContext): void {
  const command = review
    .command('policy')
    .description('the rules of the data set; with options it changes them')
    .option('--replicas <number>', 'people who annotate the same recording blind (1: one annotates, another reviews)')
    .option('--replica-share <share>', 'share of the recordings that are annotated so, 0 to 1')
    .option('--check-share <share>', 'share of the work that is a hidden check, 0 to 0.15')
    .option('--seed <number>', 'chooses which')
    .option('--review-adjudicated <yes|no>', 'an adjudicated recording is reviewed before it is approved')
    .option('--demonstrator-may-review <yes|no>', 'who recorded it may review its annotation')
    .action((options: PolicyOptions) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { db } = workspace;
        const before = await readPolicy(db);
        const { replicas, replicaShare, checkShare, seed, reviewAdjudicated, demonstratorMayReview } = options;
        const changes = {
          ...(replicas !== undefined && { replicas: parseWhole('--replicas', replicas, 1, 5) }),
          ...(replicaShare !== undefined && { replicaShare: parseShare('--replica-share', replicaShare, 1) }),
          ...(checkShare !== undefined && { checkShare: parseShare('--check-share', checkShare, 0.15) }),
          ...(seed !== undefined && { seed: parseWhole('--seed', seed, 0, Number.MAX_SAFE_INTEGER) }),
          ...(reviewAdjudicated !== undefined && {
            reviewAdjudicated: isYes('--review-adjudicated', reviewAdjudicated),
          }),
          ...(demonstratorMayReview !== undefined && {
            demonstratorMayReview: isYes('--demonstrator-may-review', demonstratorMayReview),
          }),
        };
        const changed = Object.keys(changes).length > 0;
        const policy = changed ? await writePolicy(db, { ...before, ...changes }) : before;
        const rows = Object.entries(policy).map(([name, value]) => [name, String(value)]);
        context.result({ policy }, textTable(rows));
      }),
    );
  workspaceOption(command);
  examples(command, [
    ['review policy --workspace W', 'as they are'],
    [
      'review policy --replicas 2 --replica-share 0.3 --check-share 0.1 --workspace W',
      'two blind for a third of the recordings, every tenth piece of work a hidden check',
    ],
  ]);
}

function describe(state: ReviewState): string {
  const may = Object.entries(state.may);
  const allowed = may.filter(([, refused]) => refused === null).map(([name]) => name);
  const rows = may.filter(([, refused]) => refused !== null).map(([name, refused]) => [`  ${name}`, refused ?? '']);
  const open = state.threads.filter((thread) => thread.open);
  return [
    `${state.recording} is ${state.state}, round ${state.round}${state.blind ? ', annotated blind' : ''}.`,
    ...state.documents.map(({ id, done, steps, submitted }) => {
      const given = submitted === null ? 'not handed in' : `handed in at version ${submitted}`;
      return `Document ${id}: ${done} of ${steps} steps, ${given}.`;
    }),
    ...open.map(({ id, entries }) => `Comment ${id}: ${entries.at(-1)?.text ?? ''}`),
    `You may: ${allowed.join(', ') || 'nothing now'}.`,
    'Not now:',
    textTable(rows),
  ].join('\n');
}
