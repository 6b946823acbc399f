/**
 * Somebody with an account of a team's server attacks it, while another member goes on with their work: how long the other's requests
 * take in quiet and during each attack, what the server's memory grows to, how the attack ended, and what it left on the disk.
 *
 *     node test/bench/hostile.bench.ts [--only PART] [--seconds 6] [--json]
 *
 * `--only`: attacks whose name holds this. `--before TREE`: the server of another checkout instead.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyLabel } from '../../core/annotate/label.ts';
import { FILE_ROUTES } from '../../schemas/api/routes.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { CLI } from '../support/cli.ts';
import { plainLibrary, recordingEntries, writeHostileArchive } from '../support/hostile-archives.ts';
import { processTree, start } from '../support/process.ts';
import { scaleWorkspace } from '../support/scale-workspace.ts';
import { accept, clientOf, ownerOf, type Person, type Server, serveTeam } from '../support/team-processes.ts';
import { sleep, until } from '../support/until.ts';

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
const seconds = Number(flag('seconds') ?? 6);
const tree = flag('before');
const cli = tree === null ? CLI : path.join(path.resolve(tree), 'studio', 'cli', 'main.ts');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-hostile-bench-'));
/** A request goes to the server so often, ms. */
const EVERY_MS = 60;
/** An attack is looked at for so long at most, ms. */
const MOST_MS = 240_000;

type Place = { server: Server; ws: string; victim: Person; recorder: Person; manager: Person; viewer: Person };
type Attack = { name: string; run(place: Place): Promise<string> };
type Result = {
  name: string;
  ended: string;
  seconds: number;
  p95Ms: number;
  mostMs: number;
  memoryMb: number;
  leftKb: number;
  lost: number;
};

/** Sends the archive as one upload; gives what the receipt says in the end. */
async function send({ server, ws }: Place, { cookie, api }: Person, file: string): Promise<string> {
  const bytes = fs.statSync(file).size;
  const headers = { cookie, origin: server.origin, 'sec-fetch-site': 'same-origin', 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${server.origin}${FILE_ROUTES.uploads(ws)}`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes) },
  });
  if (begun.status !== 201) return `not begun: ${begun.status} ${(await begun.text()).slice(0, 200)}`;
  const at = begun.headers.get('location') ?? '';
  const body = await fs.openAsBlob(file);
  const sent = await fetch(`${server.origin}${at}`, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body,
  });
  if (sent.status !== 204) return `not sent: ${sent.status} ${(await sent.text()).slice(0, 200)}`;
  const upload = at.split('/').at(-1) ?? '';
  for (const until = performance.now() + MOST_MS; performance.now() < until; await sleep(100)) {
    const { state, error, recordings } = await api.uploads.receipt({ ws, upload });
    if (state === 'taken') return `taken: ${recordings.length}`;
    if (state === 'refused') return `refused: ${error?.code} ${error?.message.slice(0, 160)}`;
    if (error && performance.now() > until - MOST_MS + 20_000)
      return `goes on after ${error.code}: ${error.message.slice(0, 160)}`;
  }
  return 'not over';
}

let made = 0;
const tarOf = (entries: Parameters<typeof writeHostileArchive>[1]): string => {
  const file = path.join(folder, `hostile-${made++}.tar`);
  const bytes = writeHostileArchive(file, entries);
  progress(`    ${(bytes / 1e6).toFixed(0)} MB`);
  return file;
};
const one = (id: string, wishes: Parameters<typeof recordingEntries>[1] = {}, library: object = {}): string =>
  tarOf({ recordings: [id], entries: [plainLibrary(library), ...recordingEntries(id, wishes)] });

const MOVE = '{"type":"move","t":1000000,"x":10,"y":10}\n';
const CLICKS =
  '{"type":"down","t":1000000,"x":10,"y":10,"button":"left"}\n{"type":"up","t":1000000,"x":10,"y":10,"button":"left"}\n';

/** Asks `count` times at once; gives how often each code came. */
async function flood(count: number, ask: (n: number) => Promise<unknown>): Promise<string> {
  const codes = new Map<string, number>();
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const code = await ask(n).then(
        () => 'ok',
        (error: unknown) => String(Reflect.get(Object(error), 'code') ?? error).slice(0, 60),
      );
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }),
  );
  return [...codes].map(([code, n]) => `${n} ${code}`).join(', ');
}

const EVERYTHING = { kind: 'filter' as const, filter: {} };
const WISHES = { formats: [{ name: 'agentnet' }], source: EVERYTHING, all: true };

const ATTACKS: Attack[] = [
  {
    name: 'manifest of 60 MB',
    run: (place) =>
      send(
        place,
        place.recorder,
        tarOf({
          recordings: ['r1'],
          entries: [plainLibrary(), ...recordingEntries('r1')],
          manifest: ({ files }) => ({
            files: [
              ...files,
              ...Array.from({ length: 480_000 }, (_, n) => ({
                path: `recordings/r1/${n}`,
                bytes: 0,
                sha256: '0'.repeat(64),
              })),
            ],
          }),
        }),
      ),
  },
  {
    name: 'manifest of 30 million nulls',
    run: (place) =>
      send(
        place,
        place.recorder,
        tarOf({
          recordings: ['r1'],
          entries: [plainLibrary(), ...recordingEntries('r1')],
          manifest: ({ files }) => ({
            files,
            more: Array.from({ length: 12_000_000 }, () => 0)
              .map(() => [0])
              .slice(0, 12_000_000),
          }),
        }),
      ),
  },
  {
    name: 'library of 300,000 tasks',
    run: (place) => {
      const software = [{ id: 'hs', name: 'HS', prefix: 'HS', platforms: '', aliases: [], executables: [] }];
      const tasks = Array.from({ length: 300_000 }, (_, n) => ({
        id: `HS_${n}`,
        software: 'hs',
        goal: `Goal ${n}`,
        state: 'open',
        platform: '',
        sourceUrl: '',
        notes: '',
      }));
      return send(place, place.recorder, one('r2', {}, { software, tasks }));
    },
  },
  {
    name: 'ten million events',
    run: (place) => send(place, place.recorder, one('r3', { events: MOVE.repeat(10_000), times: 1000 })),
  },
  {
    name: 'two million clicks',
    run: (place) => send(place, place.recorder, one('r4', { events: CLICKS.repeat(10_000), times: 200 })),
  },
  {
    name: 'a truncated archive',
    run: async (place) => {
      const file = one('r5', { more: [{ path: 'screen.mkv', bytes: Buffer.alloc(1 << 20, 1), times: 50 }] });
      fs.truncateSync(file, 45_000_000);
      return send(place, place.recorder, file);
    },
  },
  {
    name: 'a manifest that says 190 GB',
    run: (place) =>
      send(
        place,
        place.recorder,
        tarOf({
          recordings: ['r6'],
          entries: [plainLibrary(), ...recordingEntries('r6')],
          manifest: ({ files }) => ({
            files: [...files, { path: 'recordings/r6/screen.mkv', bytes: 190e9, sha256: '0'.repeat(64) }],
          }),
        }),
      ),
  },
  {
    name: 'a line of 300 MB',
    run: (place) => send(place, place.recorder, one('r7', { events: Buffer.alloc(1 << 20, 0x20), times: 300 })),
  },
  {
    name: 'two hundred thousand small files',
    run: (place) =>
      send(
        place,
        place.recorder,
        one('r8', { more: Array.from({ length: 150_000 }, (_, n) => ({ path: `keyframes/${n}.png`, bytes: '' })) }),
      ),
  },
  {
    name: 'flood: 200 exports',
    run: async (place) => {
      const said = await flood(200, (n) =>
        place.manager.api.exports.start({ ws: place.ws, out: `flood-${n}`, wishes: WISHES }),
      );
      const jobs = await place.victim.api.jobs.list({ ws: place.ws });
      return `${said}; ${jobs.filter(({ state }) => state === 'waiting').length} jobs wait`;
    },
  },
  {
    name: 'flood: 300 statistics',
    run: ({ viewer, ws }) => flood(300, () => viewer.api.dataset.statistics({ ws, source: EVERYTHING })),
  },
  {
    name: 'flood: 300 previews',
    run: ({ viewer, ws }) => flood(300, () => viewer.api.exports.preview({ ws, wishes: WISHES })),
  },
  { name: 'flood: 400 lists', run: ({ viewer, ws }) => flood(400, () => viewer.api.recordings.list({ ws })) },
  { name: 'flood: 400 rows', run: ({ viewer, ws }) => flood(400, () => viewer.api.dataset.rows({ ws })) },
  {
    name: 'flood: 300 tokens',
    run: ({ viewer, ws }) =>
      flood(300, (n) => viewer.api.team.makeToken({ ws, name: `t${n}`, scopes: ['see'], days: 1 })),
  },
];

/** Bytes of everything below, and how many files. */
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

type Watching = { times: number[]; lost: number; memoryMb: number };
/** The session with which the other member works, and the step that they name. */
type Working = { origin: string; cookie: string; ws: string; recording: string };
const WORKER = 'HOSTILE_BENCH_WORKING';

/**
 * The other member's work in a process of its own, until `isOver`; `begin` is called when it goes on. Their times are not those of the attacker's program. It names a
 * step and asks for the list of recordings, in turns.
 */
async function work(
  { server, ws, victim }: Place,
  recording: string,
  isOver: () => boolean,
  begin: () => void = () => undefined,
): Promise<Watching> {
  const working: Working = { origin: server.origin, cookie: victim.cookie, ws, recording };
  const env = { ...process.env, [WORKER]: JSON.stringify(working) };
  const child = await start(process.execPath, [fileURLToPath(import.meta.url)], { env });
  await until('the other member to work', () => child.stdout().includes('works'));
  begin();
  let memoryMb = 0;
  while (!isOver()) {
    memoryMb = Math.max(memoryMb, await memoryOf(server.process.pid));
    await sleep(300);
  }
  await child.stop(60_000);
  const { times, lost } = JSON.parse(child.stdout().trim().split('\n').at(-1) ?? '') as Omit<Watching, 'memoryMb'>;
  return { times, lost, memoryMb };
}

/** That process: ends its work when it is told to stop, and prints how long each answer took. */
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
  const times: number[] = [];
  let lost = 0;
  for (let at = 0; !isOver; at++) {
    const after = {
      ...(before ?? emptyLabel(action)),
      element: `Button ${randomUUID()}`,
      elementSource: 'hand' as const,
    };
    const change = before ? { op: 'change' as const, before, after } : { op: 'add' as const, record: after };
    const from = performance.now();
    try {
      if (at % 2 === 0) {
        const transaction = { id: randomUUID(), label: 'Name', changes: [change] };
        await api.annotation.apply({ ws, recording, transaction });
        before = after;
      } else await api.recordings.list({ ws });
      times.push(performance.now() - from);
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

async function measure(place: Place, recording: string, { name, run }: Attack): Promise<Result> {
  progress(`  ${name}`);
  const before = sizeOf(place.server.workspace);
  let ended: string | null = null;
  let from = performance.now();
  const isOver = () => ended !== null && performance.now() - from > 3000;
  const { times, lost, memoryMb } = await work(place, recording, isOver, () => {
    from = performance.now();
    void run(place).then(
      (said) => (ended = said),
      (error: unknown) => (ended = `threw ${String(error).slice(0, 200)}`),
    );
  });
  const leftKb = (sizeOf(place.server.workspace) - before) / 1024;
  const result = {
    name,
    ended: ended ?? '',
    seconds: (performance.now() - from) / 1000,
    p95Ms: p95(times),
    mostMs: Math.max(...times),
    memoryMb,
    leftKb,
    lost,
  };
  progress(`    ${JSON.stringify(result)}`);
  return result;
}

if (process.env[WORKER] !== undefined) {
  fs.rmSync(folder, { recursive: true, force: true });
  await workHere(JSON.parse(process.env[WORKER]) as Working);
  process.exit();
}
const about = await machine();
let server: Server | null = null;
try {
  progress('making a workspace');
  const from = path.join(await scaleWorkspace(path.join(folder, 'small'), SIZE, () => {}), 'recordings');
  server = await serveTeam({ folder, name: 'hostile', from, database: null, cli });
  const running = server;
  const owner = await ownerOf(server);
  const { ws } = owner;
  const member = async (role: 'annotator' | 'recorder' | 'manager' | 'viewer'): Promise<Person> => {
    const name = `The ${role}`;
    const { link } = await owner.api.team.invite({ ws, email: `${role}@lab.test`, role, name });
    return accept(running.origin, link, name);
  };
  const place: Place = {
    server,
    ws,
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
  const end = performance.now() + seconds * 1000;
  const quiet = await work(place, recording, () => performance.now() > end);
  progress(`quiet: p95 ${p95(quiet.times).toFixed(0)} ms, median ${median(quiet.times).toFixed(0)} ms`);
  const results: Result[] = [];
  for (const attack of ATTACKS.filter(({ name }) => name.includes(only)))
    results.push(await measure(place, recording, attack));
  const lines = [
    'A team attacked by its members, beside the requests of another (p95, longest, ms)',
    machineLine(about),
    `quiet: p95 ${p95(quiet.times).toFixed(0)} ms, longest ${Math.max(...quiet.times).toFixed(0)} ms, ${quiet.memoryMb.toFixed(0)} MB`,
    '',
    ...results.map(
      (one) =>
        `${one.name.padEnd(34)} ${one.p95Ms.toFixed(0).padStart(6)} ${one.mostMs.toFixed(0).padStart(7)} ms ${one.memoryMb.toFixed(0).padStart(6)} MB ${one.seconds.toFixed(0).padStart(5)} s, left ${one.leftKb.toFixed(0)} kB, ${one.lost} lost; ${one.ended}`,
    ),
  ];
  report({ bench: 'hostile', machine: about, quietMs: p95(quiet.times), results }, lines.join('\n'));
} finally {
  await server?.process.stop(10_000);
  fs.rmSync(folder, { recursive: true, force: true });
}
