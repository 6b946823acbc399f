/**
 * Jobs of a team's server on Debian's PostgreSQL. A queue of 100,000: how long it takes to add one, to begin it, to list, to stop and
 * to take a piece of work for a worker, beside a queue of a hundred, asked in turns; whether each is done once in the end. And jobs a
 * minute by two processes of the API with one, two and three workers.
 *
 *     node test/bench/jobs.bench.ts [--jobs 100000] [--exports 60] [--rounds 20] [--json]
 *
 * `--exports 0`: the queue alone; `--jobs 0`: the workers alone.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isActive } from '../../schemas/api/job-state.ts';
import { type Jobs, openJobs } from '../../studio/store/jobs/queue.ts';
import { openPlace } from '../../studio/store/place.ts';
import type { Workspace } from '../../studio/store/workspace.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import type { Started } from '../support/process.ts';
import { scaleWorkspace } from '../support/scale-workspace.ts';
import { accept, ownerOf, type Person, type Server, serveTeam, startWorker } from '../support/team-processes.ts';
import { until } from '../support/until.ts';

const many = Number(flag('jobs') ?? 100_000);
/** The list of jobs has the newest 200. */
const MOST_EXPORTS = 150;
const exportsWished = Math.min(MOST_EXPORTS, Number(flag('exports') ?? 60));
const rounds = Number(flag('rounds') ?? 20);
const FEW = 100;
/** So many are added, and so many go on, at the same time: two servers with a few people each. */
const AT_ONCE = 8;
const WORKERS = [1, 2, 3] as const;
const RECORDINGS = 10;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-jobs-bench-'));

/** Two processes' jobs over one database; the first has the queue. */
type Place = { workspace: Workspace; busy: Jobs; other: Jobs; release(): void; done: Map<string, number> };
type Queue = { times: Record<string, number[]>; addedPerSecond: number };

async function openQueue(postgres: TestPostgres, name: string): Promise<Place> {
  process.env.STUDIO_DATABASE = await postgres.make();
  const workspace = await openPlace(path.join(folder, name), { create: true });
  delete process.env.STUDIO_DATABASE;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const busy = await openJobs(workspace, undefined, () => AT_ONCE);
  const other = await openJobs(workspace, undefined, () => AT_ONCE);
  for (let n = 0; n < AT_ONCE; n++) await busy.add('import', `held ${n}`, () => held.then(() => null));
  return { workspace, busy, other, release, done: new Map() };
}

async function fill({ busy, done }: Place, count: number): Promise<Queue> {
  let next = 0;
  const from = performance.now();
  const adder = async (): Promise<void> => {
    while (next < count) {
      const subject = `job ${next++}`;
      await busy.add('import', subject, () => {
        done.set(subject, (done.get(subject) ?? 0) + 1);
        return Promise.resolve(null);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, adder));
  return { times: {}, addedPerSecond: count / ((performance.now() - from) / 1000) };
}

/** The questions of people and processes while the queue is full. */
const QUESTIONS: Record<string, (place: Place) => Promise<unknown>> = {
  'add one behind it': ({ busy }) => busy.add('import', 'one more', () => Promise.resolve(null)),
  'begin one in another lane and end it': async ({ busy }) =>
    busy.finished((await busy.add('freeze', 'v1', () => Promise.resolve(null))).id),
  'begin one in the other process and end it': async ({ other }) =>
    other.finished((await other.add('import', 'other', () => Promise.resolve(null))).id),
  'list, in the process that has it': ({ busy }) => busy.list(),
  'list, in the other': ({ other }) => other.list(),
  'stop one that waits, from the other': async ({ busy, other }) => {
    const { id } = await busy.add(
      'export',
      'to stop',
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    await other.cancel(id);
    // It is looked for stops now and then, in every queue alike.
    await until('the stop to arrive', async () => !isActive((await busy.get(id)).job), { everyMs: 20 });
  },
};

async function queues(
  postgres: TestPostgres,
): Promise<{ few: Queue; full: Queue; secondsToEmpty: number; memoryMb: number; twice: number; left: number }> {
  const places = { few: await openQueue(postgres, 'few'), full: await openQueue(postgres, 'full') };
  const few = await fill(places.few, FEW);
  progress(`adding ${many} jobs`);
  const full = await fill(places.full, many);
  progress('asking in turns');
  for (let round = 0; round < rounds; round++) {
    for (const [question, ask] of Object.entries(QUESTIONS)) {
      for (const [queue, place] of [
        [few, places.few],
        [full, places.full],
      ] as const) {
        const from = performance.now();
        await ask(place);
        queue.times[question] = [...(queue.times[question] ?? []), performance.now() - from];
      }
    }
  }
  progress('letting them go');
  const from = performance.now();
  for (const { release } of Object.values(places)) release();
  await until('the queue to be empty', () => places.full.done.size >= many, { timeoutMs: 3_600_000, everyMs: 500 });
  const secondsToEmpty = (performance.now() - from) / 1000;
  const { rss } = process.memoryUsage();
  const open = async (): Promise<number> => (await places.full.busy.list()).filter(isActive).length;
  await until('the last to be written', async () => (await open()) === 0, { timeoutMs: 60_000 });
  const twice = [...places.full.done.values()].filter((times) => times > 1).length;
  const left = many - places.full.done.size;
  for (const { busy, other, workspace } of Object.values(places)) {
    await busy.close();
    await other.close();
    await workspace.close();
  }
  return { few, full, secondsToEmpty, memoryMb: rss / 1e6, twice, left };
}

type Client = Person & { ws: string };
type Throughput = { workers: number; perMinute: number; failed: number };

/** Exports of the same recordings, begun by two processes of the API in turns. */
async function throughput(postgres: TestPostgres, from: string): Promise<Throughput[]> {
  const database = await postgres.make();
  const servers: Server[] = [];
  const workers: Started[] = [];
  const all: Throughput[] = [];
  try {
    for (const first of [true, false])
      servers.push(await serveTeam({ folder, name: 'lab', from: first ? from : null, database }));
    const owner = await ownerOf(servers[0]!);
    const { api, ws } = owner;
    const invited = await api.team.invite({ ws, email: 'second@lab.test', role: 'manager', name: 'Second' });
    const clients: Client[] = [owner, { ws, ...(await accept(servers[1]!.origin, invited.link, 'Second')) }];
    await until('the recordings to be there', async () => (await api.recordings.list({ ws })).length >= RECORDINGS);
    for (const count of WORKERS) {
      while (workers.length < count) workers.push(await startWorker(servers[0]!));
      // The servers count workers anew after two seconds; the first exports read code for the first time.
      await exported(clients, `warm-${count}`, 2 * count);
      progress(`${exportsWished} exports by ${count} of ${WORKERS.length} workers`);
      const start = performance.now();
      const failed = await exported(clients, `by-${count}`, exportsWished);
      all.push({ workers: count, perMinute: exportsWished / ((performance.now() - start) / 60_000), failed });
    }
    return all;
  } finally {
    for (const worker of workers) await worker.stop(5000);
    for (const server of servers) await server.process.stop(5000);
  }
}

/** Gives how many failed. */
async function exported(clients: readonly Client[], name: string, count: number): Promise<number> {
  const source = { kind: 'filter' as const, filter: {} };
  const wishes = { formats: [{ name: 'opencua' }], source, all: true };
  const begun = new Set<string>();
  for (let n = 0; n < count; n++) {
    const { api, ws } = clients[n % clients.length]!;
    begun.add((await api.exports.start({ ws, wishes, out: `${name}-${n}` })).id);
  }
  const [{ api, ws }] = clients as [Client];
  let failed = 0;
  await until(
    'the exports',
    async () => {
      const mine = (await api.jobs.list({ ws })).filter(({ id }) => begun.has(id));
      const bad = mine.filter(({ state }) => state === 'failed');
      if (bad.length > failed) progress(`failed: ${bad[0]?.error?.message}`);
      failed = bad.length;
      return mine.length === count && !mine.some(isActive);
    },
    { timeoutMs: 900_000, everyMs: 300 },
  );
  return failed;
}

const about = await machine();
const [load = 0] = os.loadavg();
const postgres = await startPostgres();
try {
  const queue = many > 0 ? await queues(postgres) : null;
  const workers = exportsWished > 0 ? await throughput(postgres, path.join(await made(), 'recordings')) : null;
  report({ bench: 'jobs', machine: about, load, queue, workers }, text(queue, workers));
  if ((queue && queue.twice + queue.left > 0) || workers?.some(({ failed }) => failed > 0)) process.exitCode = 1;
} finally {
  postgres.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}

function made(): Promise<string> {
  progress(`making ${RECORDINGS} recordings`);
  const size = {
    recordings: RECORDINGS,
    steps: 75,
    tasks: 10,
    longSteps: 20,
    longEvents: 200,
    people: 5,
    videoBytes: 100,
  };
  return scaleWorkspace(path.join(folder, 'ten'), size, () => {});
}

function text(queue: Awaited<ReturnType<typeof queues>> | null, workers: readonly Throughput[] | null): string {
  const after = (os.loadavg()[0] ?? 0).toFixed(1);
  const lines = [
    "Jobs of a team's server on Debian's PostgreSQL",
    machineLine(about),
    `load of the machine before and after: ${load.toFixed(1)}, ${after}`,
  ];
  if (queue) {
    const { few, full, secondsToEmpty, memoryMb, twice, left } = queue;
    lines.push(
      '',
      `medians of ${rounds} rounds in turns, ms`.padEnd(46) +
        `${FEW}`.padStart(8) +
        `${many}`.padStart(10) +
        '   ratio',
    );
    for (const question of Object.keys(QUESTIONS)) {
      const [a, b] = [median(few.times[question] ?? []), median(full.times[question] ?? [])];
      lines.push(
        `  ${question.padEnd(44)}${a.toFixed(1).padStart(8)}${b.toFixed(1).padStart(10)}${(b / a).toFixed(2).padStart(8)}`,
      );
    }
    lines.push(
      `  added a second                  ${full.addedPerSecond.toFixed(0)}`,
      `  done a second, when they do nothing  ${(many / secondsToEmpty).toFixed(0)}`,
      `  memory of the process at the end     ${memoryMb.toFixed(0)} MB`,
      `  done twice, not done                 ${twice}, ${left}`,
    );
  }
  if (workers) {
    const [one] = workers;
    lines.push(
      '',
      `Exports of ${RECORDINGS} recordings, begun by two processes of the API in turns, ${exportsWished} for each row`,
    );
    for (const { workers: count, perMinute, failed } of workers)
      lines.push(
        `  ${count} of ${WORKERS.length} workers  ${perMinute.toFixed(0).padStart(6)} a minute, ${(perMinute / one!.perMinute).toFixed(2)} of one; ${failed} failed`,
      );
  }
  return lines.join('\n');
}
