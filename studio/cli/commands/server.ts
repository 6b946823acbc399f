import type { Command } from 'commander';
import { askedLine } from '../../../core/play/asked.ts';
import type { Job } from '../../../schemas/api/models.ts';
import type { OutgoingRecording } from '../../../schemas/api/team-server.ts';
import { serverTake, teamServerContract } from '../../../schemas/api/team-server.ts';
import type { AskedSetup } from '../../../schemas/consent.ts';
import { type CliContext, examples } from '../context.ts';
import { followJob } from '../follow.ts';
import { composer, mirror } from '../mirror.ts';
import { reporter } from '../progress.ts';
import { textTable } from '../table.ts';
import { minuteOf } from './invite.ts';

/** `server`: the tasks of the team's server that `connect` named, and the recordings that go there. */
export function register(program: Command, context: CliContext): void {
  const server = program
    .command('server')
    .description("tasks of the team's server that you are to record, and your recordings on their way there");
  examples(server, [['server tasks --workspace W', 'what there is to record']]);
  const handlers = async () => {
    const [{ teamServerRoutes }, { jobRoutes }, { setupRoutes }] = await Promise.all([
      import('../../api/routes/team-server.ts'),
      import('../../api/routes/jobs.ts'),
      import('../../api/routes/setup.ts'),
    ]);
    return { ...teamServerRoutes, ...jobRoutes, ...setupRoutes };
  };
  const add = mirror({ contract: teamServerContract, handlers }, context);
  add(server, ['teamServer', 'tasks'], {
    json: (list) => list,
    text: ({ origin, person, away, clock, tasks }) => {
      if (clock !== null) context.progress(`warning: ${clock}`);
      if (away !== null) context.progress(`warning: ${away.message} These are the tasks that were taken before.`);
      const rows = tasks.map(({ id, mine, taken, recordings, software, goal }) => [
        id,
        mine ? 'you' : 'anybody',
        taken ? 'yes' : 'no',
        String(recordings),
        software.name,
        goal,
      ]);
      if (rows.length > 0) return textTable([['TASK', 'FOR', 'TAKEN', 'RECORDINGS', 'APP', 'GOAL'], ...rows], [3]);
      return `${origin} has no task that ${person?.name ?? 'you'} should record.`;
    },
  });
  composer(handlers, context)(server, serverTake, async ({ call, input: { task } }) => {
    let taken = task;
    await followJob(call, {
      async begin() {
        const answer = (await call(['teamServer', 'take'], { task })) as { task: string; job: Job | null }; // The contract says so.
        taken = answer.task;
        return answer.job;
      },
      report: reporter(context),
    });
    const asked = (await call(['setup', 'asked'], { task: taken })) as AskedSetup[]; // The contract says so.
    const brought = asked.length > 0 ? ['Came with it; nothing of it is run before you agree:'] : [];
    context.result(
      { task: taken, asked: asked.map(({ kind, hash }) => ({ kind, hash })) },
      [
        `${taken} is a task of this workspace now, with its files. Record it with --task ${taken}.`,
        ...brought,
        ...asked.map((one) => `  ${askedLine(one)}`),
        ...(asked.length > 0 ? [`\`tasks trust ${taken}\` shows all of it and remembers your answer.`] : []),
      ].join('\n'),
    );
  });
  add(server, ['teamServer', 'outgoing'], {
    json: (list) => list,
    text: ({ origin, away, recordings }) => {
      if (away !== null) context.progress(`warning: nothing goes on: ${away.message}`);
      const rows = recordings.map((one) => [one.recording, one.task ?? '', stateOf(one)]);
      return rows.length > 0 ? textTable([['RECORDING', 'TASK', 'STATE'], ...rows]) : `Nothing goes to ${origin}.`;
    },
  });
}

function stateOf({ state, progress, message, confirmedAt, here, error }: OutgoingRecording): string {
  switch (state) {
    case 'recording':
      return 'being recorded';
    case 'waiting':
      return 'waits for its turn';
    case 'sending':
      return `${Math.round(progress * 100)} %${message === null ? '' : `: ${message}`}`;
    case 'held':
      return `held: ${error?.message ?? ''}`;
    case 'there':
      return `there since ${confirmedAt === null ? '?' : minuteOf(confirmedAt)}${here ? '' : '; the copy here was removed'}`;
  }
}
