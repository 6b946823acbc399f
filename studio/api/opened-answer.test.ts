import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openedAnswers } from './opened-answer.ts';
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

const question = (json: unknown, path = '/rpc/recordings/open'): Request =>
  new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify({ json }) });
const answer = (request: Request): Promise<Response | null> => openedAnswers(server.studio)(request);

test('a page is told what the procedure tells a script, the first time and every time after', async () => {
  const told = await (await server.fetch(`/api/workspaces/${ws}/recordings/aaaa`)).json();
  expect(told.steps).toHaveLength(2);
  for (const _ of [1, 2]) {
    const response = await answer(question({ ws, recording: 'aaaa' }));
    expect(response?.headers.get('content-type')).toBe('application/json');
    expect(await response?.json()).toEqual({ json: told });
  }
  expect(await server.client.recordings.open({ ws, recording: 'aaaa' })).toEqual(told);
});

test('what is no such question, or has no answer, is left to the procedure with its body unread', async () => {
  const others = [
    question({ ws, recording: 'aaaa' }, '/rpc/recordings/list'),
    new Request('http://localhost/rpc/recordings/open'),
    question({ ws, recording: 'none-such' }),
    question({ ws: 'none-such', recording: 'aaaa' }),
    question({ ws }),
    question({ ws, recording: 'x'.repeat(20_000) }),
    new Request('http://localhost/rpc/recordings/open', { method: 'POST', body: 'no JSON' }),
  ];
  for (const request of others) {
    expect(await answer(request)).toBeNull();
    expect(request.bodyUsed).toBe(false);
  }
  await expect(server.client.recordings.open({ ws, recording: 'none-such' })).rejects.toMatchObject({
    code: 'UNKNOWN_RECORDING',
  });
});
