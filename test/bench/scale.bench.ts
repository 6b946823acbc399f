/**
 * The studio at the size of a team's data: 1,000 recordings over 300 tasks with 150,000 gestures, two recordings of two hours,
 * 50 people. For each request and job: how long it took, and the longest time in which the studio could answer nobody else.
 *
 *     node test/bench/scale.bench.ts [--size full|small] [--before TREE] [--only preview,freeze] [--keep DIR] [--json]
 *
 * `--before`: the same with the studio of another tree of sources (a `git worktree` of an older commit), and the ratio.
 * `--keep`: where the workspace is made, and used again by the next run; a temporary folder otherwise.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { labelId } from '../../core/annotate/ids.ts';
import type { Change } from '../../schemas/annotation.ts';
import type { Contract } from '../../schemas/api/contract.ts';
import { FILE_ROUTES } from '../../schemas/api/routes.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { forgetDerived, longId, SCALE_SIZES, type ScaleSize, scaleWorkspace } from '../support/scale-workspace.ts';
import { sleep, until } from '../support/until.ts';

type Api = ContractRouterClient<Contract>;
type Place = {
  api: Api;
  /** A plain route, read to its end. */
  read(path: string, init?: RequestInit): Promise<void>;
  ws: string;
  dir: string;
  size: ScaleSize;
  people: string[];
};
type Entry = { name: string; run(place: Place): Promise<unknown> };
/** `machineMs`: the longest wait of a thread that did nothing else meanwhile. */
type Measured = { name: string; ms: number; stallMs: number; cpuMs: number; machineMs: number; failed: string | null };
/** `p95`: of a gesture of one of many people, ms. */
type Run = { entries: Measured[]; people: (Measured & { gestures: number; medianMs: number; p95Ms: number }) | null };

const FORMATS = ['videogui', 'agentnet', 'opencua', 'agentnetbench', 'llamafactory', 'screenspot', 'coco'];
/** People go on for so long, ms. */
const CROWD_MS = 20_000;
/** Goal: nothing keeps others waiting for longer, ms of the processor's time. */
const MOST_STALL_MS = 50;

const sizeName = flag('size') === 'small' ? 'small' : 'full';
const only = flag('only')?.split(',') ?? null;
const kept = flag('keep');
const dir = kept ?? fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-scale-'));
const size = SCALE_SIZES[sizeName];

function entries(): Entry[] {
  let madeSet = '';
  const wishesFor = (formats: readonly string[], all: boolean) => ({
    source: { kind: 'filter' as const, filter: {} },
    formats: formats.map((name) => ({ name })),
    all,
  });
  const preview = (formats: readonly string[], all: boolean) => (place: Place) =>
    place.api.exports.preview({ ws: place.ws, wishes: wishesFor(formats, all) });
  const previewOfPage = (formats: readonly string[], all: boolean) => (place: Place) =>
    place.read(FILE_ROUTES.preview(place.ws), {
      method: 'POST',
      body: JSON.stringify({ wishes: wishesFor(formats, all) }),
    });
  const openOnPage = async ({ api, ws, read }: Place): Promise<void> => {
    const recording = longId(1);
    await Promise.all([read(FILE_ROUTES.page(ws, recording)), api.recordings.now({ ws, recording })]);
  };
  const job = (begin: (place: Place) => Promise<{ id: string }>) => async (place: Place) => {
    const { id } = await begin(place);
    const over = await until(
      'the job to end',
      async () => {
        const found = (await place.api.jobs.list({ ws: place.ws })).find((one) => one.id === id);
        return found && !['waiting', 'running'].includes(found.state) ? found : undefined;
      },
      { timeoutMs: 600_000, everyMs: 100 },
    );
    if (over.state !== 'done') throw new Error(`${over.kind}: ${over.error?.message ?? over.message ?? over.state}`);
  };
  const freeze = (name: string) =>
    job(({ api, ws }) => api.dataset.freeze({ ws, name, filter: { state: ['approved'] } }));
  const questions = job(async ({ api, ws }) => {
    const { job, set } = await api.evaluate.makeQuestions({ ws, name: 'scale', levels: ['mid', 'action'] });
    madeSet = set;
    return job;
  });
  const scoring = job(async (place) => {
    const predictions = { from: 'path' as const, path: await writePredictions(place, madeSet) };
    const { job } = await place.api.evaluate.score({
      ws: place.ws,
      set: madeSet,
      files: ['action.jsonl'],
      predictions,
      options: {},
    });
    return job;
  });
  const imported = async (place: Place): Promise<void> => {
    const folder = path.join(place.dir, 'recordings', longId(0));
    const target = path.join(place.dir, 'exports', 'import');
    const { id: ws } = await place.api.workspaces.open({ dir: target, create: true });
    await job(({ api }) => api.recordings.import({ ws, path: folder }))({ ...place, ws });
    await until(
      'what follows an import to end',
      async () => {
        const jobs = await place.api.jobs.list({ ws });
        return jobs.every(({ state }) => !['waiting', 'running'].includes(state)) || undefined;
      },
      { timeoutMs: 600_000, everyMs: 200 },
    );
  };
  const search = job(({ api, ws }) =>
    api.dataset.findDuplicates({ ws, wishes: { goals: 0.8, screens: 6, filter: {} } }),
  );
  return [
    { name: 'open: the workspace', run: ({ api, dir }) => api.workspaces.open({ dir, create: false }) },
    { name: 'open: while a list is shown, 10 s', run: watched },
    { name: 'lists: tasks', run: ({ api, ws }) => api.tasks.list({ ws }) },
    { name: 'lists: recordings', run: ({ api, ws }) => api.recordings.list({ ws }) },
    {
      name: 'lists: work of a person',
      run: ({ api, ws, people }) => api.review.queue({ ws, person: people[0] ?? '' }),
    },
    { name: 'insights: first', run: ({ api, ws }) => api.review.dashboard({ ws }) },
    { name: 'insights: again', run: ({ api, ws }) => api.review.dashboard({ ws }) },
    { name: 'data set: rows, first', run: countedRows },
    { name: 'data set: rows, again', run: ({ api, ws }) => api.dataset.rows({ ws }) },
    { name: 'data set: statistics', run: statistics },
    { name: 'data set: plan a split', run: planSplit },
    { name: 'preview: VideoGUI, first', run: preview(['videogui'], false) },
    { name: 'preview: VideoGUI, again', run: preview(['videogui'], false) },
    { name: `preview: ${FORMATS.length} formats`, run: preview(FORMATS, false) },
    { name: `preview: ${FORMATS.length} formats with two long`, run: preview(FORMATS, true) },
    { name: `preview: ${FORMATS.length} formats with two long, on a page`, run: previewOfPage(FORMATS, true) },
    { name: 'long: open two hours on a page', run: openOnPage },
    { name: 'long: open two hours on a page, again', run: openOnPage },
    { name: 'long: open two hours', run: ({ api, ws }) => api.recordings.open({ ws, recording: longId(0) }) },
    { name: 'long: its document', run: ({ api, ws }) => api.annotation.get({ ws, recording: longId(0) }) },
    { name: `long: confirm ${size.longSteps} steps at once`, run: confirmAll },
    { name: 'export: VideoGUI', run: job(exportOf) },
    { name: 'evaluate: make questions', run: questions },
    { name: 'evaluate: score', run: scoring },
    { name: 'import: a recording of two hours', run: imported },
    { name: 'freeze: first', run: freeze('v1') },
    { name: 'freeze: again', run: freeze('v2') },
    { name: 'duplicates: first search', run: search },
    { name: 'duplicates: again', run: search },
    { name: 'archive: everything', run: job(archiveOf) },
  ];
}

/** An answer to each question about an action: a click somewhere. */
async function writePredictions({ dir }: Place, set: string): Promise<string> {
  const questions = path.join(dir, 'evaluations', 'questions', set, 'action.jsonl');
  const lines = fs.readFileSync(questions, 'utf8').trimEnd().split('\n');
  const ids = lines.flatMap((line) => {
    const { id } = JSON.parse(line) as { id?: string };
    return id === undefined ? [] : [id];
  });
  const file = path.join(dir, 'exports', 'predictions.jsonl');
  const answers = ids.map((id, at) => JSON.stringify({ id, prediction: `click(${at % 1280}, ${at % 720})` }));
  fs.writeFileSync(file, `${answers.join('\n')}\n`);
  return file;
}

async function watched({ api, ws }: Place): Promise<void> {
  const stop = new AbortController();
  // Not awaited: the stream may say nothing at all.
  void (async () => {
    for await (const _ of await api.recordings.watch({ ws }, { signal: stop.signal })) void _;
  })().catch(() => undefined);
  await sleep(10_000);
  stop.abort();
}

async function countedRows({ api, ws }: Place): Promise<void> {
  const rows = async (): Promise<true | undefined> =>
    (await api.dataset.rows({ ws })).uncounted === 0 ? true : undefined;
  await until('all rows to be counted', rows, { timeoutMs: 600_000, everyMs: 200 });
}

function statistics({ api, ws }: Place) {
  return api.dataset.statistics({ ws, source: { kind: 'filter', filter: {} } });
}

function planSplit({ api, ws }: Place) {
  return api.dataset.planSplit({
    ws,
    rule: {
      shares: [
        { split: 'train', share: 0.8 },
        { split: 'test', share: 0.2 },
      ],
      seed: '1',
      keepDuplicatesTogether: true,
      again: false,
    },
    filter: {},
  });
}

async function confirmAll({ api, ws, people }: Place): Promise<void> {
  const recording = longId(0);
  const { steps } = await api.recordings.open({ ws, recording });
  const changes = steps.map(({ id: action }): Change => {
    const nothing = { startName: null, endName: null, purpose: null, dragKind: null, narration: null, text: null };
    const said = { element: null, elementSource: null, ...nothing, confirmed: true, flagged: false };
    return { op: 'add', record: { kind: 'label', id: labelId(action), action, ...said } };
  });
  const transaction = { id: randomUUID(), label: 'Confirm all', changes };
  await api.annotation.apply({ ws, recording, transaction, person: people[0] ?? 'me' });
}

const exportOf = ({ api, ws, dir }: Place) =>
  api.exports.start({
    ws,
    wishes: { source: { kind: 'filter', filter: {} }, formats: [{ name: 'videogui', parts: ['jsonl'] }], all: false },
    out: path.join(dir, 'exports', 'scale'),
  });

const archiveOf = ({ api, ws, dir }: Place) =>
  api.archives.make({ ws, out: path.join(dir, 'exports', 'scale.tar'), version: null });

async function measure(workspace: string, tree: string | null): Promise<Run> {
  forgetDerived(dir);
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-home-'));
  const args = ['--home', home, ...(tree === null ? [] : ['--tree', tree])];
  const child = fork(path.join(import.meta.dirname, '..', 'support', 'scale-studio.ts'), args, { stdio: 'inherit' });
  const answer = async (): Promise<Record<string, unknown>> => {
    const [message] = (await once(child, 'message')) as [Record<string, unknown>]; // Of scale-studio.ts.
    return message;
  };
  const ask = (what: string): Promise<Record<string, unknown>> => {
    const answered = answer();
    child.send(what);
    return answered;
  };
  try {
    const { origin, token } = await answer();
    const headers = { authorization: `Bearer ${token}` };
    const api: Api = createORPCClient(new RPCLink({ url: `${origin}/rpc`, headers: () => headers }));
    const read = async (path: string, init: RequestInit = {}): Promise<void> => {
      const response = await fetch(`${origin}${path}`, { ...init, headers });
      const bytes = await response.bytes();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${Buffer.from(bytes).toString()}`);
    };
    const place: Place = { api, read, ws: '', dir: workspace, size, people: [] };
    const timed = async (name: string, work: () => Promise<unknown>): Promise<Measured> => {
      await sleep(300);
      await ask('mark');
      const start = performance.now();
      let failed: string | null = null;
      try {
        await work();
      } catch (error) {
        failed = error instanceof Error ? error.message : String(error);
      }
      const ms = performance.now() - start;
      const seen = (await ask('read')) as Pick<Measured, 'stallMs' | 'cpuMs' | 'machineMs'>; // Of scale-studio.ts.
      const { stallMs, cpuMs, machineMs } = seen;
      progress(
        `${tree ?? 'now'}: ${name}: ${ms.toFixed(0)} ms, stall ${stallMs.toFixed(0)} ms (processor ${cpuMs.toFixed(0)} ms, machine ${machineMs.toFixed(0)} ms) ${failed ?? ''}`,
      );
      return { name, ms, stallMs, cpuMs, machineMs, failed };
    };
    const found: Measured[] = [];
    for (const { name, run } of entries()) {
      const isOpening = place.ws === '';
      if (!isOpening && only && !only.some((wanted) => name.startsWith(wanted))) continue;
      found.push(await timed(name, () => run(place)));
      if (isOpening) {
        place.ws = (await api.workspaces.open({ dir: workspace, create: false })).id;
        place.people = (await api.people.list({ ws: place.ws })).map(({ id }) => id);
      }
    }
    const people = only && !only.includes('people') ? null : await crowd(place, timed);
    const ended = once(child, 'exit');
    child.send('end');
    await ended;
    return { entries: found, people };
  } finally {
    child.kill('SIGKILL');
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** Everybody makes a gesture every one to three seconds, while three lists and Insights are open and ask when they are told. */
async function crowd(place: Place, timed: (name: string, work: () => Promise<unknown>) => Promise<Measured>) {
  const { api, ws, people } = place;
  const stop = new AbortController();
  const times: number[] = [];
  const lists = [
    () => api.tasks.list({ ws }),
    () => api.recordings.list({ ws }),
    () => api.dataset.rows({ ws }),
    () => api.review.dashboard({ ws }),
  ].map(async (askAgain) => {
    await askAgain();
    const changes = await api.recordings.watch({ ws }, { signal: stop.signal });
    for await (const _ of changes) if (!stop.signal.aborted) await askAgain();
  });
  const measured = await timed(`people: ${people.length} at once`, async () => {
    const until = performance.now() + CROWD_MS;
    await Promise.all(people.map((person, n) => work(place, person, n, until, times)));
  });
  stop.abort();
  await Promise.race([Promise.allSettled(lists), sleep(2000)]);
  const sorted = times.toSorted((a, b) => a - b);
  const p95Ms = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  return { ...measured, gestures: times.length, medianMs: median(times), p95Ms };
}

async function work({ api, ws }: Place, person: string, n: number, until: number, times: number[]): Promise<void> {
  // Those that are not approved yet: every second one.
  const recording = `2026-05-04-${String(2 * n + 1).padStart(4, '0')}-scale`;
  const { records } = await api.annotation.get({ ws, recording, person });
  const labels = records.filter((record) => record.kind === 'label');
  await sleep((n * 2000) / 50);
  for (let at = 0; performance.now() < until; at++) {
    const slot = at % labels.length;
    const before = labels[slot];
    if (!before) return;
    const after = { ...before, element: `Button ${at} of ${n}` };
    const transaction = {
      id: randomUUID(),
      label: 'Name element',
      changes: [{ op: 'change' as const, before, after }],
    };
    const start = performance.now();
    await api.annotation.apply({ ws, recording, transaction, person });
    times.push(performance.now() - start);
    labels[slot] = after;
    await sleep(1000 + ((at * 7 + n * 13) % 20) * 100);
  }
}

function text(about: string, now: Run, old: Run | null): string {
  const { recordings, tasks, steps, longSteps, longEvents } = size;
  const all = [...now.entries, ...(now.people ? [now.people] : [])];
  const earlier = new Map(
    [...(old?.entries ?? []), ...(old?.people ? [old.people] : [])].map((one) => [one.name, one]),
  );
  const crowds = [
    { when: 'before', run: old },
    { when: 'now', run: now },
  ].flatMap(({ when, run }) => {
    if (!run?.people) return [];
    const { gestures, medianMs, p95Ms } = run.people;
    return [`  gestures of all, ${when}: ${gestures}, median ${medianMs.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`];
  });
  const longest = (of: 'stallMs' | 'cpuMs'): string => {
    const worst = all.reduce((most, one) => (one[of] > most[of] ? one : most));
    return `${worst[of].toFixed(0)} ms (${worst.name})`;
  };
  const head = old ? `${'before'.padStart(14)}${'now'.padStart(37)}${'time, stall: now/before'.padStart(30)}` : '';
  return [
    about,
    `${recordings} recordings over ${tasks} tasks, ${recordings * steps * 2} gestures, two recordings of ${longSteps} steps and ${longEvents} events`,
    "time; the longest time in which the studio answers nobody else; in which an idle thread could not; the processor's time in it",
    ...(old ? [`${' '.repeat(46)}${head}`] : []),
    ...all.map((one) => lineOf(one, old ? (earlier.get(one.name) ?? null) : undefined)),
    ...crowds,
    `  the longest: ${longest('stallMs')}; of the processor's time: ${longest('cpuMs')}`,
    verdict(now),
  ].join('\n');
}

/** In one line: how many were asked, and which of them kept everybody else waiting for too long. */
function verdict({ entries: asked, people }: Run): string {
  const all = [...asked, ...(people ? [people] : [])];
  const stalled = all.filter(({ cpuMs }) => cpuMs > MOST_STALL_MS).map(({ name }) => name);
  const gestures = people ? ` and ${people.gestures} gestures of people` : '';
  const which = stalled.length > 0 ? `: ${stalled.join('; ')}` : '';
  return `  ${asked.length} requests and jobs${gestures} asked; ${stalled.length} stalled the studio for over ${MOST_STALL_MS} ms of the processor's time${which}   (goal: 0)`;
}

/** `was`: null when it was not measured before; undefined when nothing was. */
function lineOf(one: Measured, was: Measured | null | undefined): string {
  const ms = (value: number): string => (value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(0)} ms`);
  const figures = (of: Measured): string =>
    [of.ms, of.stallMs, of.machineMs, of.cpuMs].map((value) => ms(value).padStart(9)).join('');
  const ratio = was
    ? `${(one.ms / was.ms).toFixed(2).padStart(9)}${(one.cpuMs / Math.max(was.cpuMs, 1)).toFixed(2).padStart(7)}`
    : '';
  const failed = one.failed === null ? '' : `   FAILED: ${one.failed}`;
  return `  ${one.name.padEnd(44)}${was === undefined ? '' : was ? figures(was) : ' '.repeat(36)}${figures(one)}${ratio}${failed}`;
}

try {
  const workspace = await scaleWorkspace(dir, size, progress);
  const before = flag('before');
  const old = before === null ? null : await measure(workspace, before);
  const now = await measure(workspace, null);
  const about = await machine();
  report({ bench: 'scale', machine: about, size, before: old, now }, text(machineLine(about), now, old));
  if (now.entries.some(({ failed }) => failed !== null)) process.exitCode = 1;
} finally {
  if (kept === null) fs.rmSync(dir, { recursive: true, force: true });
}
