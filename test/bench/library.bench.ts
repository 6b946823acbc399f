/**
 * A large workspace as its pages ask for it: the library, My work, tasks, the data set, Insights, one recording and one gesture; on
 * SQLite and on Debian's PostgreSQL, beside a workspace of a tenth of the recordings. A page that shows one recording must take
 * the same time in both: they are asked in turns, so that what else the machine does is in both.
 *
 *     node test/bench/library.bench.ts [--recordings 10000] [--steps 100] [--engine sqlite|postgres] [--before TREE] [--rounds 5] [--keep DIR] [--json]
 *
 * How 1,000,000 steps come there (test/support/scale-workspace.ts, `thin`): ten recordings are written, indexed, annotated gesture by
 * gesture and counted by the studio's own functions. The others are folders of their own, indexed by the studio, whose raw files are
 * links to those of the ten; the rows of their documents, their history and their figures are those of the ten under other ids, in the
 * tables' own form. What the studio counts of three of them anew is compared with what was planted. PostgreSQL gets the same rows by
 * the function that brings a workspace there.
 *
 * `--before TREE`: also the studio of another checkout, both asked in turns, with the ratio: on SQLite one of before the team's server
 * (what one person has must not be slower), on PostgreSQL one that knows the same version of the database, since both work on one. `--keep`: where the workspaces are made, and used again by the next run.
 */
import { fork, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../schemas/api/contract.ts';
import { writeElsewhere } from '../../studio/store/place.ts';
import { copyToPostgres } from '../../studio/store/postgres/rows.ts';
import { openServer } from '../../studio/store/postgres/server.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type ScaleSize, scaleWorkspace } from '../support/scale-workspace.ts';
import { until } from '../support/until.ts';

type Api = ContractRouterClient<Contract>;
type Asked = { api: Api; ws: string; person: string; task: string; recording: string };
type Studio = Asked & { stop(): Promise<void> };
/** The median of the rounds, ms, by the name of the question. */
type Times = Record<string, number>;
type Measured = { engine: string; recordings: number; before: Times | null; now: Times };

const recordings = Number(flag('recordings') ?? 10_000);
const rounds = Number(flag('rounds') ?? 5);
const tree = flag('before');
const engines = flag('engine') === null ? ['sqlite', 'postgres'] : [flag('engine') ?? ''];
const kept = flag('keep');
const folder = kept ?? fs.mkdtempSync(path.join(os.tmpdir(), 'studio-library-bench-'));
/** How long the team's server took, ms. */
const GOALS: Times = { 'library: recordings': 300, 'my work': 100 };
/** Questions about one recording: their time must not grow with the workspace. */
const OF_ONE = ['one task', 'one recording', 'one gesture'];

const sizeOf = (count: number): ScaleSize => ({
  recordings: count,
  tasks: Math.ceil(count / 10),
  steps: Number(flag('steps') ?? 100),
  longSteps: 20,
  longEvents: 200,
  people: 20,
  videoBytes: 100,
  thin: true,
});

let gestures = 0;
const QUESTIONS: Record<string, (asked: Asked) => Promise<unknown>> = {
  'library: tasks': ({ api, ws }) => api.tasks.list({ ws }),
  'library: recordings': ({ api, ws }) => api.recordings.list({ ws }),
  'library: people and software': ({ api, ws }) => Promise.all([api.people.list({ ws }), api.software.list({ ws })]),
  'my work': ({ api, ws, person }) => api.review.queue({ ws, person }),
  'data set: rows': ({ api, ws }) => api.dataset.rows({ ws }),
  'data set: statistics': ({ api, ws }) => api.dataset.statistics({ ws, source: { kind: 'filter', filter: {} } }),
  insights: ({ api, ws }) => api.review.dashboard({ ws }),
  jobs: ({ api, ws }) => api.jobs.list({ ws }),
  'one task': ({ api, ws, task }) => api.tasks.get({ ws, task }),
  'one recording': ({ api, ws, recording }) =>
    Promise.all([api.recordings.now({ ws, recording }), api.annotation.get({ ws, recording })]),
  'one gesture': async ({ api, ws, recording, person }) => {
    const { records } = await api.annotation.get({ ws, recording, person });
    const before = records.find((record) => record.kind === 'label');
    if (!before) throw new Error(`${recording} has no label.`);
    const after = { ...before, element: `Button ${gestures++}` };
    const changes = [{ op: 'change' as const, before, after }];
    await api.annotation.apply({ ws, recording, person, transaction: { id: randomUUID(), label: 'Name', changes } });
  },
};

async function open(dir: string, of: string | null, database: string | null): Promise<Studio> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-library-home-'));
  const script = path.join(import.meta.dirname, '..', 'support', 'scale-studio.ts');
  const env = { ...process.env, ...(database !== null && { STUDIO_DATABASE: database }) };
  const args = ['--home', home, ...(of === null ? [] : ['--tree', of])];
  const child = fork(script, args, { stdio: 'inherit', env });
  const [{ origin, token }] = (await once(child, 'message')) as [{ origin: string; token: string }]; // Of scale-studio.ts.
  const headers = { authorization: `Bearer ${token}` };
  const api: Api = createORPCClient(new RPCLink({ url: `${origin}/rpc`, headers: () => headers }));
  const from = performance.now();
  const { id: ws } = await api.workspaces.open({ dir, create: false });
  const rows = async (): Promise<true | undefined> =>
    (await api.dataset.rows({ ws })).uncounted === 0 ? true : undefined;
  await until('all rows to be counted', rows, { timeoutMs: 1_800_000, everyMs: 1000 });
  progress(`opened and counted after ${((performance.now() - from) / 1000).toFixed(0)} s`);
  const person = (await api.people.list({ ws }))[1]?.id ?? '';
  // One that nobody has approved: every second one is.
  const recording = '2026-05-04-0001-scale';
  const task = (await api.recordings.list({ ws })).find(({ id }) => id === recording)?.task ?? '';
  return {
    api,
    ws,
    person,
    task,
    recording,
    async stop() {
      const ended = once(child, 'exit');
      child.send('end');
      await ended;
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The questions to each studio in turns, so that what else the machine does is in all of them. */
async function ask(studios: readonly Studio[]): Promise<Times[]> {
  const all = studios.map((): Times => ({}));
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const times = studios.map((): number[] => []);
    for (let round = 0; round <= rounds; round++) {
      for (const [n, studio] of studios.entries()) {
        const from = performance.now();
        await question(studio);
        // The first is not counted: it reads what later ones find in memory.
        if (round > 0) times[n]!.push(performance.now() - from);
      }
    }
    for (const [n, one] of times.entries()) all[n]![name] = median(one);
  }
  return all;
}

/** A copy of the workspace, its files by links: each studio derives in a place of its own. */
function copyOf(workspace: string, name: string): string {
  const dir = path.join(folder, name);
  fs.rmSync(dir, { recursive: true, force: true });
  fs.mkdirSync(dir, { recursive: true });
  fs.copyFileSync(path.join(workspace, 'studio.sqlite'), path.join(dir, 'studio.sqlite'));
  // Files of a recording are never changed in their place.
  const copied = spawnSync('cp', ['-al', path.join(workspace, 'recordings'), path.join(dir, 'recordings')]);
  if (copied.status !== 0) throw new Error(copied.stderr.toString());
  return dir;
}

/** The same workspace as the older tree makes it, whose database is of an older version. */
async function madeBy(of: string, count: number): Promise<string> {
  const script = path.join(of, 'test', 'support', 'scale-workspace.ts');
  // The same function of an older tree.
  const old = (await import(pathToFileURL(script).href)) as { scaleWorkspace: typeof scaleWorkspace };
  return old.scaleWorkspace(path.join(folder, `before-${count}`), sizeOf(count), progress);
}

type Opened = { studio: Studio; count: number; of: 'before' | 'now' };

async function onSqlite(counts: readonly number[], workspaces: readonly string[], opened: Opened[]): Promise<void> {
  for (const [n, count] of counts.entries()) {
    if (tree !== null) {
      const of = path.resolve(tree);
      const dir = copyOf(await madeBy(of, count), `sqlite-before-${count}`);
      opened.push({ studio: await open(dir, of, null), count, of: 'before' });
    }
    opened.push({ studio: await open(copyOf(workspaces[n]!, `sqlite-${count}`), null, null), count, of: 'now' });
  }
}

async function onPostgres(
  counts: readonly number[],
  workspaces: readonly string[],
  opened: Opened[],
  postgres: TestPostgres,
): Promise<void> {
  for (const [n, count] of counts.entries()) {
    const address = await postgres.make();
    const dir = copyOf(workspaces[n]!, `postgres-${count}`);
    const server = await openServer(address);
    const id = randomUUID();
    try {
      progress('carrying the rows to PostgreSQL');
      await copyToPostgres(path.join(dir, 'studio.sqlite'), server, id);
      writeElsewhere(dir, id, server.where);
    } finally {
      await server.close();
    }
    fs.rmSync(path.join(dir, 'studio.sqlite'));
    if (tree !== null) opened.push({ studio: await open(dir, path.resolve(tree), address), count, of: 'before' });
    opened.push({ studio: await open(dir, null, address), count, of: 'now' });
  }
}

/** The small and the large workspace in turns. */
async function measure(engine: string, counts: readonly number[], workspaces: readonly string[]): Promise<Measured[]> {
  const postgres = engine === 'postgres' ? await startPostgres() : null;
  const opened: Opened[] = [];
  try {
    await (postgres ? onPostgres(counts, workspaces, opened, postgres) : onSqlite(counts, workspaces, opened));
    const times = await ask(opened.map(({ studio }) => studio));
    const timesOf = (count: number, of: Opened['of']): Times | null =>
      times[opened.findIndex((one) => one.count === count && one.of === of)] ?? null;
    const name = postgres ? 'PostgreSQL' : 'SQLite';
    return counts.map((count) => ({
      engine: name,
      recordings: count,
      before: timesOf(count, 'before'),
      now: timesOf(count, 'now')!,
    }));
  } finally {
    for (const { studio } of opened) await studio.stop();
    postgres?.stop();
  }
}

function text(about: string, all: readonly Measured[], load: number): string {
  const lines = [
    `A workspace of ${recordings} recordings with ${recordings * sizeOf(1).steps} steps over ${sizeOf(recordings).tasks} tasks, beside one of a tenth of it; medians of ${rounds}, ms`,
    about,
    `load of the machine before and after: ${load.toFixed(1)}, ${(os.loadavg()[0] ?? 0).toFixed(1)}`,
  ];
  for (const engine of new Set(all.map((one) => one.engine))) {
    const [small, large] = all.filter((one) => one.engine === engine);
    if (!small || !large) continue;
    const head = large.before ? ` ${'before'.padStart(9)} ${'now/before'.padStart(11)}` : '';
    lines.push(
      '',
      `${engine.padEnd(34)}${String(small.recordings).padStart(9)} ${String(large.recordings).padStart(9)} ${'growth'.padStart(8)}${head}`,
    );
    for (const [name, ms] of Object.entries(large.now)) {
      const few = small.now[name] ?? Number.NaN;
      const old = large.before?.[name];
      const beside = old === undefined ? '' : ` ${old.toFixed(1).padStart(9)} ${(ms / old).toFixed(2).padStart(11)}`;
      const goal = GOALS[name] === undefined ? '' : `   (goal ${GOALS[name]} ms)`;
      lines.push(
        `  ${name.padEnd(32)}${few.toFixed(1).padStart(9)} ${ms.toFixed(1).padStart(9)} ${(ms / few).toFixed(1).padStart(8)}${beside}${goal}`,
      );
    }
    const grown = OF_ONE.map((name) => `${name} ${((large.now[name] ?? 0) / (small.now[name] ?? 1)).toFixed(1)}`);
    lines.push(`  of one recording or task, ten times as many beside them: ${grown.join(', ')}   (goal: about 1)`);
  }
  return lines.join('\n');
}

const about = await machine();
const [load = 0] = os.loadavg();
try {
  const counts = [Math.ceil(recordings / 10), recordings];
  const workspaces: string[] = [];
  for (const count of counts) {
    workspaces.push(await scaleWorkspace(path.join(folder, `of-${count}`), sizeOf(count), progress));
  }
  const all: Measured[] = [];
  for (const engine of engines) {
    progress(`on ${engine}`);
    all.push(...(await measure(engine, counts, workspaces)));
  }
  report({ bench: 'library', machine: about, load, goals: GOALS, measured: all }, text(machineLine(about), all, load));
} finally {
  if (kept === null) fs.rmSync(folder, { recursive: true, force: true });
}
