import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { implement, ORPCError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/node';
import { contract } from '../../schemas/api/contract.ts';
import type { Attachment, Job, RecorderState, TaskInfo } from '../../schemas/api/models.ts';
import { type MemoryData, memoryData, ONE_PIXEL_PNG, recordingRow } from './memory-data.ts';

/**
 * The contract over plain data in memory, and the built pages, on 127.0.0.1: what the page's checks run against before
 * and without the studio. Test support, never shipped; `renderer/dist` must have been built.
 */
export type MemoryApi = { url: string; data: MemoryData; close: () => Promise<void> };

/** As strict as the studio's own may be. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export async function startMemoryApi(
  options: { tasks?: number; dist?: string; port?: number } = {},
): Promise<MemoryApi> {
  const data = memoryData({ tasks: options.tasks ?? 40 });
  const changes = new Set<(what: 'tasks' | 'recordings' | 'software' | 'people') => void>();
  const handler = new RPCHandler(router(data, (what) => changes.forEach((tell) => void tell(what)), changes));
  const server = createServer(async (request, response) => {
    const { matched } = await handler.handle(request, response, { prefix: '/rpc', context: {} });
    if (matched) return;
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname.startsWith('/files/')) return files(data, url, request, response);
    page(options.dist ?? DIST, url.pathname, response);
  });
  await new Promise<void>((listening) => server.listen(options.port ?? 0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    data,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

type What = 'tasks' | 'recordings' | 'software' | 'people';
const missing = (code: string, message: string): ORPCError<string, undefined> =>
  new ORPCError(code, { status: 404, message });

function router(data: MemoryData, tell: (what: What) => void, changes: Set<(what: What) => void>) {
  const os = implement(contract);
  const taskOf = (id: string): TaskInfo => {
    const found = data.tasks.get(id);
    if (!found) throw missing('UNKNOWN_TASK', `No task "${id}" is in this workspace. The library lists all.`);
    return found;
  };
  const jobOf = (kind: string, subject: string): Job => {
    const job: Job = {
      id: `job-${data.jobs.length + 1}`,
      kind,
      subject,
      state: 'running',
      progress: 0,
      message: 'Copying',
      error: null,
      createdAt: new Date().toISOString(),
    };
    data.jobs.unshift(job);
    return job;
  };
  const list = <T>(items: Iterable<T>): T[] => [...items];
  const done = { ok: true } as const;
  return {
    workspaces: {
      recent: os.workspaces.recent.handler(() => data.workspaces),
      open: os.workspaces.open.handler(({ input }) => {
        if (!input.create && !data.workspaces.some((one) => one.dir === input.dir))
          throw missing('NOT_A_WORKSPACE', `${input.dir} is not a workspace. Choose "New data set" to make one there.`);
        const found = data.workspaces.find((one) => one.dir === input.dir);
        if (found) return found;
        const made = {
          id: `w${data.workspaces.length + 1}`,
          name: input.dir.split('/').pop() ?? 'new',
          dir: input.dir,
          exists: true,
          openedAt: new Date().toISOString(),
        };
        data.workspaces.unshift(made);
        return made;
      }),
      openSample: os.workspaces.openSample.handler(() => data.workspaces[0]!),
      forget: os.workspaces.forget.handler(({ input }) => {
        data.workspaces = data.workspaces.filter((one) => one.id !== input.ws);
        return done;
      }),
      suggest: os.workspaces.suggest.handler(() => ({ dir: '/home/ana/trajectories' })),
    },
    software: {
      list: os.software.list.handler(() => data.software),
      add: os.software.add.handler(({ input }) => {
        if (data.software.some((one) => one.name.toLowerCase() === input.name.toLowerCase()))
          throw missing('USAGE', `"${input.name}" is already there.`);
        const made = {
          id: input.name.toLowerCase(),
          name: input.name,
          prefix: input.prefix ?? input.name.slice(0, 3).toUpperCase(),
          platforms: input.platforms ?? '',
          aliases: input.aliases ?? [],
          tasks: 0,
        };
        data.software.push(made);
        tell('software');
        return made;
      }),
    },
    people: {
      list: os.people.list.handler(() => data.people),
      add: os.people.add.handler(({ input }) => {
        const made = { id: `p${data.people.length}`, name: input.name, email: input.email };
        data.people.push(made);
        tell('people');
        return made;
      }),
    },
    tasks: {
      list: os.tasks.list.handler(() =>
        list(data.tasks.values()).map(({ sourceUrl: _s, notes: _n, attachments: _a, ...row }) => row),
      ),
      get: os.tasks.get.handler(({ input }) => taskOf(input.task)),
      create: os.tasks.create.handler(({ input }) => {
        const software = data.software.find((one) => one.id === input.software);
        if (!software) throw missing('UNKNOWN_APP', `No software "${input.software}".`);
        const id = input.id ?? `${software.prefix}_${software.tasks + 1}`;
        if (data.tasks.has(id))
          throw missing('USAGE', `A task ${id} is there already. Leave the id empty for the next free one.`);
        software.tasks++;
        const { goal, platform, sourceUrl, notes } = input;
        const made: TaskInfo = {
          id,
          software: software.id,
          goal,
          platform,
          sourceUrl,
          notes,
          state: 'open',
          recordings: 0,
          furthest: null,
          progress: 0,
          createdAt: new Date().toISOString(),
          attachments: [],
        };
        data.tasks.set(id, made);
        tell('tasks');
        return made;
      }),
      update: os.tasks.update.handler(({ input: { ws: _ws, task, ...given } }) => {
        const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        const changed = { ...taskOf(task), ...set };
        data.tasks.set(task, changed);
        tell('tasks');
        return changed;
      }),
      remove: os.tasks.remove.handler(({ input }) => {
        if (taskOf(input.task).recordings > 0)
          throw missing('CONFLICT', `${input.task} has recordings. Remove those first.`);
        data.tasks.delete(input.task);
        tell('tasks');
        return done;
      }),
      detach: os.tasks.detach.handler(({ input }) => {
        data.files.delete(input.attachment);
        for (const task of data.tasks.values())
          task.attachments = task.attachments.filter((one) => one.id !== input.attachment);
        return done;
      }),
      attachments: os.tasks.attachments.handler(({ input }) => taskOf(input.task).attachments),
    },
    recordings: {
      list: os.recordings.list.handler(() => data.recordings),
      import: os.recordings.import.handler(({ input }) => jobOf('import', input.path)),
      export: os.recordings.export.handler(({ input }) => jobOf('export', input.recording)),
      remove: os.recordings.remove.handler(({ input }) => {
        data.recordings = data.recordings.filter((one) => one.id !== input.recording);
        tell('recordings');
        return done;
      }),
      watch: os.recordings.watch.handler(async function* ({ signal }) {
        const waiting: What[] = [];
        let wake = (): void => undefined;
        const listener = (what: What): void => {
          waiting.push(what);
          wake();
        };
        changes.add(listener);
        try {
          while (!signal?.aborted) {
            const next = waiting.shift();
            if (next) yield { what: next };
            else await new Promise<void>((resume) => (wake = resume));
          }
        } finally {
          changes.delete(listener);
        }
      }),
    },
    review: {
      policy: os.review.policy.handler(() => data.policy),
      setPolicy: os.review.setPolicy.handler(({ input }) => {
        data.policy = input.policy;
        return data.policy;
      }),
      queue: os.review.queue.handler(({ input }) => (input.person === 'me' ? data.work : [])),
    },
    recorder: recorder(os, data, tell),
    jobs: {
      list: os.jobs.list.handler(() => {
        for (const job of data.jobs.filter((one) => one.state === 'running'))
          job.progress = Math.min(0.95, job.progress + 0.05);
        return data.jobs;
      }),
      cancel: os.jobs.cancel.handler(({ input }) => {
        for (const job of data.jobs) if (job.id === input.job) job.state = 'cancelled';
        return done;
      }),
    },
    settings: {
      get: os.settings.get.handler(() => data.settings),
      set: os.settings.set.handler(({ input }) => {
        const all = Object.entries({ ...data.settings, ...input.values });
        data.settings = Object.fromEntries(all.filter(([, value]) => value !== null));
        return data.settings;
      }),
    },
  };
}

type Implementer = ReturnType<typeof implement<typeof contract>>;

/** Records nothing, but goes through the phases with the given pace. */
function recorder(os: Implementer, data: MemoryData, tell: (what: What) => void) {
  const patch = (change: Partial<RecorderState>): RecorderState | null => {
    if (data.recorder) data.recorder = { ...data.recorder, ...change };
    return data.recorder;
  };
  return {
    preflight: os.recorder.preflight.handler(() => data.preflight),
    start: os.recorder.start.handler(({ input }) => {
      data.recorder = {
        recording: 'rec-new',
        task: input.task,
        phase: 'countdown',
        countdown: input.countdown,
        paused: null,
        t: 0,
        frames: 0,
        dropped: 0,
        events: 0,
        freeBytes: 18_400_000_000,
        marks: 0,
        notices: [],
        error: null,
      };
      return data.recorder;
    }),
    command: os.recorder.command.handler(({ input }) => {
      if (input.type === 'stop') patch({ phase: 'closing' });
      if (input.type === 'mark') patch({ marks: (data.recorder?.marks ?? 0) + 1 });
      if (input.type === 'pause') patch({ paused: input.reason });
      if (input.type === 'resume') patch({ paused: null });
      return { ok: true } as const;
    }),
    state: os.recorder.state.handler(() => data.recorder),
    watch: os.recorder.watch.handler(async function* ({ signal }) {
      while (!signal?.aborted) {
        const now = data.recorder;
        yield now;
        if (now?.phase === 'countdown')
          patch(
            (now.countdown ?? 0) > 0
              ? { countdown: (now.countdown ?? 0) - 1 }
              : { phase: 'recording', countdown: null },
          );
        if (now?.phase === 'recording' && !now.paused)
          patch({ t: now.t + 200_000, frames: now.frames + 6, events: now.events + 9 });
        if (now?.phase === 'closing') patch({ phase: 'keyframes' });
        if (now?.phase === 'keyframes') {
          patch({ phase: 'done' });
          data.recordings.unshift(
            recordingRow(
              'rec-new',
              now.task,
              data.tasks.get(now.task)?.software ?? '',
              data.tasks.get(now.task)?.goal ?? '',
              'recorded',
              0,
            ),
          );
          tell('recordings');
        }
        await new Promise((resume) => setTimeout(resume, 200));
      }
    }),
  };
}

async function files(data: MemoryData, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const task = data.tasks.get(url.searchParams.get('task') ?? '');
    const role = url.searchParams.get('role') as Attachment['role']; // sent by the page's own list of roles
    const name = url.searchParams.get('name') ?? 'file';
    const mime = /\.png$/i.test(name) ? 'image/png' : /\.txt$/i.test(name) ? 'text/plain' : 'application/octet-stream';
    const attachment: Attachment = {
      id: `a${data.files.size + 1}`,
      task: task?.id ?? '',
      role,
      name,
      bytes: body.length,
      mime,
    };
    data.files.set(attachment.id, { attachment, body });
    task?.attachments.push(attachment);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(attachment));
    return;
  }
  const file = data.files.get(url.pathname.split('/').pop() ?? '');
  response.writeHead(200, { 'content-type': file?.attachment.mime ?? 'image/png' }).end(file?.body ?? ONE_PIXEL_PNG);
}

/** A built file, or the page for any other address. */
function page(dist: string, path: string, response: ServerResponse): void {
  const wanted = join(dist, normalize(path));
  const file =
    wanted.startsWith(dist) && existsSync(wanted) && statSync(wanted).isFile() ? wanted : join(dist, 'index.html');
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
  });
  createReadStream(file).pipe(response);
}
