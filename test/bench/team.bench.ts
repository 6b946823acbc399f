/**
 * A team at once: 50 annotators as real clients of `serve --team`, each with a session of their own, one gesture every three
 * seconds, each following ten recordings. How long a gesture took, whether one was lost, whether everybody has the same documents
 * in the end; and how long the list of a library with 10,000 recordings takes. On SQLite and on Debian's PostgreSQL.
 *
 *     node test/bench/team.bench.ts [--people 50] [--seconds 60] [--recordings 10000] [--engine sqlite|postgres] [--profile DIR] [--json]
 *
 * `--before TREE`: gestures also on the servers of another checkout, in the same run, with the ratio. `--servers 2`: so many processes
 * of the API over one database, people shared out among them (on SQLite always one); `--workers 3`: beside them so many workers, which
 * ask for work all the time (on SQLite none). `--few 5`: before the crowd so many people alone
 * on the same servers, with the ratio: what the crowd costs, on a machine that may have other work.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { emptyLabel } from '../../core/annotate/label.ts';
import { plural } from '../../core/words.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { CLI } from '../support/cli.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import type { Started } from '../support/process.ts';
import { scaleWorkspace } from '../support/scale-workspace.ts';
import { accept, ownerOf, type Person, type Server, serveTeam, startWorker } from '../support/team-processes.ts';
import { sleep, until } from '../support/until.ts';

type Crowd = {
  gestures: number;
  medianMs: number;
  p95Ms: number;
  mostMs: number;
  lost: number;
  unequal: number;
  streams: number;
};
type Library = { recordings: number; listMs: number; workMs: number };
type Measured = {
  engine: string;
  servers: number;
  workers: number;
  before: Crowd | null;
  few: Crowd;
  crowd: Crowd;
  library: Library | null;
};

const people = Number(flag('people') ?? 50);
const seconds = Number(flag('seconds') ?? 60);
/** 0: gestures alone. */
const recordings = Number(flag('recordings') ?? 10_000);
const few = Number(flag('few') ?? 5);
const processes = Number(flag('servers') ?? 2);
const helpers = Number(flag('workers') ?? 3);
/** A folder for a profile of each server's processor time, or null. */
const profiles = flag('profile');
/** The folder of another checkout, or null. */
const tree = flag('before');
const engines = flag('engine') === null ? ['sqlite', 'postgres'] : [flag('engine') ?? ''];

/** Goals of the team's server, ms. */
const GOALS = { gestureMs: 100, libraryMs: 300, workMs: 100 } as const;
const FOLLOWED = 10;
const EVERY_MS = 3000;
const SIZE = { tasks: 1000, longSteps: 20, longEvents: 200, people: 5, videoBytes: 100 } as const;
/** So long a server may take to end, ms: it writes its profile then. */
const END_MS = profiles === null ? 5000 : 120_000;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-team-bench-'));
/** As scale-workspace.ts names them. */
const idOf = (n: number): string => `2026-05-04-${String(n).padStart(4, '0')}-scale`;

/** The folders of ten recordings of so many steps, which the others are copies of under other ids; for both engines. */
async function recordingsOf(name: string, count: number, steps: number): Promise<string> {
  progress(`making ${count} recordings`);
  const size = { ...SIZE, recordings: FOLLOWED, steps };
  const from = path.join(await scaleWorkspace(path.join(folder, name), size, () => {}), 'recordings');
  for (let n = FOLLOWED; n < count; n++) {
    const [old, id] = [idOf(n % FOLLOWED), idOf(n)];
    fs.cpSync(path.join(from, old), path.join(from, id), { recursive: true });
    for (const file of ['recording.json', path.join('keyframes', 'index.json')]) {
      const at = path.join(from, id, file);
      fs.writeFileSync(at, fs.readFileSync(at, 'utf8').replaceAll(old, id));
    }
  }
  return from;
}

const profilingOf = (name: string): string[] =>
  profiles === null ? [] : ['--cpu-prof', '--cpu-prof-dir', path.resolve(profiles, name)];

/** Each person is a client of one of the servers. */
async function crowdOf(servers: readonly Server[], count = people): Promise<Crowd> {
  const owner = await ownerOf(servers[0]!);
  const { ws } = owner;
  await until(
    'the recordings to be in the index',
    async () => (await owner.api.recordings.list({ ws })).length >= FOLLOWED,
  );
  progress(`inviting ${count} people`);
  const all: Person[] = [];
  for (let n = 0; n < count; n++) {
    const name = `P ${n} of ${count}`;
    const invited = await owner.api.team.invite({ ws, email: `p${n}-${count}@lab.test`, role: 'annotator', name });
    all.push(await accept(servers[n % servers.length]!.origin, invited.link, name));
  }
  const followed = Array.from({ length: FOLLOWED }, (_, n) => idOf(n));
  const stop = new AbortController();
  /** By person and recording: ids of the transactions that came, in their order. */
  const seen = all.map(() => new Map(followed.map((recording) => [recording, [] as string[]])));
  const streams: Promise<unknown>[] = [];
  for (const [n, { api }] of all.entries()) {
    for (const recording of followed) {
      const { version } = await api.annotation.get({ ws, recording });
      const changes = await api.annotation.watch({ ws, recording, since: version }, { signal: stop.signal });
      streams.push(follow(changes, seen[n]?.get(recording) ?? []));
    }
  }
  progress(`${count} people for ${seconds} s`);
  const times: number[] = [];
  const done = new Map(followed.map((recording) => [recording, [] as string[]]));
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    all.map(async (person, n) => {
      const recording = followed[n % FOLLOWED]!;
      await annotate({ person, n, count, ws, recording, end, times, done: done.get(recording)! });
    }),
  );
  const isHere = () =>
    seen.every((one) => followed.every((recording) => one.get(recording)!.length >= done.get(recording)!.length));
  await until('everybody to have seen everything', isHere, { timeoutMs: 30_000 }).catch(() => undefined);
  let [lost, unequal] = [0, 0];
  for (const recording of followed) {
    const confirmed = new Set(done.get(recording));
    const orders = new Set(seen.map((one) => one.get(recording)!.join(' ')));
    if (orders.size !== 1) unequal++;
    for (const one of seen) {
      const came = new Set(one.get(recording));
      lost += [...confirmed].filter((id) => !came.has(id)).length;
    }
    const documents = new Set<string>();
    for (const { api } of all) documents.add(JSON.stringify((await api.annotation.get({ ws, recording })).records));
    if (documents.size !== 1) unequal++;
  }
  stop.abort();
  await Promise.race([Promise.allSettled(streams), sleep(2000)]);
  const sorted = times.toSorted((a, b) => a - b);
  const p95Ms = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  return {
    gestures: times.length,
    medianMs: median(times),
    p95Ms,
    mostMs: sorted.at(-1) ?? Number.NaN,
    lost,
    unequal,
    streams: streams.length,
  };
}

async function follow(changes: AsyncIterable<{ id: string }>, into: string[]): Promise<void> {
  for await (const { id } of changes) into.push(id);
}

type Work = {
  person: Person;
  n: number;
  count: number;
  ws: string;
  recording: string;
  end: number;
  times: number[];
  done: string[];
};

/** Names the elements of steps that are this person's own: those who share a recording share out its steps. */
async function annotate({ person: { api, name }, n, count, ws, recording, end, times, done }: Work): Promise<void> {
  const { steps } = await api.recordings.open({ ws, recording });
  const share = Math.ceil(count / FOLLOWED);
  const own = steps.filter((_, at) => at % share === Math.floor(n / FOLLOWED));
  const { records } = await api.annotation.get({ ws, recording });
  // Others may have named them before.
  const labels = new Map(records.flatMap((one) => (one.kind === 'label' ? [[one.action, one] as const] : [])));
  await sleep((n * EVERY_MS) / count);
  for (let at = 0; performance.now() < end; at++) {
    const action = own[at % own.length]!.id;
    const before = labels.get(action);
    const after = {
      ...(before ?? emptyLabel(action)),
      element: `Button ${at} of ${name}`,
      elementSource: 'hand' as const,
    };
    const change = before ? { op: 'change' as const, before, after } : { op: 'add' as const, record: after };
    const id = randomUUID();
    const from = performance.now();
    await api.annotation.apply({ ws, recording, transaction: { id, label: 'Name element', changes: [change] } });
    const ms = performance.now() - from;
    times.push(ms);
    done.push(id);
    labels.set(action, after);
    await sleep(Math.max(0, EVERY_MS - ms));
  }
}

async function libraryOf(server: Server): Promise<Library> {
  const { api, ws, id } = await ownerOf(server);
  let found = 0;
  await until(
    'the recordings to be in the index',
    async () => {
      found = (await api.recordings.list({ ws })).length;
      return found >= recordings;
    },
    { timeoutMs: 900_000, everyMs: 1000 },
  );
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    await work();
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const from = performance.now();
      await work();
      times.push(performance.now() - from);
    }
    return median(times);
  };
  const listMs = await timed(() => api.recordings.list({ ws }));
  const workMs = await timed(() => api.review.queue({ ws, person: id }));
  return { recordings: found, listMs, workMs };
}

async function measure(engine: string, small: string, large: string, postgres: TestPostgres | null): Promise<Measured> {
  progress(`on ${engine}`);
  const database = async () => (postgres ? postgres.make() : null);
  let before: Crowd | null = null;
  const [servers, workers] = postgres ? [processes, helpers] : [1, 0];
  if (tree !== null) {
    const cli = path.join(path.resolve(tree), 'studio', 'cli', 'main.ts');
    before = (await crowds(`${engine}-before`, small, { database: await database(), servers, workers, cli })).crowd;
    progress(`gestures before: ${JSON.stringify(before)}`);
  }
  const now = await crowds(`${engine}-crowd`, small, { database: await database(), servers, workers, cli: CLI });
  progress(`gestures: ${JSON.stringify(now)}`);
  let library: Library | null = null;
  if (recordings > 0) {
    const second = await serveTeam({
      folder,
      name: `${engine}-library`,
      from: large,
      database: await database(),
      node: profilingOf(`${engine}-library`),
    });
    library = await libraryOf(second).finally(() => second.process.stop(END_MS));
    progress(`library: ${JSON.stringify(library)}`);
  }
  return { engine, servers, workers, before, ...now, library };
}

type Place = { database: string | null; servers: number; workers: number; cli: string };

/** Few people, then all of them, on the same servers. */
async function crowds(
  name: string,
  from: string,
  { database, servers, workers, cli }: Place,
): Promise<{ few: Crowd; crowd: Crowd }> {
  const all: Server[] = [];
  const beside: Started[] = [];
  try {
    for (let n = 0; n < servers; n++)
      all.push(await serveTeam({ folder, name, from: n === 0 ? from : null, database, cli, node: profilingOf(name) }));
    for (let n = 0; n < workers; n++) beside.push(await startWorker(all[0]!));
    const alone = await crowdOf(all, few);
    return { few: alone, crowd: await crowdOf(all) };
  } finally {
    for (const worker of beside) await worker.stop(END_MS);
    for (const server of all) await server.process.stop(END_MS);
  }
}

const ratio = (ms: number, goal: number): string =>
  `${ms.toFixed(0).padStart(6)} ms, ${(ms / goal).toFixed(2)} of the goal`;

const compared = (name: string, before: number, now: number, beside = 'before'): string =>
  `  ${name}, now beside ${beside.padEnd(26 - name.length)}${(now / before).toFixed(2).padStart(6)} (${now.toFixed(0)} ms beside ${before.toFixed(0)} ms)`;

function text(about: string, all: readonly Measured[], load: number): string {
  const lines = [
    `A team at once: ${people} annotators, a gesture every ${EVERY_MS / 1000} s, each following ${FOLLOWED} recordings, ${seconds} s`,
    about,
    `load of the machine before and after: ${load.toFixed(1)}, ${(os.loadavg()[0] ?? 0).toFixed(1)}`,
  ];
  for (const { engine, servers, workers, before, few: alone, crowd, library } of all) {
    const { gestures, medianMs, p95Ms, mostMs, lost, unequal, streams } = crowd;
    lines.push(
      '',
      `${engine === 'postgres' ? "Debian's PostgreSQL" : 'SQLite'}, ${plural(servers, 'process', 'processes')} of the API, ${plural(workers, 'worker')}`,
      `  gesture, p95 (goal ${GOALS.gestureMs} ms)            ${ratio(p95Ms, GOALS.gestureMs)}`,
      `  gesture, median and longest       ${medianMs.toFixed(0).padStart(6)} ms, ${mostMs.toFixed(0)} ms`,
      compared('p95', alone.p95Ms, p95Ms, `${few} people`),
      compared('median', alone.medianMs, medianMs, `${few} people`),
      ...(before === null ? [] : [compared('p95', before.p95Ms, p95Ms), compared('median', before.medianMs, medianMs)]),
      `  gestures, streams                 ${gestures}, ${streams}`,
      `  lost, documents that differ       ${lost}, ${unequal}`,
    );
    if (library === null) continue;
    lines.push(
      `  library of ${library.recordings} (goal ${GOALS.libraryMs} ms)     ${ratio(library.listMs, GOALS.libraryMs)}`,
      `  next work (goal ${GOALS.workMs} ms)             ${ratio(library.workMs, GOALS.workMs)}`,
    );
  }
  return lines.join('\n');
}

const about = await machine();
const [load = 0] = os.loadavg();
try {
  const small = await recordingsOf('ten', FOLLOWED, 75);
  const large = recordings > 0 ? await recordingsOf('many', recordings, 5) : '';
  const all: Measured[] = [];
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : null;
    all.push(await measure(engine, small, large, postgres).finally(() => postgres?.stop()));
  }
  report({ bench: 'team', machine: about, load, goals: GOALS, measured: all }, text(machineLine(about), all, load));
  const isLost = all.some(({ crowd }) => crowd.lost + crowd.unequal > 0);
  if (isLost) process.exitCode = 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
