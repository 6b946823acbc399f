import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { traverseContractProcedures } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnnotationRecord, StoredTransaction, Transaction } from '../../schemas/annotation.ts';
import { contract } from '../../schemas/api/contract.ts';
import { FILE_ROUTES } from '../../schemas/api/routes.ts';
import { ERROR_EXIT } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { openSession } from '../session/open-workspace.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace as openStore } from '../store/workspace.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

const folders = temporaryFolders();
let folder: string;
let server: TestServer;
let ws: string;
let dir: string;

const EVENTS: RawEvent[] = [1, 3, 5].flatMap((second): RawEvent[] => [
  { type: 'down', t: second * 1e6, x: 100, y: 200, button: 'left' },
  { type: 'up', t: second * 1e6 + 50_000, x: 100, y: 200, button: 'left' },
]);

beforeAll(async () => {
  folder = folders.make();
  server = await startTestServer(folder);
  dir = join(folder, 'workspace');
  ws = (await server.client.workspaces.open({ dir, create: true })).id;
  for (const id of ['aaaa', 'bbbb', 'cccc', 'dddd'])
    writeSample(join(dir, 'recordings'), sampleRecording({ id }), EVENTS);
  await (await server.studio.workspaces.get(ws)).refresh({ now: true });
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

/** The next `count` values of a stream that is opened now, and the way to end it. */
async function listen<T>(open: (signal: AbortSignal) => Promise<AsyncIterable<T>>) {
  const control = new AbortController();
  const stream = (await open(control.signal))[Symbol.asyncIterator]();
  return {
    async take(count: number): Promise<T[]> {
      const values: T[] = [];
      while (values.length < count) {
        const next = await stream.next();
        if (next.done) throw new Error(`The stream ended after ${values.length} of ${count}.`);
        values.push(next.value);
      }
      return values;
    },
    end: () => control.abort(),
  };
}

async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string; data: unknown }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ORPCError) return { code: error.code, message: error.message, data: error.data };
    throw error;
  }
  throw new Error('It was not refused.');
}

async function goalChange(recording: string, text: string): Promise<Transaction> {
  const { records } = await server.client.annotation.get({ ws, recording });
  const before = records.find(
    (record): record is Extract<AnnotationRecord, { kind: 'goal' }> => record.kind === 'goal',
  )!;
  return { id: randomUUID(), label: 'Set goal', changes: [{ op: 'change', before, after: { ...before, text } }] };
}

describe('the description', () => {
  test('names every procedure of the contract, and the plain routes', async () => {
    const document = await (await server.fetch('/api/openapi.json')).json();
    expect(document.openapi).toMatch(/^3\.1/);
    const described = new Set<string>();
    for (const [path, item] of Object.entries<Record<string, unknown>>(document.paths)) {
      for (const method of Object.keys(item)) described.add(`${method.toUpperCase()} ${path}`);
    }
    const wanted: string[] = [];
    traverseContractProcedures({ path: [], router: contract }, ({ contract: procedure }) => {
      const { method, path } = procedure['~orpc'].route;
      wanted.push(`${method} ${path}`);
    });
    expect(wanted.length).toBeGreaterThan(40);
    expect(wanted.filter((route) => !described.has(route))).toEqual([]);
    expect(described).toContain('GET /files/{ws}/recordings/{recording}/frames/{i}.png');
    expect(described).toContain('POST /files/{ws}/attachments');
    // Every plain route that the pages use is one of those.
    const { frame, smallPicture, playback, page, preview, attachment, predictions, run, template, questionPicture } =
      FILE_ROUTES;
    const { liveScreen, voice, uploads } = FILE_ROUTES;
    const used = [
      ...[frame('w', 'r', 0), smallPicture('w', 'r', 'small'), playback('w', 'r'), page('w', 'r'), preview('w')],
      ...[attachment('w', 'a'), predictions('w'), run('w', 'r', 'result.json'), template('w', 's', ['f.jsonl'])],
      ...[questionPicture('w', 's', 'Q.images/a.png'), liveScreen('w', 'r'), voice('w', 'r')],
      uploads('w', 'u'),
    ];
    expect(used).toHaveLength(Object.keys(FILE_ROUTES).length);
    const forms = Object.keys(document.paths).map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
    const lacking = used.filter((path) => !forms.some((form) => form.test(path.replace(/\?.*/, ''))));
    expect(lacking).toEqual([]);
  });

  test('holds together: ids are unique, every reference and every path parameter is there', async () => {
    const document = await (await server.fetch('/api/openapi.json')).json();
    const ids: string[] = [];
    for (const [path, item] of Object.entries<Record<string, never>>(document.paths)) {
      for (const operation of Object.values<{
        operationId?: string;
        parameters?: { name: string; in: string }[];
        responses?: object;
      }>(item)) {
        if (!operation.responses) continue;
        ids.push(operation.operationId ?? '');
        expect(Object.keys(operation.responses)).toContain('default');
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const given = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);
        expect([path, given.toSorted()]).toEqual([path, inPath.toSorted()]);
      }
    }
    expect(ids.filter((id, at) => id === '' || ids.indexOf(id) !== at)).toEqual([]);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!);
  });

  test('what it describes can be called: a plain GET and a POST', async () => {
    const list = await server.fetch(`/api/workspaces/${ws}/recordings`);
    expect(await list.json()).toHaveLength(4);
    const body = JSON.stringify({ name: 'Grace' });
    const made = await server.fetch(`/api/workspaces/${ws}/people`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([made.status, await made.json()]).toMatchObject([200, { name: 'Grace', email: null }]);
  });
});

describe('errors', () => {
  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: string) => server.fetch(path, { method: 'POST', body, headers: json });
  const cases: [what: string, ask: () => Promise<Response>, status: number, code: string][] = [
    [
      'a workspace that nobody opened',
      () => server.fetch('/api/workspaces/ffffffffffff/tasks'),
      404,
      'UNKNOWN_WORKSPACE',
    ],
    ['a task that is not there', () => server.fetch(`/api/workspaces/${ws}/tasks/XX_1`), 404, 'UNKNOWN_TASK'],
    ['a field of the wrong kind', () => post(`/api/workspaces/${ws}/people`, '{"name":7}'), 400, 'USAGE'],
    ['a body that is no JSON', () => post(`/api/workspaces/${ws}/people`, '{"na'), 400, 'USAGE'],
    [
      'a name that is too long',
      () => post(`/api/workspaces/${ws}/people`, JSON.stringify({ name: 'x'.repeat(10_000) })),
      400,
      'USAGE',
    ],
    [
      'a folder that is no workspace',
      () => post('/api/workspaces/open', JSON.stringify({ dir: folder })),
      422,
      'NOT_A_WORKSPACE',
    ],
    ['a path from nowhere', () => post('/api/workspaces/open', '{"dir":"studio"}'), 400, 'USAGE'],
    [
      'a link that is a script',
      () =>
        post(
          `/api/workspaces/${ws}/tasks`,
          JSON.stringify({ software: 'gimp', goal: '', sourceUrl: 'javascript:alert(1)' }),
        ),
      400,
      'USAGE',
    ],
    ['a route that is not there', () => server.fetch('/api/nope'), 404, 'UNKNOWN_FILE'],
    ['nothing to stop', () => post('/api/recorder/command', '{"type":"stop"}'), 400, 'USAGE'],
    ['a sample that is not shipped', () => post('/api/workspaces/sample', ''), 404, 'UNKNOWN_FILE'],
  ];

  test.each(cases)('%s: a stable code, a message, details, and no stack trace', async (_what, ask, status, code) => {
    const response = await ask();
    const text = await response.text();
    expect(text).not.toMatch(/\n\s+at |\.ts:\d+/);
    const body = JSON.parse(text);
    expect([response.status, body.code]).toEqual([status, code]);
    expect(Object.keys(body).toSorted()).toEqual(['code', 'details', 'message']);
    expect(body.message.length).toBeGreaterThan(10);
    expect(Object.keys(ERROR_EXIT)).toContain(body.code);
  });

  test('a page gets the same code and message, its details as data', async () => {
    expect(await refusal(server.client.tasks.get({ ws, task: 'XX_1' }))).toMatchObject({
      code: 'UNKNOWN_TASK',
      data: { task: 'XX_1' },
    });
  });

  test('a defect is told in one line, without where in the code it was', async () => {
    const open = await server.studio.workspaces.get(ws);
    const original = open.unchecked.documents.vocabulary;
    open.unchecked.documents.vocabulary = () => {
      throw new TypeError('x is not a function\n    at studio/secret.ts:1:1');
    };
    try {
      const { code, message, data } = await refusal(server.client.annotation.vocabulary({ ws, software: 'gimp' }));
      expect([code, data]).toEqual(['INTERNAL', {}]);
      expect(message).toBe('A defect of this program: x is not a function');
    } finally {
      open.unchecked.documents.vocabulary = original;
    }
  });

  test('a torn database is one workspace that says so; the others go on, and it opens again when it is put back', async () => {
    const torn = join(folder, 'torn');
    const { id } = await server.client.workspaces.open({ dir: torn, create: true });
    const file = join(torn, 'studio.sqlite');
    await server.studio.workspaces.drop(id);
    renameSync(file, `${file}.good`);
    writeFileSync(file, 'SQLite format 3\0 and then nothing');
    truncateSync(file, 5000);
    const { code, message } = await refusal(server.client.tasks.list({ ws: id }));
    expect([code, message]).toEqual(['WORKSPACE_DAMAGED', expect.stringContaining('backup')]);
    expect(await server.client.recordings.list({ ws })).toHaveLength(4);
    rmSync(file);
    renameSync(`${file}.good`, file);
    expect(await server.client.tasks.list({ ws: id })).toEqual([]);
    await server.client.workspaces.forget({ ws: id });
    expect((await server.client.workspaces.recent()).map((one) => one.id)).toEqual([ws]);
  });
});

describe('streams', () => {
  test('library changes come as they happen, with signs of life between', async () => {
    const control = new AbortController();
    const response = await server.fetch(`/api/workspaces/${ws}/changes`, { signal: control.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body!) text += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    await expect.poll(() => text.match(/^:/gm)?.length ?? 0).toBeGreaterThan(2);
    await server.client.tasks.create({ ws, software: 'gimp', goal: 'Watched' });
    await expect.poll(() => text).toContain('event: message\ndata: {"what":"tasks"}');
    control.abort();
    await reading;
  });

  test('two clients see each other, each transaction once and in order, and one who comes late gets what it missed', async () => {
    const recording = 'aaaa';
    const watch = (since: number) =>
      listen<StoredTransaction>((signal) => server.client.annotation.watch({ ws, recording, since }, { signal }));
    const { version } = await server.client.annotation.get({ ws, recording });
    const [first, second] = [await watch(version), await watch(version)];
    const texts = ['one', 'two', 'three'];
    for (const text of texts) {
      await server.client.annotation.apply({ ws, recording, transaction: await goalChange(recording, text) });
    }
    await server.client.annotation.undo({ ws, recording });
    const late = await watch(version + 1);
    const [a, b, c] = [await first.take(4), await second.take(4), await late.take(3)];
    expect(a.map((one) => one.version)).toEqual([1, 2, 3, 4].map((n) => version + n));
    expect(b).toEqual(a);
    expect(c).toEqual(a.slice(1));
    expect(a[3]?.undoes).toBe(a[2]?.id);
    for (const one of [first, second, late]) one.end();
  });

  test('what another process writes into the same workspace is seen too', async () => {
    const recording = 'bbbb';
    const { version } = await server.client.annotation.get({ ws, recording });
    const seen = await listen<StoredTransaction>((signal) =>
      server.client.annotation.watch({ ws, recording, since: version }, { signal }),
    );
    // Its own connection to the same database: what another process would have.
    const other = await openSession(dir, { create: false });
    const transaction = await goalChange(recording, 'from elsewhere');
    await other.unchecked.documents.apply(recording, transaction, 'ada');
    await other.close();
    expect(await seen.take(1)).toMatchObject([{ id: transaction.id, person: 'ada', version: version + 1 }]);
    seen.end();
  });

  test('a stream of an unknown recording is refused, not begun', async () => {
    const { code } = await refusal(server.client.annotation.watch({ ws, recording: 'nope', since: 0 }));
    expect(code).toBe('UNKNOWN_RECORDING');
  });

  test('a client that goes away is forgotten', async () => {
    const open = await server.studio.workspaces.get(ws);
    await expect.poll(() => open.changes.readers()).toBe(0);
    const seen = await listen((signal) => server.client.recordings.watch({ ws }, { signal }));
    await expect.poll(() => open.changes.readers()).toBe(1);
    seen.end();
    await expect.poll(() => open.changes.readers()).toBe(0);
  });
});

describe('opening a workspace', () => {
  test('closes what a crash left open, while everything else is there at once', async () => {
    const crashed = join(folder, 'crashed');
    const root = join(crashed, 'recordings');
    openStore(crashed, { create: true }).close();
    writeSample(root, sampleRecording({ id: 'left', state: 'recording', span: null, verdict: null }), EVENTS);
    writeSample(root, sampleRecording({ id: 'whole' }), EVENTS);
    const { id } = await server.client.workspaces.open({ dir: crashed, create: false });
    const phases = async () => {
      await (await server.studio.workspaces.get(id)).refresh({ now: true });
      return (await server.client.recordings.list({ ws: id })).map((row) => [row.id, row.phase]).toSorted();
    };
    await expect.poll(phases).toEqual([
      ['left', 'closed'],
      ['whole', 'closed'],
    ]);
    await server.client.workspaces.forget({ ws: id });
  });

  test('an import is a job that one can follow, and what it brings is in the library', async () => {
    const source = writeSample(
      folders.make(),
      sampleRecording({ id: 'from-afar', task: { id: 'GIMP_40', goal: 'Afar' } }),
      EVENTS,
    );
    const { id, state } = await server.client.recordings.import({ ws, path: source });
    expect(state).toBe('waiting');
    const job = async () => (await server.client.jobs.list({ ws })).find((one) => one.id === id);
    await (await server.studio.workspaces.get(ws)).jobs.finished(id);
    expect((await job())?.state).toBe('done');
    expect((await job())?.message).toContain('Imported from-afar (GIMP_40)');
    expect((await job())?.recordings).toEqual(['from-afar']);
    expect(await server.client.tasks.get({ ws, task: 'GIMP_40' })).toMatchObject({ goal: 'Afar', recordings: 1 });
    const out = join(folder, 'out.tar');
    const exported = await server.client.recordings.export({ ws, recording: 'from-afar', out });
    await (await server.studio.workspaces.get(ws)).jobs.finished(exported.id);
    await server.client.recordings.remove({ ws, recording: 'from-afar' });
    await server.client.recordings.import({ ws, path: out });
    await expect
      .poll(async () => (await server.client.recordings.list({ ws })).some((row) => row.id === 'from-afar'))
      .toBe(true);
  });
});

describe('annotation over the wire', () => {
  test('the same transaction twice is applied once; one that comes too late is a conflict that names the record', async () => {
    const recording = 'cccc';
    const early = await goalChange(recording, 'mine');
    const late = await goalChange(recording, 'yours');
    const stored = await server.client.annotation.apply({ ws, recording, transaction: early });
    expect(await server.client.annotation.apply({ ws, recording, transaction: early })).toEqual(stored);
    const { code, message } = await refusal(server.client.annotation.apply({ ws, recording, transaction: late }));
    expect([code, message]).toEqual(['CONFLICT', expect.stringContaining('goal')]);
    expect((await server.client.annotation.get({ ws, recording })).version).toBe(stored.version);
  });

  test('the first gesture makes a recording one that is being annotated, and another one changes nothing of that', async () => {
    const recording = 'dddd';
    const stateNow = async () =>
      (await server.client.recordings.list({ ws })).find(({ id }) => id === recording)?.state;
    expect(await stateNow()).toBe('recorded');
    await server.client.annotation.apply({ ws, recording, transaction: await goalChange(recording, 'begun') });
    await expect.poll(stateNow).toBe('annotating');
    await server.client.annotation.apply({ ws, recording, transaction: await goalChange(recording, 'again') });
    expect(await stateNow()).toBe('annotating');
    const ada = await server.client.people.add({ ws, name: `Ada of ${recording}` });
    const events = await server.client.review.history({ ws, recording, person: ada.id });
    expect(events.map(({ person, act }) => [person, act.type])).toEqual([['me', 'begin']]);
  });
});
