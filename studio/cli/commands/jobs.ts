import type { Command } from 'commander';
import { jobForms, jobsContract, type WholeJob } from '../../../schemas/api/jobs.ts';
import type { Job } from '../../../schemas/api/models.ts';
import { type CliContext, examples } from '../context.ts';
import { followJob } from '../follow.ts';
import { composer, mirror } from '../mirror.ts';
import { reporter } from '../progress.ts';
import { textTable } from '../table.ts';

const handlers = async () => (await import('../../api/routes/jobs.ts')).jobRoutes;

/** `jobs`: long work of a workspace, also after the program that did it has ended. */
export function register(program: Command, context: CliContext): void {
  const jobs = program
    .command('jobs')
    .description('long work: exports, imports, plays; without a subcommand it lists it');
  examples(jobs, [['jobs --workspace W', 'the last 200, newest first']]);
  const add = mirror({ contract: jobsContract, handlers }, context);
  add(jobs, ['jobs', 'list'], {
    isDefault: true,
    json: (all) => ({ jobs: all }),
    text: (all) =>
      all.length > 0
        ? textTable([['JOB', 'KIND', 'STATE', 'BEGUN', 'WHO', 'WHAT', ''], ...all.map(rowOf)])
        : 'No long work was done here yet.',
  });
  add(jobs, ['jobs', 'get'], { json: (job) => ({ job }), text: describe });
  add(jobs, ['jobs', 'cancel'], {
    json: (_, { job }) => ({ cancelled: job }),
    text: (_, { job }) => `Asked ${job} to stop.`,
  });
  composer(handlers, context)(jobs, jobForms.again, async ({ call, input: { job } }) => {
    let id = '';
    const begin = async () => {
      const begun = (await call(['jobs', 'again'], { job })) as Job; // The contract says so.
      id = begun.id;
      return begun;
    };
    await followJob(call, { begin, report: reporter(context) });
    const done = (await call(['jobs', 'get'], { job: id })) as WholeJob;
    context.result({ job: done }, describe(done));
  });
}

const rowOf = ({ id, kind, subject, state, progress, createdAt, person, error, message, again }: Job): string[] => [
  id.slice(0, 8),
  kind,
  state === 'running' ? `running ${Math.floor(progress * 100)} %` : state,
  createdAt,
  person ?? '-',
  subject,
  `${error ? `${error.code}: ${error.message}` : (message ?? '')}${again ? ' (again: `jobs again`)' : ''}`,
];

function describe(job: WholeJob): string {
  const lines: (readonly [string, string | null | undefined])[] = [
    ['job', job.id],
    ['kind', job.kind],
    ['what', job.subject],
    ['state', job.state === 'running' ? `running, ${Math.floor(job.progress * 100)} %` : job.state],
    ['message', job.message],
    ['error', job.failure && `${job.failure.code}: ${job.failure.message}`],
    ['asked by', job.person],
    ['begun', job.createdAt],
    ['at work from', job.startedAt],
    ['over', job.finishedAt],
    ['call', job.call && `${job.call.name} ${JSON.stringify(job.call.input)}`],
    ['recordings', job.recordings?.join(', ')],
    ['done again by', job.next],
    ['again', job.again ? `npm run studio -- jobs again ${job.id.slice(0, 8)}` : null],
  ];
  const said = lines.filter((line): line is readonly [string, string] => Boolean(line[1]));
  return said.map(([name, text]) => `${name.padEnd(13)} ${text}`).join('\n');
}
