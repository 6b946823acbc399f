import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type AnyContractRouter, isContractProcedure } from '@orpc/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { labelId } from '../../core/annotate/ids.ts';
import { joinOpened } from '../../core/annotate/opened.ts';
import type { Change } from '../../schemas/annotation.ts';
import { contract } from '../../schemas/api/contract.ts';
import { openedRecordingSchema } from '../../schemas/api/models.ts';
import { FILE_ROUTES } from '../../schemas/api/routes.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

const folders = temporaryFolders();
let server: TestServer;
let ws: string;

const EVENTS: RawEvent[] = [1, 3].flatMap((second): RawEvent[] => [
  { type: 'down', t: second * 1e6, x: 100, y: 200, button: 'left' },
  { type: 'up', t: second * 1e6 + 50_000, x: 100, y: 200, button: 'left' },
]);

beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  const dir = join(folder, 'workspace');
  ws = (await server.client.workspaces.open({ dir, create: true })).id;
  writeSample(join(dir, 'recordings'), sampleRecording({ id: 'aaaa' }), EVENTS);
  await (await server.studio.workspaces.get(ws)).refresh({ now: true });
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

const page = (recording: string, init?: RequestInit) => server.fetch(FILE_ROUTES.page(ws, recording), init);

test('a page puts together from two answers what a script is told in one', async () => {
  const told = await (await server.fetch(`/api/workspaces/${ws}/recordings/aaaa`)).json();
  expect(told.steps).toHaveLength(2);
  const response = await page('aaaa');
  expect(response.headers.get('content-type')).toBe('application/json');
  const now = await server.client.recordings.now({ ws, recording: 'aaaa' });
  expect(now.warnings).toMatchObject([{ code: 'NO_VIDEO' }]);
  expect(joinOpened(await response.json(), now)).toEqual(told);
  expect(await server.client.recordings.open({ ws, recording: 'aaaa' })).toEqual(told);
});

test('what a browser has of it is not sent again', async () => {
  const first = await page('aaaa');
  const etag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  const again = await page('aaaa', { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await page('aaaa', { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
});

test('a recording or a workspace that is not there is answered as everywhere', async () => {
  const nobody = await page('none-such');
  expect([nobody.status, await nobody.json()]).toMatchObject([404, { code: 'UNKNOWN_RECORDING' }]);
  await expect(server.client.recordings.now({ ws, recording: 'none-such' })).rejects.toMatchObject({
    code: 'UNKNOWN_RECORDING',
  });
  const nowhere = await server.fetch(FILE_ROUTES.page('none-such', 'aaaa'));
  expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { code: 'UNKNOWN_WORKSPACE' }]);
});

const preview = (body: string) => server.fetch(FILE_ROUTES.preview(ws), { method: 'POST', body });
const WISHES = { source: { kind: 'filter' as const, filter: {} }, formats: [{ name: 'videogui' }], all: true };

test("a page's preview is the procedure's, written by the thread that made it and only passed on", async () => {
  const told = await server.client.exports.preview({ ws, wishes: WISHES });
  const run = vi.spyOn((await server.studio.workspaces.get(ws)).background, 'run');
  expect(await (await preview(JSON.stringify({ wishes: WISHES }))).json()).toEqual(told);
  expect(run.mock.calls.map(([task]) => task)).toEqual(['preview']);
  run.mockRestore();
});

test.each([
  [
    'a format that is not there',
    JSON.stringify({ wishes: { ...WISHES, formats: [{ name: 'none' }] } }),
    'UNKNOWN_FORMAT',
  ],
  ['wishes that do not fit', JSON.stringify({ wishes: {} }), 'USAGE'],
  ['no JSON', 'no JSON', 'USAGE'],
  ['a question that is too long', JSON.stringify({ wishes: WISHES, person: 'x'.repeat(20_000) }), 'USAGE'],
])('a preview of %s is refused in the words of the API', async (_name, body, code) => {
  const response = await preview(body);
  expect([response.ok, await response.json()]).toMatchObject([false, { code }]);
});

const LONG = 'long';
const STEPS = 2000;

test('a long answer is what its schema and JSON.stringify make of it, for pages and for scripts', async () => {
  const { workspace, as } = await server.studio.workspaces.get(ws);
  const events = Array.from({ length: STEPS }, (_, n): RawEvent[] => [
    { type: 'down', t: (n + 1) * 2e6, x: n % 1000, y: 20, button: 'left' },
    { type: 'up', t: (n + 1) * 2e6 + 40_000, x: n % 1000, y: 20, button: 'left' },
  ]);
  writeSample(workspace.recordingsDir, sampleRecording({ id: LONG }), events.flat());
  await (await server.studio.workspaces.get(ws)).refresh({ now: true });
  const whole = openedRecordingSchema.parse(await as(undefined).recordings.open(LONG));
  expect(whole.steps).toHaveLength(STEPS);
  const script = await server.fetch(`/api/workspaces/${ws}/recordings/${LONG}`);
  expect(script.headers.get('content-type')).toBe('application/json');
  expect(await script.text()).toBe(JSON.stringify(whole));
  const page = await server.fetch('/rpc/recordings/open', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ json: { ws, recording: LONG } }),
  });
  expect(page.headers.get('content-type')).toBe('application/json');
  expect(await page.text()).toBe(JSON.stringify({ json: whole }));
});

test('one gesture on every step of a long recording comes and goes whole, and what does not fit is told with its place', async () => {
  const { steps } = await server.client.recordings.open({ ws, recording: LONG });
  const nothing = { startName: null, endName: null, purpose: null, dragKind: null, narration: null, text: null };
  const said = { element: null, elementSource: null, ...nothing, confirmed: true, flagged: false };
  const changes = steps.map(({ id: action }): Change => {
    return { op: 'add', record: { kind: 'label', id: labelId(action), action, ...said } };
  });
  const apply = (all: unknown[]) =>
    server.fetch('/rpc/annotation/apply', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        json: { ws, recording: LONG, person: 'Ana', transaction: { id: randomUUID(), label: 'All', changes: all } },
      }),
    });
  const refused = await apply([...changes, { op: 'add', record: { kind: 'label', id: 7 } }]);
  expect(refused.status).toBe(400);
  expect(JSON.stringify(await refused.json())).toContain(`transaction.changes.${STEPS}.record`);
  const { json: stored } = await (await apply(changes)).json();
  expect(stored.changes).toEqual(changes);
  const { records } = await server.client.annotation.get({ ws, recording: LONG });
  expect(records.filter(({ kind }) => kind === 'label')).toHaveLength(STEPS);
});

/** `writeSlowly` writes these alone; a moment or a set would need oRPC's own marks. */
test('every answer of the contract is plain JSON', () => {
  const schemas = answersOf(contract);
  expect(schemas.length).toBeGreaterThan(80);
  for (const schema of schemas) expect(() => z.toJSONSchema(schema, { io: 'output' })).not.toThrow();
});

function answersOf(part: AnyContractRouter): z.ZodType[] {
  if (!isContractProcedure(part)) return Object.values(part).flatMap(answersOf);
  const { outputSchema } = part['~orpc'];
  return outputSchema instanceof z.ZodType ? [outputSchema] : [];
}
