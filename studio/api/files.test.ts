import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_ROUTES } from '../../schemas/api/routes.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

const folders = temporaryFolders();
let server: TestServer;
let ws: string;
let dir: string;
const VIDEO = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256));

beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  dir = join(folder, 'workspace');
  ws = (await server.client.workspaces.open({ dir, create: true })).id;
  const recording = writeSample(join(dir, 'recordings'), sampleRecording({ playback: 'screen.mp4' }));
  writeFileSync(join(recording, 'screen.mp4'), VIDEO);
  // One frame whose still is there.
  writeFileSync(join(recording, 'frames.jsonl'), '{"i":0,"pts":0,"t":600000}\n');
  mkdirSync(join(recording, 'keyframes'));
  await sharp({ create: { width: 4, height: 3, channels: 3, background: 'navy' } })
    .png()
    .toFile(join(recording, 'keyframes', '600000.png'));
  await server.client.recordings.list({ ws });
  const open = await server.studio.workspaces.get(ws);
  await open.refresh({ now: true });
  await server.client.tasks.create({ ws, software: 'gimp', goal: 'x', id: 'GIMP_7' });
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

const playback = () => FILE_ROUTES.playback(ws, '3f2a9c1e');
const get = (path: string, headers: Record<string, string> = {}) => server.fetch(path, { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('small pictures', () => {
  test('are JPEGs of the first picture, no larger than it, and say so', async () => {
    for (const size of ['small', 'medium'] as const) {
      const response = await get(FILE_ROUTES.smallPicture(ws, '3f2a9c1e', size));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const { width, height, format } = await sharp(await bytesOf(response)).metadata();
      expect({ width, height, format }).toEqual({ width: 4, height: 3, format: 'jpeg' });
    }
  });

  test('of a recording that is not there there is none', async () => {
    const response = await get(FILE_ROUTES.smallPicture(ws, 'none', 'small'));
    expect(response.status).toBe(404);
  });

  test('a task is shown by its recording that is furthest', async () => {
    const rows = await server.client.tasks.list({ ws });
    expect(rows.map(({ id, recordings, picture }) => [id, recordings, picture !== null])).toContainEqual([
      'GIMP_7',
      0,
      false,
    ]);
    expect(rows.find(({ recordings }) => recordings > 0)?.picture).toMatch(/^3f2a9c1e/);
  });
});

describe('byte ranges', () => {
  test('without a range the whole file comes, and says that ranges are taken', async () => {
    const response = await get(playback());
    expect([response.status, response.headers.get('accept-ranges'), response.headers.get('content-type')]).toEqual([
      200,
      'bytes',
      'video/mp4',
    ]);
    expect((await bytesOf(response)).equals(VIDEO)).toBe(true);
  });

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=990-', 990, 1000],
    ['bytes=-5', 995, 1000],
    ['bytes=-5000', 0, 1000],
    ['bytes=500-99999', 500, 1000],
  ])('%s gives exactly those bytes', async (range, from, to) => {
    const response = await get(playback(), { range });
    expect([response.status, response.headers.get('content-range'), response.headers.get('content-length')]).toEqual([
      206,
      `bytes ${from}-${to - 1}/1000`,
      String(to - from),
    ]);
    expect((await bytesOf(response)).equals(VIDEO.subarray(from, to))).toBe(true);
  });

  test.each(['bytes=1000-', 'bytes=-0'])('%s lies outside: 416 with the size', async (range) => {
    const response = await get(playback(), { range });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
  });

  test.each(['bytes=9-1', 'bytes=a-b', 'pages=1-2', 'bytes=0-1,5-6'])(
    '%s is no single range: the whole file',
    async (range) => {
      expect((await get(playback(), { range })).status).toBe(200);
    },
  );

  test('HEAD tells the size without the bytes; what is known is not sent again', async () => {
    const head = await server.fetch(playback(), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '1000', '']);
    const etag = head.headers.get('etag') ?? '';
    expect((await get(playback(), { 'if-none-match': etag })).status).toBe(304);
    expect((await get(playback(), { range: 'bytes=0-1', 'if-range': '"old"' })).status).toBe(200);
    expect((await get(playback(), { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
  });
});

describe('pictures', () => {
  test('a frame is a lossless picture that may be kept for ever', async () => {
    const response = await get(FILE_ROUTES.frame(ws, '3f2a9c1e', 0));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({ format: 'png', width: 4, height: 3 });
  });

  test('a frame or a recording that is not there says so', async () => {
    const missing = await get(FILE_ROUTES.frame(ws, '3f2a9c1e', 99));
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'UNKNOWN_FILE' }]);
    const nobody = await get(FILE_ROUTES.frame(ws, 'nope', 0));
    expect([nobody.status, await nobody.json()]).toMatchObject([404, { code: 'UNKNOWN_RECORDING' }]);
    const nowhere = await get(FILE_ROUTES.frame('ffffffffffff', '3f2a9c1e', 0));
    expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { code: 'UNKNOWN_WORKSPACE' }]);
  });
});

const attach = (body: string | Buffer, name: string, role = 'material', task = 'GIMP_7') =>
  server.fetch(`/files/${ws}/attachments?${new URLSearchParams({ task, role, name })}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
  });

describe('attachments', () => {
  test('a recipe or checks that do not fit are refused, and nothing stays', async () => {
    for (const role of ['recipe', 'checks']) {
      const refused = await attach('{"version":1,"programs":3}', 'x.json', role);
      expect([refused.status, await refused.json()]).toMatchObject([expect.any(Number), { code: 'BAD_FILE' }]);
      expect(refused.ok).toBe(false);
    }
    const kept = await server.client.tasks.attachments({ ws, task: 'GIMP_7' });
    expect(kept.filter(({ role }) => role === 'recipe' || role === 'checks')).toEqual([]);
  });

  test('a recipe and checks that fit are taken', async () => {
    const recipe = { schema: 'trajectory-studio/recipe', version: 1, programs: [{ command: 'gimp' }] };
    const checks = { schema: 'trajectory-studio/checks', version: 4, checks: [{ id: 'a', kind: 'file', path: 'a' }] };
    for (const [role, file] of Object.entries({ recipe, checks })) {
      const taken = await attach(JSON.stringify(file), `${role}.json`, role);
      const made = await taken.json();
      expect([taken.status, made]).toMatchObject([201, { task: 'GIMP_7', role }]);
      await server.client.tasks.detach({ ws, attachment: made.id });
    }
  });

  test('a picture is kept and shown as what it is by its bytes', async () => {
    const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const made = await (await attach(png, 'Ende (1).png', 'query-end')).json();
    expect(made).toMatchObject({
      task: 'GIMP_7',
      role: 'query-end',
      name: 'Ende (1).png',
      bytes: png.length,
      mime: 'image/png',
    });
    const back = await get(FILE_ROUTES.attachment(ws, made.id));
    expect(back.headers.get('content-type')).toBe('image/png');
    expect(back.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''Ende%20%281%29.png");
    expect((await bytesOf(back)).equals(png)).toBe(true);
    expect(await server.client.tasks.attachments({ ws, task: 'GIMP_7' })).toEqual([made]);
  });

  test.each([
    ['page.html', '<!doctype html><script>alert(1)</script>', 'text/plain; charset=utf-8'],
    [
      'picture.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'text/plain; charset=utf-8',
    ],
    ['picture.png', '<script>alert(1)</script>', 'text/plain; charset=utf-8'],
    ['tool.exe', 'MZ\0\0', 'application/octet-stream'],
  ])('%s is handed out as a download, never as a page', async (name, text, type) => {
    const { id } = await (await attach(text, name)).json();
    const { headers } = await get(FILE_ROUTES.attachment(ws, id), { accept: 'text/html' });
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/sandbox$/);
  });

  test('what cannot be taken is refused, and nothing of it stays', async () => {
    const before = await server.client.tasks.attachments({ ws, task: 'GIMP_7' });
    const cases: [Promise<Response>, number, string][] = [
      [attach('text', 'a.png', 'query-start'), 400, 'USAGE'],
      [attach('text', 'a', 'nonsense'), 400, 'USAGE'],
      [attach('', 'empty.txt'), 422, 'BAD_FILE'],
      [attach('x', 'a.txt', 'material', 'GIMP_99'), 404, 'UNKNOWN_TASK'],
    ];
    for (const [answer, status, code] of cases) {
      const response = await answer;
      expect([response.status, await response.json()]).toMatchObject([status, { code }]);
    }
    expect(await server.client.tasks.attachments({ ws, task: 'GIMP_7' })).toEqual(before);
  });

  test('a name with a path in it stays in its folder', async () => {
    const { id, name } = await (await attach('hello', '../../../../tmp/evil.txt')).json();
    expect(name).toBe('evil.txt');
    expect(await (await get(FILE_ROUTES.attachment(ws, id))).text()).toBe('hello');
  });

  test('removed, it is gone', async () => {
    const { id } = await (await attach('hello', 'a.txt')).json();
    await server.client.tasks.detach({ ws, attachment: id });
    expect((await get(FILE_ROUTES.attachment(ws, id))).status).toBe(404);
  });
});

describe('nothing outside the workspace', () => {
  test.each([
    '/files/../../etc/passwd',
    '/files/%2e%2e/%2e%2e/etc/passwd',
    '/files/WS/recordings/..%2f..%2fstudio.sqlite/playback.mp4',
    '/files/WS/recordings/%2e%2e/playback.mp4',
    '/files/WS/recordings/3f2a9c1e/frames/..%2f..%2fevents.jsonl',
    '/files/WS/recordings/3f2a9c1e/frames/0%00.png',
    '/files/WS/recordings/3f2a9c1e/events.jsonl',
    '/files/WS/recordings/%2fetc/playback.mp4',
    '/files/WS/attachments/..%2f..%2fstudio.sqlite',
    '/files/WS/attachments/%2fetc%2fpasswd',
    '/files/WS/studio.sqlite',
    '/files/WS',
  ])('%s is not served', async (path) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const { status, body } = await server.raw(path.replace('WS', ws), { headers });
    // Dots that a client left in the path are resolved before anything is looked up: then it is a page's address.
    if (status === 200) expect(body).toContain('<title>Page</title>');
    else expect([400, 404]).toContain(status);
    expect(body).not.toMatch(/root:|SQLite|"type":/);
  });

  test.skipIf(process.platform === 'win32')(
    'a link in a recording or among the attachments leads nowhere',
    async () => {
      const recording = writeSample(join(dir, 'recordings'), sampleRecording({ id: 'linked', playback: 'screen.mp4' }));
      await (await server.studio.workspaces.get(ws)).refresh({ now: true });
      // Once it is listed; with a link in it before, it would not be.
      symlinkSync(join(dir, '..', 'secret.txt'), join(recording, 'screen.mp4'));
      const video = await get(FILE_ROUTES.playback(ws, 'linked'));
      expect([video.status, await video.json()]).toMatchObject([404, { code: 'UNKNOWN_FILE' }]);
      const open = await server.studio.workspaces.get(ws);
      const { id } = await (await attach('hello', 'link.txt')).json();
      await sqlOf(open.workspace.store)
        .updateTable('attachments')
        .set({ file: '../secret.txt' })
        .where('id', '=', id)
        .execute();
      expect((await get(FILE_ROUTES.attachment(ws, id))).status).toBe(404);
    },
  );

  test('a recording.json that names a video elsewhere gets none served', async () => {
    const recording = writeSample(join(dir, 'recordings'), sampleRecording({ id: 'climbs' }));
    // Somebody else may have written it so; this program would not.
    const stranger = sampleRecording({ id: 'climbs', playback: '../../../secret.txt' });
    writeFileSync(join(recording, 'recording.json'), JSON.stringify(stranger));
    await (await server.studio.workspaces.get(ws)).refresh({ now: true });
    expect((await get(FILE_ROUTES.playback(ws, 'climbs'))).status).toBe(404);
  });
});
