import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { verifyAnswer, verifyClaim, verifyRelease, verifySubmit } from '../../../schemas/api/composition-commands.ts';
import type { VerificationShown } from '../../../schemas/api/composition-verification.ts';
import { compositionsContract } from '../../../schemas/api/compositions.ts';
import type { VerificationAct } from '../../../schemas/composition-verification.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Call } from '../calls.ts';
import { type CliContext, examples } from '../context.ts';
import { composer, mirror } from '../mirror.ts';
import { textTable } from '../table.ts';

const handlers = async () => ({
  ...(await import('../../api/routes/find.ts')).findRoutes,
  ...(await import('../../api/routes/compositions.ts')).compositionRoutes,
});

/** `compositions queue` and `compositions verify`: people verify a composition, by the calls of the page. */
export function registerVerification(all: Command, context: CliContext): void {
  const add = mirror({ contract: compositionsContract, handlers }, context);
  const compose = composer(handlers, context);
  add(all, ['compositions', 'queue'], {
    json: (queue) => ({ queue }),
    text: (queue) => {
      const rows = queue.map(({ stage, composition, mine, platforms, title }) => {
        return [stage, composition, mine ? 'yes' : '', platforms.join(', '), title];
      });
      const head = ['STAGE', 'COMPOSITION', 'IN HAND', 'PLATFORMS', 'TITLE'];
      return rows.length > 0 ? textTable([head, ...rows]) : 'Nothing to verify now.';
    },
  });

  const group = all.command('verify').description('verify a composition in three stages, each by other people');
  examples(group, [['compositions verify show alex-monday --person Ada --workspace W', 'where it stands']]);
  add(group, ['compositions', 'verification'], { json: (shown) => shown, text: (shown) => textOf(shown) });

  type Act = { composition: string; person: string; event?: string | undefined };
  const send = async (call: Call, { composition, person, event = randomUUID() }: Act, act: VerificationAct) => {
    const shown = (await call(['compositions', 'verify'], { composition, person, event, act })) as VerificationShown; // The contract says so.
    context.result(shown, textOf(shown));
  };
  compose(group, verifyClaim, ({ call, input }) => send(call, input, { type: 'claim', stage: input.stage }));
  compose(group, verifyRelease, ({ call, input }) => send(call, input, { type: 'release' }));
  compose(group, verifySubmit, ({ call, input }) => {
    const { platform, answers, recordings } = input;
    return send(call, input, { type: 'submit', platform, members: membersOf(answers, recordings) });
  });
  compose(group, verifyAnswer, ({ call, input }) => {
    const { answers, recording = null } = input;
    return send(call, input, { type: 'answer', answers, recording });
  });
}

type Members = Extract<VerificationAct, { type: 'submit' }>['members'];

/** Of `author.name=Kafka` and `author=2026-11-28`. Throws USAGE for what is written in another way. */
function membersOf(answers: readonly string[], recordings: readonly string[]): Members {
  const members = new Map<string, Members[number]>();
  const memberOf = (member: string): Members[number] => {
    const found = members.get(member) ?? { member, recording: null, answers: [] };
    members.set(member, found);
    return found;
  };
  for (const one of recordings) {
    const [, member = '', id = ''] = /^([^=.]+)=(.+)$/.exec(one) ?? [];
    if (member === '') throw odd('--recording', one, 'TASK=ID');
    memberOf(member).recording = id;
  }
  for (const one of answers) {
    const [, member = '', output = '', text = ''] = /^([^=.]+)\.([^=.]+)=(.*)$/s.exec(one) ?? [];
    if (member === '') throw odd('--answer', one, 'TASK.OUTPUT=TEXT');
    memberOf(member).answers.push({ output, text });
  }
  return [...members.values()];
}

const odd = (option: string, given: string, form: string): StudioError =>
  new StudioError('USAGE', `${option} “${given.slice(0, 80)}” cannot be taken: write it as ${form}.`, { option });

function textOf({
  id,
  title,
  task,
  standing,
  mine,
  claims,
  isClosed,
  truth,
  handed,
  tables,
}: VerificationShown): string {
  const state = standing.verified
    ? 'verified'
    : standing.outOfDate
      ? 'out of date: it was changed since'
      : 'not verified';
  const stages = standing.stages.map((one) => [one.stage, one.state, one.done.join(', '), one.inHand.join(', ')]);
  const lines = [`${id}: ${title} (${state})`, textTable([['STAGE', 'STATE', 'DONE BY', 'IN HAND'], ...stages])];
  if (mine) {
    const left = mine.platforms.filter((one) => one !== '');
    lines.push(`You have the stage ${mine.stage} in hand${left.length > 0 ? `, on ${left.join(', ')}` : ''}.`);
    if (!mine.isCurrent) lines.push('The composition was changed since you claimed it. Claim it again.');
  } else for (const { stage, why } of claims) lines.push(`${stage}: ${why ?? 'you can claim it'}`);
  if (isClosed) lines.push(`Its top-level task: ${task ?? 'none yet'}`);
  const answers = truth.map(({ member, output, value }) => {
    const given = handed.map(({ judged }) => {
      const found = judged.find((one) => one.member === member && one.output === output);
      return found ? `${found.matches ? '✓' : '✗'} ${found.text}` : '';
    });
    return [`${member}.${output}`, value, ...given];
  });
  const heads = handed.map(({ name, stage, platform }) =>
    [name, stage, platform].filter((one) => one !== '').join(' '),
  );
  if (handed.length > 0) lines.push(textTable([['ANSWER', 'TRUE', ...heads], ...answers]));
  return [...lines, ...tables.map(({ title: of, rows }) => `${of}\n${textTable(rows)}`)].join('\n');
}
