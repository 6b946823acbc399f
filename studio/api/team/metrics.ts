import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ROUTE_RIGHTS } from '../../../core/team/rights.ts';
import { log } from '../../../native/log/log.ts';
import { diskRoom } from '../../files/folder.ts';
import { countForMetrics } from '../../store/counts.ts';
import type { Store } from '../../store/store.ts';
import type { Handler } from '../handler.ts';

/**
 * Figures of a team's server in the text format of Prometheus (version 0.0.4). Names of calls and states alone: nothing of a
 * person, a recording or an address is a label.
 */

export type Metrics = {
  /** Counts every request of this handler, and notes in the log those that fail or take long. */
  counted(handler: Handler): Handler;
  /** `streams`: requests that go on. */
  text(at: { store: Store; dir: string; streams: number }): Promise<string>;
  close(): void;
};

/** Seconds; a gesture is to be answered within 0.1. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;
const SLOW_MS = 5000;
/** The event loop's longest waits, ms. */
const RESOLUTION_MS = 20;

type Histogram = { counts: number[]; sum: number; count: number };

type Room = { used: number | null; quota: number | null };

/** `room`: what the workspace holds and may hold, bytes; nulls where it has no quota. */
export function openMetrics(version: string, room: () => Promise<Room>): Metrics {
  const requests = new Map<string, number>();
  const times = new Map<string, Histogram>();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();

  function answered(request: Request, response: Response, ms: number): void {
    const { kind, route } = routeOf(new URL(request.url).pathname);
    const labels = `kind="${kind}",route="${route}",status="${response.status}"`;
    requests.set(labels, (requests.get(labels) ?? 0) + 1);
    const known = times.get(kind) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
    times.set(kind, known);
    BUCKETS.forEach((most, at) => {
      if (ms <= most * 1000) known.counts[at]!++;
    });
    known.sum += ms / 1000;
    known.count++;
    const id = response.headers.get('x-request-id') ?? undefined;
    const facts = { request: id, name: route, status: response.status, ms: Math.round(ms) };
    if (response.status >= 500) log.error('request failed', facts);
    else if (ms > SLOW_MS) log.warn('request took long', facts);
    else log.debug('answered', facts);
  }

  return {
    counted: (handler) => async (request, peer) => {
      const from = performance.now();
      const response = await handler(request, peer);
      answered(request, response, performance.now() - from);
      return response;
    },
    async text({ store, dir, streams }) {
      const { recordings, members, sessions, jobs } = await countForMetrics(store, new Date().toISOString());
      const { rss } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const p99 = delay.count === 0 ? 0 : delay.percentile(99) / 1e9;
      delay.reset();
      const { free, size } = await diskRoom(dir);
      const { used, quota } = await room();
      const histogram = [...times]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([kind, one]) => linesOf(kind, one));
      return [
        metric('studio_info', 'gauge', 'The version that runs.', [[`version="${version}"`, 1]]),
        metric('studio_requests_total', 'counter', 'Requests that were answered.', [...requests].toSorted()),
        `# HELP studio_request_seconds Time until an answer began.\n# TYPE studio_request_seconds histogram\n${histogram.join('')}`,
        metric('studio_streams', 'gauge', 'Requests that go on, such as followed documents.', [['', streams]]),
        metric('studio_recordings', 'gauge', 'Recordings in the workspace.', [['', recordings]]),
        metric('studio_members', 'gauge', 'People who may sign in.', [['', members]]),
        metric('studio_sessions', 'gauge', 'Browsers that are signed in.', [['', sessions]]),
        metric(
          'studio_jobs',
          'gauge',
          'Jobs by their state.',
          jobs.map(({ state, count }) => [`state="${state}"`, count]),
        ),
        metric('studio_disk_free_bytes', 'gauge', "Room on the workspace's disk.", [['', free]]),
        metric('studio_disk_size_bytes', 'gauge', "Size of the workspace's disk.", [['', size]]),
        ...(used === null || quota === null
          ? []
          : [
              metric('studio_workspace_bytes', 'gauge', 'What the workspace holds.', [['', used]]),
              metric('studio_quota_bytes', 'gauge', 'What the workspace may hold.', [['', quota]]),
            ]),
        metric('studio_event_loop_delay_seconds', 'gauge', 'The 99th percentile since the last look.', [['', p99]]),
        metric('process_resident_memory_bytes', 'gauge', 'Memory of this process.', [['', rss]]),
        metric('process_cpu_seconds_total', 'counter', 'Processor time.', [['', (user + system) / 1e6]]),
        metric('process_start_time_seconds', 'gauge', 'When it began, since 1970.', [
          ['', Math.round(Date.now() / 1000 - process.uptime())],
        ]),
      ].join('');
    },
    close: () => delay.disable(),
  };
}

function metric(name: string, type: string, help: string, values: readonly (readonly [string, number])[]): string {
  const lines = values.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function linesOf(kind: string, { counts, sum, count }: Histogram): string[] {
  const name = 'studio_request_seconds';
  return [
    ...counts.map((each, at) => `${name}_bucket{kind="${kind}",le="${BUCKETS[at]}"} ${each}\n`),
    `${name}_bucket{kind="${kind}",le="+Inf"} ${count}\n`,
    `${name}_sum{kind="${kind}"} ${sum}\n`,
    `${name}_count{kind="${kind}"} ${count}\n`,
  ];
}

const KINDS: ReadonlySet<string> = new Set(['rpc', 'api', 'files', 'team', 'health', 'ready', 'metrics', 'assets']);

/** Words of the code alone: whoever asks for made-up addresses makes no new label. */
function routeOf(pathname: string): { kind: string; route: string } {
  const [, first = '', room = '', call = ''] = pathname.split('/');
  const kind = KINDS.has(first) ? first : 'pages';
  const name = `${room}.${call}`;
  return { kind, route: kind === 'rpc' && Object.hasOwn(ROUTE_RIGHTS, name) ? name : '' };
}
