/**
 * Somebody with an account of a team's server attacks it, while another member goes on with their work: how long the other's requests
 * take in quiet just before and during each attack, what the server's memory grows to, how the attack ended, and what it left on the disk.
 *
 *     node test/bench/hostile.bench.ts [--only PART] [--seconds 4] [--engine sqlite|postgres] [--profile DIR] [--json]
 *
 * `--only`: attacks whose name holds this (`burst`, `steady`). `--seconds`: of quiet before each. `--before TREE`: also on the server of
 * another checkout, in the same run, attack by attack in turns. `--profile`: a folder for a profile of the server's processor time.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyLabel } from '../../core/annotate/label.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { CLI } from '../support/cli.ts';
import { startPostgres } from '../support/postgres.ts';
import { processTree, start } from '../support/process.ts';
import { scaleWorkspace } from '../support/scale-workspace.ts';
import { accept, clientOf, ownerOf, type Person, serveTeam } from '../support/team-processes.ts';
import { sleep, until } from '../support/until.ts';
import { FLOODS } from './hostile/floods.ts';
import type { Attack, Place } from './hostile/place.ts';
import { UPLOAD_ATTACKS } from './hostile/uploads.ts';

const SIZE = {
  recordings: 30,
  tasks: 20,
  steps: 75,
  longSteps: 20,
  longEvents: 200,
  people: 5,
  videoBytes: 100,
} as const;
const only = flag('only') ?? '';
const quietMs = Number(flag('seconds') ?? 4) * 1000;
const tree = flag('before');
const profiles = flag('profile');
/** A request goes to the server so often, ms. */
const EVERY_MS = 60;
/** So long the server is looked at after an attack, ms. */
const AFTER_MS = 3000;
/** During an attack the other member waits at most so many times as long as in quiet (p95). */
const GOAL = 3;

type Result = {
  name: string;
  ended: string;
  seconds: number;
  quietMs: number;
  medianMs: number;
  p95Ms: number;
  mostMs: number;
  requests: number;
  memoryMb: number;
  leftKb: number;
  lost: number;
};

/** Bytes of everything below. */
const sizeOf = (dir: string): number => {
  let sum = 0;
  for (const entry of fs.readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('studio.sqlite') || entry.name.endsWith('.jsonl.log')) continue;
    sum += fs.statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return sum;
};

async function memoryOf(pid: number): Promise<number> {
  let kb = 0;
  for (const { pid: each } of processTree(pid)) {
    const status = await readFile(`/proc/${each}/status`, 'utf8').catch(() => '');
    kb += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return kb / 1024;
}

/** A request of the other member: when it was sent, by the clock, and how long its answer took. */
type Waited = { at: number; ms: number };
/** The session with which the other member works, and the recording whose first step they name. */
type Working = { origin: string; cookie: string; ws: string; recording: string };
const WORKER = 'HOSTILE_BENCH_WORKING';

/** The other member's work, in a process of its own: their times are not those of the attacker's program. */
async function worker({ server, ws, victim, recording }: Place) {
  const working: Working = { origin: server.origin, cookie: victim.cookie, ws, recording };
  const env = { ...process.env, [WORKER]: JSON.stringify(working) };
  const child = await start(process.execPath, [fileURLToPath(import.meta.url)], { env });
  await until('the other member to work', () => child.stdout().includes('works'));
  return {
    async stop() {
      await child.stop(60_000);
      return JSON.parse(child.stdout().trim().split('\n').at(-1) ?? '') as { times: Waited[]; lost: number };
    },
  };
}

/** That process: ends its work when it is told to stop, and prints how long each answer took. It names a step and asks for the list of recordings, in turns. */
async function workHere({ origin, cookie, ws, recording }: Working): Promise<void> {
  const api = clientOf(origin, cookie);
  const { steps } = await api.recordings.open({ ws, recording });
  const { records } = await api.annotation.get({ ws, recording });
  const action = steps[0]?.id ?? '';
  const known = records.find((record) => record.kind === 'label' && record.action === action);
  let before = known?.kind === 'label' ? known : null;
  let isOver = false;
  process.on('SIGTERM', () => {
    isOver = true;
  });
  console.log('works');
  const times: Waited[] = [];
  let lost = 0;
  for (let n = 0; !isOver; n++) {
    const after = {
      ...(before ?? emptyLabel(action)),
      element: `Button ${randomUUID()}`,
      elementSource: 'hand' as const,
    };
    const change = before ? { op: 'change' as const, before, after } : { op: 'add' as const, record: after };
    const at = Date.now();
    const from = performance.now();
    try {
      if (n % 2 === 0) {
        const transaction = { id: randomUUID(), label: 'Name', changes: [change] };
        await api.annotation.apply({ ws, recording, transaction });
        before = after;
      } else await api.recordings.list({ ws });
      times.push({ at, ms: performance.now() - from });
    } catch {
      // A connection that the server has just closed, as any page sees it: it asks again.
      lost++;
    }
    await sleep(Math.max(0, EVERY_MS - (performance.now() - from)));
  }
  console.log(JSON.stringify({ times, lost }));
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;

async function measure(place: Place, { name, run }: Attack): Promise<Result> {
  progress(`  ${name}`);
  const before = sizeOf(place.server.workspace);
  const other = await worker(place);
  // The first answers warm the server up.
  await sleep(500);
  const quietFrom = Date.now();
  await sleep(quietMs);
  const from = Date.now();
  const ended = { said: '', at: 0 };
  const over = run(place)
    .catch((error: unknown) => `threw ${String(error).slice(0, 200)}`)
    .then((said) => Object.assign(ended, { said, at: Date.now() }));
  let memoryMb = 0;
  while (ended.at === 0 || Date.now() - ended.at < AFTER_MS) {
    memoryMb = Math.max(memoryMb, await memoryOf(place.server.process.pid));
    await sleep(300);
  }
  await over;
  const { times, lost } = await other.stop();
  const between = (begin: number, end: number): number[] =>
    times.filter(({ at }) => at >= begin && at < end).map(({ ms }) => ms);
  const during = between(from, ended.at);
  const result = {
    name,
    ended: ended.said,
    seconds: (ended.at - from) / 1000,
    quietMs: p95(between(quietFrom, from)),
    medianMs: median(during),
    p95Ms: p95(during),
    mostMs: Math.max(...during),
    requests: during.length,
    memoryMb,
    leftKb: (sizeOf(place.server.workspace) - before) / 1024,
    lost,
  };
  progress(`    ${JSON.stringify(result)}`);
  return result;
}

/** A server of its own for each checkout, with the same recordings. */
async function open(folder: string, name: string, from: string, cli: string, database: string | null): Promise<Place> {
  const node = profiles === null ? [] : ['--cpu-prof', '--cpu-prof-dir', path.resolve(profiles, name)];
  const server = await serveTeam({ folder, name, from, database, cli, node });
  const owner = await ownerOf(server);
  const { ws } = owner;
  const member = async (role: 'annotator' | 'recorder' | 'manager' | 'viewer'): Promise<Person> => {
    const named = `The ${role}`;
    const { link } = await owner.api.team.invite({ ws, email: `${role}@lab.test`, role, name: named });
    return accept(server.origin, link, named);
  };
  const members = {
    victim: await member('annotator'),
    recorder: await member('recorder'),
    manager: await member('manager'),
    viewer: await member('viewer'),
  };
  let recording = '';
  await until('the recordings to be in the index', async () => {
    const all = await owner.api.recordings.list({ ws });
    recording = all[0]?.id ?? '';
    return all.length >= SIZE.recordings;
  });
  return { server, ws, recording, ...members, folder };
}

const line = (tag: string, one: Result): string =>
  `${tag}${one.name.padEnd(46)} ${one.quietMs.toFixed(0).padStart(5)} ${one.medianMs.toFixed(0).padStart(6)} ${one.p95Ms.toFixed(0).padStart(6)} ${one.mostMs.toFixed(0).padStart(6)} ms ${(one.p95Ms / one.quietMs).toFixed(1).padStart(6)} ${one.memoryMb.toFixed(0).padStart(6)} MB ${one.seconds.toFixed(0).padStart(4)} s, ${one.requests} requests, left ${one.leftKb.toFixed(0)} kB, ${one.lost} lost; ${one.ended}`;

if (process.env[WORKER] !== undefined) {
  await workHere(JSON.parse(process.env[WORKER]) as Working);
  process.exit();
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-hostile-bench-'));
const about = await machine();
const postgres = flag('engine') === 'postgres' ? await startPostgres() : null;
const places: { tag: string; place: Place }[] = [];
try {
  progress('making a workspace');
  const from = path.join(await scaleWorkspace(path.join(folder, 'small'), SIZE, () => {}), 'recordings');
  const checkouts = [
    ...(tree === null ? [] : [{ tag: 'before ', cli: path.join(path.resolve(tree), 'studio', 'cli', 'main.ts') }]),
    { tag: tree === null ? '' : 'now    ', cli: CLI },
  ];
  for (const { tag, cli } of checkouts) {
    const database = postgres === null ? null : await postgres.make();
    places.push({ tag, place: await open(folder, `hostile${places.length}`, from, cli, database) });
  }
  const results: { tag: string; result: Result }[] = [];
  for (const attack of [...UPLOAD_ATTACKS, ...FLOODS].filter(({ name }) => name.includes(only)))
    for (const { tag, place } of places) results.push({ tag, result: await measure(place, attack) });
  const lines = [
    `A team on ${postgres ? "Debian's PostgreSQL" : 'SQLite'} attacked by one of its members, beside the requests of another`,
    machineLine(about),
    `p95 in quiet; median, p95, longest while the attack goes on; p95 beside quiet (goal: ${GOAL} at most)`,
    '',
    ...results.map(({ tag, result }) => line(tag, result)),
  ];
  report({ bench: 'hostile', machine: about, results }, lines.join('\n'));
} finally {
  for (const { place } of places) await place.server.process.stop(profiles === null ? 10_000 : 120_000);
  await postgres?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
