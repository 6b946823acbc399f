import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import type { CommandForm } from '../../../schemas/api/command.ts';
import {
  reviewActs as forms,
  reviewAssign,
  reviewPolicy,
  reviewUnassign,
} from '../../../schemas/api/review-commands.ts';
import type { AssignOutcome, ReviewState } from '../../../schemas/api/review-models.ts';
import { ERROR_EXIT, StudioError } from '../../../schemas/errors.ts';
import type { ReviewAct, ReviewPolicy } from '../../../schemas/review.ts';
import type { Call, Handlers } from '../calls.ts';
import { type CliContext, examples } from '../context.ts';
import { composer, mirror } from '../mirror.ts';
import { textTable } from '../table.ts';
import { review } from './queue.ts';
import { itemFrom, namesIn, type ReviewAt, reviewOf, settleBySide, untitledIn } from './review-acts.ts';

const handlers: Handlers = async () => ({
  ...(await review.handlers()),
  ...(await import('../../api/routes/library.ts')).libraryRoutes,
  ...(await import('../../api/routes/annotation.ts')).annotationRoutes,
  ...(await import('../../api/routes/recordings.ts')).recordingRoutes,
});

/** `review`: what the page does with a recording's review, by the same calls, so that no state can be skipped from here. */
export function register(program: Command, context: CliContext): void {
  const group = program.command('review').description('review, adjudicate, comment and judge recordings');
  examples(group, [
    ['review show 2026 --person Ada --workspace W', 'where a recording stands, and what Ada may do'],
    ['review claim 2026 --person Ada --workspace W', 'start reviewing it'],
  ]);
  const add = mirror({ ...review, handlers }, context);
  const compose = composer(handlers, context);

  add(group, ['review', 'get'], { json: (state) => state, text: describe });
  add(group, ['review', 'history'], {
    json: (events) => ({ events }),
    text: async (events, _, { call }) => {
      const names = await namesIn(call);
      const rows = events.map(({ n, at, person, act, facts: { from, to } }) => {
        return [String(n), at, names(person), act.type, from === to ? '' : `${from ?? ''} -> ${to ?? ''}`];
      });
      return rows.length > 0 ? textTable([['N', 'AT', 'PERSON', 'WHAT', 'STATE'], ...rows], [0]) : 'Nothing yet.';
    },
  });
  compose(group, reviewPolicy, async ({ call, input: { person, ...changes } }) => {
    const before = (await call(['review', 'policy'], {})) as ReviewPolicy; // The contract says so, for the next line too.
    const isChange = Object.keys(changes).length > 0;
    const policy = isChange
      ? ((await call(['review', 'setPolicy'], { person, policy: { ...before, ...changes } })) as ReviewPolicy)
      : before;
    const names = await namesIn(call);
    const said = { ...policy, ...(policy.managers && { managers: policy.managers.map(names).join(', ') }) };
    context.result({ policy }, textTable(Object.entries(said).map(([name, value]) => [name, String(value)])));
  });

  const assign = async (call: Call, wishes: { person: string; recordings: string[]; tasks: string[] }) => {
    if (wishes.recordings.length + wishes.tasks.length === 0) {
      throw new StudioError('USAGE', 'Say which: --recordings and their ids, or --task and theirs.', {});
    }
    const outcome = (await call(['review', 'assign'], wishes)) as AssignOutcome; // The contract says so.
    if (outcome.refused.length > 0) context.setStatus(ERROR_EXIT.CONFLICT);
    context.result(outcome, outcomeText(outcome));
  };
  compose(group, reviewAssign, ({ call, input }) => assign(call, { ...input, due: input.due ?? null } as typeof input));
  compose(group, reviewUnassign, ({ call, input }) => assign(call, { ...input, to: [] } as typeof input));

  type Fields<F> = F extends CommandForm<infer S> ? S['_output'] : never;
  /** A command that does one thing; by default the act has no more than its name. */
  function verb<N extends Exclude<keyof typeof forms, 'settle'>>(
    name: N,
    act: (given: Fields<(typeof forms)[N]>, at: ReviewAt) => ReviewAct | Promise<ReviewAct> = () =>
      ({ type: name }) as ReviewAct, // Refused when sent where it would want more.
  ): void {
    compose(group, forms[name] as CommandForm, async ({ call, input }) => {
      const given = input as Fields<(typeof forms)[N]>; // Read by its own fields' schema.
      const at = reviewOf(call, given);
      const done = await act(given, at);
      const sent = await at.send(done, given.event);
      const warnings = done.type === 'submit' ? await untitledIn(at, done.document) : [];
      context.result({ ...sent, warnings }, [`${at.recording} is ${sent.state.state}.`, ...warnings].join('\n'));
    });
  }
  const own = async (at: ReviewAt): Promise<string> => (await at.state()).own ?? '';
  const version = async (at: ReviewAt, document?: string) => (await at.document(document)).version;

  verb('plan', ({ replicas }) => ({ type: 'plan', replicas }));
  verb('begin');
  verb('submit', async (_, at) => {
    const document = await own(at);
    return { type: 'submit', document, version: await version(at, document) };
  });
  verb('withdraw', async (_, at) => ({ type: 'withdraw', document: await own(at) }));
  verb('claim');
  verb('release');
  verb('decide', async ({ item: named, verdict: said, reason = null, comment }, at) => {
    const item = itemFrom(named);
    const verdict = said === 'none' ? null : said;
    return { type: 'decide', item, version: await version(at), verdict, reason, comment };
  });
  compose(group, forms.settle, async ({ call, input }) => {
    const sent = await settleBySide(call, reviewOf(call, input), input);
    context.result(sent, `Settled ${input.difference}.`);
  });
  add(group, ['review', 'compare'], {
    json: (comparison) => comparison,
    text: async ({ documents, differences }, _, { call }) => {
      const names = await namesIn(call);
      const heads = documents.map(({ id, person }) => names(person ?? id));
      const rows = differences.map((one) => [one.id, ...one.sides.map(({ text }) => text)]);
      return rows.length > 0 ? textTable([['DIFFERENCE', ...heads], ...rows]) : 'No difference.';
    },
  });
  verb('approve', async (_, at) => {
    return { type: 'verdict', verdict: 'approve', version: await version(at), reasons: [], comment: '' };
  });
  verb('reject', async ({ reason, comment }, at) => {
    const reasons = reason === undefined ? [] : [reason];
    return { type: 'verdict', verdict: 'reject', version: await version(at), reasons, comment };
  });
  verb('reopen', ({ comment }) => ({ type: 'reopen', comment }));
  verb('comment', ({ text, step = null, thread = null }) => {
    return { type: 'comment', thread, pin: { action: step, role: null, place: null, t: null }, text };
  });
  for (const name of ['resolve', 'unresolve'] as const) verb(name, ({ thread }) => ({ type: name, thread }));
  verb('judge', ({ step, grounded = null, error: kind, execution = null, recoverable, redundant = null, comment }) => {
    const error = kind === undefined ? null : { kind, execution, recoverable };
    return { type: 'judge', action: step, grounded, error, redundant, comment };
  });
}

function outcomeText({ assigned, unchanged, refused }: AssignOutcome): string {
  return [
    `${plural(assigned.length, 'recording')} changed.`,
    ...(unchanged.length > 0 ? [`${plural(unchanged.length, 'recording was', 'recordings were')} so already.`] : []),
    ...refused.map(({ recording, why }) => `${recording} was not changed: ${why}`),
  ].join('\n');
}

function describe(state: ReviewState): string {
  const may = Object.entries(state.may);
  const allowed = may.filter(([, refused]) => refused === null).map(([name]) => name);
  const rows = may.filter(([, refused]) => refused !== null).map(([name, refused]) => [`  ${name}`, refused ?? '']);
  const open = state.threads.filter((thread) => thread.open);
  return [
    `${state.recording} is ${state.state}, round ${state.round}${state.blind ? ', annotated blind' : ''}.`,
    ...state.documents.map(({ id, done, steps, submitted }) => {
      const given = submitted === null ? 'not submitted' : `submitted at version ${submitted}`;
      return `Document ${id}: ${done} of ${plural(steps, 'step')}, ${given}.`;
    }),
    ...open.map(({ id, entries }) => `Comment ${id}: ${entries.at(-1)?.text ?? ''}`),
    `You may: ${allowed.join(', ') || 'nothing now'}.`,
    'Not now:',
    textTable(rows),
  ].join('\n');
}
